package dev.sluice.load.run;

import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * By what a load is known again: by the content of its file and what is done with it, or by a name.
 * Where the file lies does not count. Immutable.
 *
 * @param target the environment and the table
 * @param label the name that somebody gave; null for none
 * @param path where the file lies, absolute; {@code -} for standard input
 * @param content null for standard input, which nobody knows beforehand
 * @param work what is done with the rows: must be the same for a run to go on
 * @param reading how somebody said that the file is written; empty if nobody did
 */
public record LoadIdentity(
    String target,
    @Nullable String label,
    String path,
    @Nullable Fingerprint content,
    String work,
    String reading) {
  private static final String READING = " input=";

  /**
   * Reads the file of a load for its content.
   *
   * @throws BadInputException if it is not there or cannot be read
   */
  public static LoadIdentity of(LoadRequest request) throws IOException {
    boolean stream = request.readsStandardInput();
    Fingerprint content = stream ? null : Fingerprint.of(request.source());
    return new LoadIdentity(
        request.environment() + " " + request.table().logicalName(),
        request.name().orElse(null),
        stream
            ? Input.STANDARD_INPUT
            : Path.of(request.source()).toAbsolutePath().normalize().toString(),
        content,
        request.work(),
        reading(request.input()));
  }

  private static String reading(InputOptions input) {
    StringJoiner words = new StringJoiner(",");
    input.format().ifPresent(format -> words.add(format.name()));
    input.delimiter().ifPresent(delimiter -> words.add("delimiter " + (int) delimiter));
    input.encoding().ifPresent(encoding -> words.add(encoding.name()));
    return words.toString();
  }

  /** What is stored of a run's options. */
  String options() {
    return reading.isEmpty() ? work : work + READING + reading;
  }

  /** The same without how the file is read: going on, the records themselves are compared. */
  static String work(String options) {
    int reading = options.indexOf(READING);
    return reading < 0 ? options : options.substring(0, reading);
  }

  /** What runs of it are called, for people. */
  String name() {
    return "%s %s".formatted(target, label == null ? path : label);
  }

  /** What a process holds that begins it: two names of one file exclude each other. */
  String lease() {
    return content == null ? name() : "%s sha256:%s".formatted(target, content.hash());
  }

  /** The file, for people. */
  String input() {
    return content == null ? "standard input" : path;
  }
}

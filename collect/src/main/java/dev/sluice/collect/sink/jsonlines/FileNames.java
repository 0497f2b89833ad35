package dev.sluice.collect.sink.jsonlines;

import dev.sluice.collect.sink.NameDigest;
import dev.sluice.runs.bookmark.Track;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the files of one stream of one track are called: {@code issues.steady-000007-0001.jsonl} for
 * the first file of lease 7, with the split after the stream ({@code issues.eu.steady-…}) and, for
 * details, the list that they belong to ({@code comments@issues.steady-…}). In the order of their
 * names they are in the order of their writing.
 *
 * <p>Two tracks never share a name, also where a file system does not tell capitals from small
 * letters: a name that is not plain is spelled with what is plain of it, and a digest of the whole.
 */
final class FileNames {
  static final String PART = ".part";

  private static final String PLAIN = "[a-z0-9_-]{1,60}";
  private static final int LONGEST = 40;
  private static final int DIGEST_BYTES = 6;

  private final String stem;
  private final Pattern pattern;

  FileNames(Track track, String stream) {
    this.stem =
        plain(stream)
            + (stream.equals(track.stream()) ? "" : "@" + plain(track.stream()))
            + (track.split().isEmpty() ? "" : "." + plain(track.split()))
            + "."
            + track.mode().wireName();
    this.pattern =
        Pattern.compile(
            Pattern.quote(stem) + "-(\\d{6,19})-(\\d{4,9})\\.jsonl(?:\\.copy-\\d+)?(?:\\.part)?");
  }

  /** How a name is spelled where it is part of a file's name. */
  static String plain(String name) {
    if (name.matches(PLAIN)) {
      return name;
    }
    String readable = name.replaceAll("[^A-Za-z0-9_-]", "_");
    return readable.substring(0, Math.min(readable.length(), LONGEST))
        + "~"
        + NameDigest.of(name, DIGEST_BYTES);
  }

  /** The final name of a file. */
  String file(long fence, int number) {
    return stem + "-" + padded(fence, 6) + "-" + padded(number, 4) + ".jsonl";
  }

  /** Under which lease a file was begun; empty if it is none of these. */
  OptionalLong fence(String name) {
    Matcher matcher = pattern.matcher(name);
    return matcher.matches()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  /** The how-manieth of its lease a file is; empty if it is none of these. */
  OptionalInt number(String name) {
    Matcher matcher = pattern.matcher(name);
    return matcher.matches()
        ? OptionalInt.of(Integer.parseInt(matcher.group(2)))
        : OptionalInt.empty();
  }

  /** Not by a format: that would write the digits of the user's language. */
  private static String padded(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }
}

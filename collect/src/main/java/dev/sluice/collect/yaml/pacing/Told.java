package dev.sluice.collect.yaml.pacing;

import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.text.PlainText;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.WaitForm;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where an answer tells something, and in which form: {@code header X-Reset as epoch-seconds},
 * {@code header X-Limit part 2}, {@code body $.error.retry_in as duration}. Immutable.
 *
 * @param header its name; null if it stands in the body
 * @param part which of several that a comma divides, from 1; 0 for all of it
 * @param path to it in the body; null if it stands in a header
 */
record Told(@Nullable String header, int part, @Nullable JsonPath path, WaitForm form) {
  private static final Pattern HEADER =
      Pattern.compile("header (\\S+)(?: part ([1-9]))?(?: as (\\S+))?");
  private static final Pattern BODY = Pattern.compile("body (\\$\\S*)(?: as (\\S+))?");

  /**
   * Reads a place.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  static Told parse(String text) {
    String plain = text.strip().replaceAll("\\s+", " ");
    Matcher header = HEADER.matcher(plain);
    if (header.matches()) {
      String part = header.group(2);
      return new Told(
          header.group(1), part == null ? 0 : Integer.parseInt(part), null, form(header.group(3)));
    }
    Matcher body = BODY.matcher(plain);
    if (body.matches()) {
      return new Told(null, 0, JsonPath.parse(body.group(1)), form(body.group(2)));
    }
    throw new IllegalArgumentException(
        "but a place such as 'header X-Limit', 'header X-Limit part 2', 'header X-Reset as"
            + " epoch-seconds' or 'body $.retry_in as duration' is expected");
  }

  private static WaitForm form(@Nullable String word) {
    if (word == null) {
      return WaitForm.AUTO;
    }
    List<String> words =
        Arrays.stream(WaitForm.values())
            .map(form -> form.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList();
    if (!words.contains(word)) {
      throw new IllegalArgumentException(
          "but one of the forms %s is expected after 'as'".formatted(String.join(", ", words)));
    }
    return WaitForm.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** What stands there, line by line; empty if nothing does. */
  List<String> find(Answer answer) {
    if (header != null) {
      return part == 0 ? answer.header(header) : answer.part(header, ',', part - 1);
    }
    if (path == null) {
      return List.of();
    }
    JsonNode node = new AnswerFacts(answer).inBody(path);
    return node.isValueNode() && !node.isNull() && !node.isMissingNode()
        ? List.of(PlainText.of(node))
        : List.of();
  }

  /** What messages and evidence call it. */
  String source() {
    return header == null ? "body " + path : header;
  }
}

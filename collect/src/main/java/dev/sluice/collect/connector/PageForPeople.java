package dev.sluice.collect.connector;

import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of HTML where data was due: a login, a notice of maintenance, a proxy that blocks. Whoever
 * sees it in a browser knows at once what is wrong; whoever reads a message should, too.
 */
public final class PageForPeople {
  private static final Pattern TITLE =
      Pattern.compile("<title[^>]*>([^<]*)</title>", Pattern.CASE_INSENSITIVE);
  private static final Pattern BEGINNING =
      Pattern.compile(
          "\\s*(<\\?xml[^>]*>\\s*)?<(!doctype\\s+html|html)\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern JSON = Pattern.compile("\\s*[{\\[]");

  /** Longer words may have been made by a machine, and are nobody's business. */
  private static final Pattern LONG_WORD = Pattern.compile("\\S{25,}");

  private static final int BEGINNING_READ = 256;
  private static final int TITLE_READ = 16 * 1024;
  private static final int LONGEST_TITLE = 60;

  private PageForPeople() {}

  /**
   * What is said of an answer that is one; empty if it is none. It is safe to show: of the address
   * the host, of the page its title without what the request carried.
   *
   * @param asked as it was sent, with its proof
   */
  public static Optional<String> in(WebRequest asked, WebAnswer answer) {
    return isOne(answer)
        ? Optional.of(
            "%s answered with a page for people (HTML%s), not with data: see that provider.base leads to the API, and that no login, proxy or firewall answers in its place"
                .formatted(asked.uri().getHost(), title(asked, text(answer, TITLE_READ))))
        : Optional.empty();
  }

  /** Whether an answer is one. */
  public static boolean isOne(WebAnswer answer) {
    String beginning = text(answer, BEGINNING_READ);
    return !looksLikeData(beginning)
        && (saysHtml(answer) || BEGINNING.matcher(beginning).lookingAt());
  }

  /** Whether a body begins as JSON does: then it is data, whatever type it says it is of. */
  public static boolean looksLikeData(String beginning) {
    return JSON.matcher(beginning).lookingAt();
  }

  private static boolean saysHtml(WebAnswer answer) {
    return answer
        .headers()
        .firstValue("Content-Type")
        .map(type -> type.replaceFirst(";.*", "").strip())
        .filter(
            type ->
                type.equalsIgnoreCase("text/html")
                    || type.equalsIgnoreCase("application/xhtml+xml"))
        .isPresent();
  }

  private static String text(WebAnswer answer, int most) {
    return new String(
        answer.body(), 0, Math.min(answer.body().length, most), StandardCharsets.UTF_8);
  }

  private static String title(WebRequest asked, String body) {
    Matcher found = TITLE.matcher(body);
    if (!found.find()) {
      return "";
    }
    String title =
        SentValues.of(asked).hiddenIn(found.group(1).replaceAll("[\\s\\p{C}]+", " ").strip());
    title = shortened(LONG_WORD.matcher(title).replaceAll("…"), LONGEST_TITLE);
    return title.isEmpty() ? "" : ", titled '%s'".formatted(title);
  }

  private static String shortened(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }
}

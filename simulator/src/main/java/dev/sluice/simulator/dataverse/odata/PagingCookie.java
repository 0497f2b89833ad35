package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.WebApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of a query starts: after a row that held these values in the columns of the order
 * and had this id. Written as the service writes it, an element within an element, each encoded.
 *
 * @param page the number of the page, the first being 1
 * @param after by column name, what the last row of the page before held, as text; null for empty
 * @param id that row's id
 */
public record PagingCookie(int page, Map<String, @Nullable String> after, UUID id) {
  private static final Pattern OUTER =
      Pattern.compile("<cookie pagenumber=\"(\\d+)\" pagingcookie=\"([^\"]*)\" .*/>");
  private static final Pattern COLUMN =
      Pattern.compile("<([a-z0-9_]+) last(?:null=\"1\"|=\"([^\"]*)\") [^>]*/>");

  /** Reads the text of a {@code $skiptoken}, decoded once. */
  static PagingCookie parse(String token) throws WebApiException {
    Matcher outer = OUTER.matcher(token);
    if (!outer.matches()) {
      throw malformed();
    }
    Matcher column = COLUMN.matcher(PercentText.decode(outer.group(2), false));
    List<String> names = new ArrayList<>();
    Map<String, @Nullable String> after = new LinkedHashMap<>();
    while (column.find()) {
      names.add(column.group(1));
      after.put(column.group(1), column.group(2) == null ? null : unescape(column.group(2)));
    }
    try {
      // The id is the last of them: it settles every tie.
      String id = after.remove(names.getLast());
      return new PagingCookie(Integer.parseInt(outer.group(1)), after, Literals.guid("" + id));
    } catch (RuntimeException e) {
      throw malformed();
    }
  }

  /** The text of the {@code $skiptoken} for the page after one that ended with this row. */
  public String token(String idName, UUID first) {
    StringBuilder inner = new StringBuilder("<cookie page=\"").append(page - 1).append("\">");
    after.forEach(
        (name, value) -> {
          if (value == null) {
            inner.append("<%s lastnull=\"1\" firstnull=\"1\" />".formatted(name));
          } else {
            inner.append("<%s last=\"%s\" first=\"\" />".formatted(name, escape(value)));
          }
        });
    inner.append("<%s last=\"{%s}\" first=\"{%s}\" />".formatted(idName, upper(id), upper(first)));
    inner.append("</cookie>");
    return "%3Ccookie%20pagenumber=%22"
        + page
        + "%22%20pagingcookie=%22"
        + PercentText.encode(PercentText.encode(inner.toString()))
        + "%22%20istracking=%22False%22%20/%3E";
  }

  private static String upper(UUID id) {
    return id.toString().toUpperCase(Locale.ROOT);
  }

  private static String escape(String value) {
    return value
        .replace("&", "&amp;")
        .replace("\"", "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;");
  }

  private static String unescape(String value) {
    return value
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }

  /** What is said of a cookie that is not ours. */
  public static WebApiException malformed() {
    return new WebApiException(400, "0x8004112A", "The paging cookie is invalid.");
  }
}

package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client would like: the {@code Prefer} header.
 *
 * @param representation whether the row is wanted back
 * @param maxPageSize rows per page; null for the service's own
 * @param annotations whether formatted values and other extras are wanted
 * @param continueOnError whether a batch goes on after a failure
 */
public record Preferences(
    boolean representation,
    @Nullable Integer maxPageSize,
    boolean annotations,
    boolean continueOnError) {
  private static final Preferences NONE = new Preferences(false, null, false, false);
  private static final Pattern PREFERENCE =
      Pattern.compile("\\s*([^=,;\\s]+)\\s*(?:=\\s*(\"[^\"]*\"|[^,\\s]*))?\\s*");

  /** What these headers ask for; what is not understood is passed over. */
  public static Preferences of(Headers headers) {
    if (headers.first("Prefer") == null) {
      return NONE;
    }
    boolean representation = false;
    boolean annotations = false;
    boolean continueOnError = false;
    Integer pageSize = null;
    for (String header : headers.all("Prefer")) {
      Matcher matcher = PREFERENCE.matcher(header);
      while (matcher.find()) {
        String value = matcher.group(2) == null ? "" : matcher.group(2).replace("\"", "");
        switch (matcher.group(1)) {
          case "return" -> representation = value.equals("representation");
          case "odata.include-annotations" -> annotations = !value.isEmpty();
          case "odata.continue-on-error" -> continueOnError = !value.equals("false");
          case "odata.maxpagesize" -> pageSize = positive(value);
          default -> {} // a preference is a wish
        }
      }
    }
    return new Preferences(representation, pageSize, annotations, continueOnError);
  }

  private static @Nullable Integer positive(String value) {
    try {
      int number = Integer.parseInt(value);
      return number > 0 ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** What is honoured of a query's wishes, as the answer says it; null for nothing. */
  public @Nullable String appliedToQuery() {
    List<String> applied = new ArrayList<>();
    if (maxPageSize != null) {
      applied.add("odata.maxpagesize=" + maxPageSize);
    }
    if (annotations) {
      applied.add("odata.include-annotations=\"*\"");
    }
    return applied.isEmpty() ? null : String.join(",", applied);
  }
}

package dev.sluice.load.mapping;

import dev.sluice.config.ConfigurationException;
import dev.sluice.config.Node;
import dev.sluice.config.Reading;
import dev.sluice.config.Section;
import dev.sluice.config.YamlText;
import dev.sluice.gate.words.Spelling;
import dev.sluice.load.mapping.Mapping.Lookup;
import dev.sluice.load.mapping.Mapping.Rule;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads mappings from YAML.
 *
 * <pre>{@code
 * number: "1.234,56"                                 # how numbers are written
 * yes: [ja, j]                                       # beside true, yes, y, t, on, 1
 * no: [nein]
 * columns:
 *   Company: name                                    # goes to name
 *   Country: {to: new_countryid, lookup: {table: new_country, by: new_code}}
 *   Owner:   {to: ownerid, lookup: systemuser}       # by id
 *   Parent:  {to: parentaccountid, lookup: {same-file: Number}}
 *   Stage:   {to: new_stage, optionset: {Open: 1, Closed: 2}}
 *   Since:   {to: new_since, date: dd.MM.yyyy}
 *   Weight:  {to: new_weight, number: "1,234.56"}    # other than the rest
 *   Rating:  {to: new_rating, default: 3}            # for empty cells or no such column
 *   Number:  {to: accountnumber, key: true}
 *   Remarks: {skip: true}
 * }</pre>
 */
public final class MappingFile {
  private static final String SAME_FILE = "same-file";

  private MappingFile() {}

  /**
   * Reads a file.
   *
   * @throws MappingException if it cannot be read, or there are mistakes in it, each with file,
   *     line, key and what was expected
   */
  public static Mapping read(Path file) throws MappingException {
    try {
      return parse(file.toString(), YamlText.read(file, "mapping file"));
    } catch (ConfigurationException e) {
      throw new MappingException(e.mistakes());
    }
  }

  /** Like {@link #read}, of a text; the name is for messages. */
  public static Mapping parse(String name, String text) throws MappingException {
    Reading reading = Reading.of(name, Spelling::closest);
    try {
      Mapping mapping = mapping(Section.of(text, reading));
      reading.check();
      return mapping;
    } catch (ConfigurationException e) {
      throw new MappingException(e.mistakes());
    }
  }

  private static Mapping mapping(Section root) {
    try (root) {
      Map<String, Rule> rules = new LinkedHashMap<>();
      root.section("columns", "the input's columns, each with its settings,")
          .ifPresent(
              columns -> columns.names().forEach(name -> rules.put(name, rule(columns, name))));
      Optional<NumberFormat> number = number(root);
      List<String> yes = words(root, true, List.of());
      return new Mapping(rules, number, yes, words(root, false, yes));
    }
  }

  /**
   * Reads words for yes or no.
   *
   * @param others those that mean the opposite
   */
  private static List<String> words(Section root, boolean isYes, List<String> others) {
    String key = isYes ? "yes" : "no";
    if (root.has(key) && root.nodes(key).isEmpty()) {
      root.mistake(key, "is an empty list, but a list of words such as [ja, j] is expected");
    }
    return root.list(key, text -> word(text.strip(), isYes, others));
  }

  private static String word(String word, boolean isYes, List<String> others) {
    String opposite = isYes ? "no" : "yes";
    if (word.isEmpty()) {
      throw new IllegalArgumentException("but an empty cell means neither yes nor no");
    }
    if (Booleans.always(word).filter(meant -> meant != isYes).isPresent()) {
      throw new IllegalArgumentException(
          ("which means %s without a mapping; another word is expected, or optionset for one"
                  + " column")
              .formatted(opposite));
    }
    if (others.stream().anyMatch(word::equalsIgnoreCase)) {
      throw new IllegalArgumentException(
          "which is in %s, too; one or the other is expected".formatted(opposite));
    }
    return word;
  }

  private static Rule rule(Section columns, String column) {
    String place = columns.reading().file() + ":" + columns.line(column);
    if (columns.node(column).filter(Node.Scalar.class::isInstance).isPresent()) {
      return new Rule(place, columns.text(column), false);
    }
    Rule rule =
        columns
            .section(column, "the name of a column, or settings")
            .map(settings -> rule(place, settings))
            .orElse(new Rule(place, Optional.empty(), false));
    if (rule.sameFile().isPresent() && rule.fallback().isPresent()) {
      columns.mistake(column, "has a default, which a look-up to the same file cannot have");
    }
    if (rule.skip() && !rule.equals(new Rule(place, Optional.empty(), true))) {
      columns.mistake(
          column, "is skipped, but has other settings, too; one or the other is expected");
    }
    return rule;
  }

  private static Rule rule(String place, Section settings) {
    try (settings) {
      Optional<String> to = settings.text("to", "the name of a column");
      boolean byId = settings.node("lookup").filter(Node.Scalar.class::isInstance).isPresent();
      Optional<Section> lookup =
          byId
              ? Optional.empty()
              : settings.section("lookup", "the name of a table, or table and by");
      Rule rule =
          new Rule(
              place,
              to,
              byId
                  ? settings.text("lookup").map(table -> new Lookup(table, Optional.empty(), false))
                  : lookup.flatMap(MappingFile::lookup),
              lookup.flatMap(keys -> keys.text(SAME_FILE, "a column of the input")),
              options(settings),
              settings.read("date", "a pattern such as dd.MM.yyyy HH:mm", DatePattern::of),
              number(settings),
              settings.text("default", "a value"),
              settings.flag("skip").orElse(false),
              settings.flag("key").orElse(false));
      lookup.ifPresent(Section::close);
      return rule;
    }
  }

  /** A row of another table; empty for one of the same file. */
  private static Optional<Lookup> lookup(Section keys) {
    if (!keys.has(SAME_FILE)) {
      Optional<String> table = keys.required("table", "the name of a table");
      Optional<String> by = keys.text("by", "a column of an alternate key");
      boolean number = keys.flag("number").orElse(false);
      return table.map(name -> new Lookup(name, by, number));
    }
    if (keys.names().size() > 1) {
      keys.mistake(
          SAME_FILE, "does not go with other settings: the row is of the table that is loaded");
    }
    return Optional.empty();
  }

  private static Map<String, Integer> options(Section settings) {
    Map<String, Integer> options = new LinkedHashMap<>();
    settings
        .section("optionset", "labels, each with its number,")
        .ifPresent(
            labels ->
                labels
                    .names()
                    .forEach(
                        label ->
                            labels.integer(label).ifPresent(number -> options.put(label, number))));
    return options;
  }

  private static Optional<NumberFormat> number(Section section) {
    return section.read("number", "a number in quotes such as \"1.234,56\"", NumberFormat::of);
  }
}

package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.words.Spelling;
import dev.sluice.load.mapping.Mapping.Lookup;
import dev.sluice.load.mapping.Mapping.Rule;
import dev.sluice.load.mapping.YamlNode.Branch;
import dev.sluice.load.mapping.YamlNode.Leaf;
import dev.sluice.load.mapping.YamlNode.Sequence;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private static final List<String> SETTINGS =
      List.of("to", "lookup", "optionset", "date", "number", "default", "skip", "key");

  private static final List<String> SECTIONS = List.of("columns", "number", "yes", "no");

  private static final String SAME_FILE = "same-file";

  private final String file;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Rule> rules = new LinkedHashMap<>();
  private final List<String> yes = new ArrayList<>();
  private final List<String> no = new ArrayList<>();
  private @Nullable NumberFormat number;

  private MappingFile(String file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @throws MappingException if it cannot be read, or there are mistakes in it, each with file,
   *     line, key and what was expected
   */
  public static Mapping read(Path file) throws MappingException {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new MappingException(List.of("there is no mapping file " + file));
    } catch (CharacterCodingException e) {
      throw new MappingException(List.of(file + " is not UTF-8, but a mapping file must be"));
    } catch (IOException e) {
      throw new MappingException(
          List.of("the mapping file %s cannot be read: %s".formatted(file, e.getMessage())));
    }
  }

  /** Like {@link #read}, of a text; the name is for messages. */
  public static Mapping parse(String name, String text) throws MappingException {
    MappingFile reading = new MappingFile(name);
    reading.file(YamlNode.parse(name, text));
    if (!reading.problems.isEmpty()) {
      throw new MappingException(reading.problems);
    }
    return new Mapping(reading.rules, Optional.ofNullable(reading.number), reading.yes, reading.no);
  }

  private void file(YamlNode root) {
    for (Map.Entry<String, YamlNode> top : members(root, "the file", "columns: …").entrySet()) {
      String name = top.getKey();
      YamlNode value = top.getValue();
      if (known(name, name, SECTIONS, value)) {
        switch (name) {
          case "number" -> number = number(value, name);
          case "yes" -> words(value, name, yes, no);
          case "no" -> words(value, name, no, yes);
          default ->
              members(value, name, "the input's columns, each with its settings,")
                  .forEach((column, node) -> rules.put(column, rule(column, node)));
        }
      }
    }
  }

  /**
   * Reads words for yes or no.
   *
   * @param others those that mean the opposite, as far as they were read
   */
  private void words(YamlNode node, String path, List<String> words, List<String> others) {
    List<YamlNode> items = node instanceof Sequence list ? list.items() : List.of(node);
    if (items.isEmpty() || node instanceof Branch || node.equals(new Leaf(node.line(), null))) {
      problem(
          node,
          path,
          "is %s, but a list of words such as [ja, j] is expected".formatted(node.kind()));
      return;
    }
    boolean isYes = path.equals("yes");
    String opposite = isYes ? "no" : "yes";
    for (YamlNode item : items) {
      String word = text(item, path, "a word").strip();
      if (Booleans.always(word).filter(meant -> meant != isYes).isPresent()) {
        problem(
            item,
            path,
            ("is '%s', which means %s without a mapping; another word is expected, or optionset for"
                    + " one column")
                .formatted(word, opposite));
      } else if (others.stream().anyMatch(word::equalsIgnoreCase)) {
        problem(
            item,
            path,
            "is '%s', which is in %s, too; one or the other is expected".formatted(word, opposite));
      } else if (!word.isEmpty()) {
        words.add(word);
      } else if (item instanceof Leaf leaf && leaf.text() != null) {
        problem(item, path, "has an empty word, but an empty cell means neither yes nor no");
      }
    }
  }

  private Rule rule(String column, YamlNode node) {
    String place = file + ":" + node.line();
    String path = "columns." + column;
    Rule rule = new Rule(place, Rule.NONE);
    if (node instanceof Leaf leaf && leaf.text() != null) {
      return rule.withTo(leaf.text());
    }
    for (Map.Entry<String, YamlNode> entry :
        members(node, path, "the name of a column, or settings").entrySet()) {
      String setting = path + "." + entry.getKey();
      YamlNode value = entry.getValue();
      if (known(setting, entry.getKey(), SETTINGS, value)) {
        rule =
            switch (entry.getKey()) {
              case "to" -> rule.withTo(text(value, setting, "the name of a column"));
              case "lookup" -> withLookup(rule, value, setting);
              case "optionset" -> rule.withOptions(options(value, setting));
              case "date" -> rule.withDate(date(value, setting));
              case "number" -> rule.withNumber(number(value, setting));
              case "default" -> rule.withFallback(text(value, setting, "a value"));
              case "skip" -> rule.withSkip(flag(value, setting));
              default -> rule.withKey(flag(value, setting));
            };
      }
    }
    if (rule.sameFile().isPresent() && rule.fallback().isPresent()) {
      problem(node, path, "has a default, which a look-up to the same file cannot have");
    }
    if (rule.skip() && !rule.withSkip(false).equals(new Rule(place, Rule.NONE))) {
      problem(node, path, "is skipped, but has other settings, too; one or the other is expected");
    }
    return rule;
  }

  private Rule withLookup(Rule rule, YamlNode node, String path) {
    if (!(node instanceof Branch branch) || !branch.members().containsKey(SAME_FILE)) {
      return rule.withLookup(lookup(node, path));
    }
    YamlNode column = requireNonNull(branch.members().get(SAME_FILE));
    if (branch.members().size() > 1) {
      problem(
          column,
          path + "." + SAME_FILE,
          "does not go with other settings: the row is of the table that is loaded");
    }
    return rule.withSameFile(text(column, path + "." + SAME_FILE, "a column of the input"));
  }

  private @Nullable Lookup lookup(YamlNode node, String path) {
    if (node instanceof Leaf leaf && leaf.text() != null) {
      return new Lookup(leaf.text(), Optional.empty(), false);
    }
    String table = null;
    String by = null;
    boolean number = false;
    for (Map.Entry<String, YamlNode> entry :
        members(node, path, "the name of a table, or table and by").entrySet()) {
      String setting = path + "." + entry.getKey();
      YamlNode value = entry.getValue();
      if (known(setting, entry.getKey(), List.of("table", "by", "number", SAME_FILE), value)) {
        switch (entry.getKey()) {
          case "table" -> table = text(value, setting, "the name of a table");
          case "by" -> by = text(value, setting, "a column of an alternate key");
          default -> number = flag(value, setting);
        }
      }
    }
    if (table == null) {
      problem(node, path + ".table", "is missing; the name of a table is expected");
      return null;
    }
    return new Lookup(table, Optional.ofNullable(by), number);
  }

  private Map<String, Integer> options(YamlNode node, String path) {
    Map<String, Integer> options = new LinkedHashMap<>();
    members(node, path, "labels, each with its number,")
        .forEach(
            (label, value) -> {
              String text = text(value, path + "." + label, "a whole number");
              try {
                options.put(label, Integer.valueOf(text));
              } catch (NumberFormatException e) {
                problem(
                    value,
                    path + "." + label,
                    "is '%s', but a whole number is expected".formatted(text));
              }
            });
    return options;
  }

  private @Nullable DatePattern date(YamlNode node, String path) {
    String text = text(node, path, "a pattern such as dd.MM.yyyy HH:mm");
    try {
      return DatePattern.of(text);
    } catch (IllegalArgumentException e) {
      problem(
          node,
          path,
          "is '%s', but a pattern such as dd.MM.yyyy HH:mm is expected (%s)"
              .formatted(text, e.getMessage()));
      return null;
    }
  }

  private @Nullable NumberFormat number(YamlNode node, String path) {
    String expected = "a number in quotes such as \"1.234,56\"";
    String text = text(node, path, expected);
    try {
      return node instanceof Leaf ? NumberFormat.of(text) : null;
    } catch (IllegalArgumentException e) {
      problem(
          node, path, "is '%s', but %s is expected (%s)".formatted(text, expected, e.getMessage()));
      return null;
    }
  }

  private boolean flag(YamlNode node, String path) {
    String text = text(node, path, "true or false");
    if (!text.equals("true") && !text.equals("false") && !text.isEmpty()) {
      problem(node, path, "is '%s', but true or false is expected".formatted(text));
    }
    return text.equals("true");
  }

  /** A single value; empty if it is none, which is noted. */
  private String text(YamlNode node, String path, String expected) {
    if (node instanceof Leaf leaf && leaf.text() != null) {
      return leaf.text();
    }
    problem(node, path, "is %s, but %s is expected".formatted(node.kind(), expected));
    return "";
  }

  private Map<String, YamlNode> members(YamlNode node, String path, String expected) {
    if (node instanceof Branch branch) {
      return branch.members();
    }
    problem(node, path, "is %s, but %s is expected".formatted(node.kind(), expected));
    return Map.of();
  }

  private boolean known(String path, String name, List<String> names, YamlNode node) {
    if (names.contains(name)) {
      return true;
    }
    String instead =
        Spelling.closest(name, names)
            .map("did you mean %s?"::formatted)
            .orElse("one of %s is expected".formatted(String.join(", ", names)));
    problem(node, path, "is not known; " + instead);
    return false;
  }

  private void problem(YamlNode node, String path, String problem) {
    problems.add("%s:%d: %s %s".formatted(file, node.line(), path, problem));
  }
}

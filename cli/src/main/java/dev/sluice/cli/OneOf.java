package dev.sluice.cli;

import dev.sluice.gate.words.Spelling;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one of a few words, in any case and with hyphens or underscores, as options have them. */
final class OneOf<E extends Enum<E>> implements ITypeConverter<E> {
  private final List<E> values;

  private OneOf(Class<E> type) {
    this.values = Arrays.asList(type.getEnumConstants());
  }

  /** Lets every option of this type be written so. */
  static <E extends Enum<E>> void register(CommandLine line, Class<E> type) {
    line.registerConverter(type, new OneOf<>(type));
  }

  @Override
  public E convert(String typed) {
    String word = word(typed);
    for (E value : values) {
      if (word(value.name()).equals(word)) {
        return value;
      }
    }
    List<String> words = values.stream().map(value -> word(value.name())).toList();
    throw new TypeConversionException(
        "'%s' is none of %s%s"
            .formatted(
                typed,
                String.join(", ", words),
                Spelling.closest(word, words)
                    .map(close -> "; did you mean '%s'?".formatted(close))
                    .orElse("")));
  }

  private static String word(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

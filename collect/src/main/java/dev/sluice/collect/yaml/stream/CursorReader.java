package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.document.Section;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Spans;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code cursor} of a stream. */
final class CursorReader {

  Optional<CursorRule> read(Section stream) {
    return stream
        .section("cursor")
        .flatMap(
            section -> {
              try (section) {
                Optional<String> field =
                    section.required("field", "the member that grows when a record changes");
                CursorType type =
                    section
                        .word("as", CursorType.words())
                        .map(CursorType::named)
                        .orElse(CursorType.TEXT);
                Optional<Spot> ask = section.read("ask", Spot::parse);
                Optional<Duration> overlap = section.read("overlap", Spans::parse);
                if (overlap.isPresent() && !type.isTime()) {
                  section.mistake(
                      "overlap", "needs a cursor that is a time; cursor.as says which kind");
                }
                return field.map(name -> new CursorRule(name, type, ask, overlap));
              }
            });
  }
}

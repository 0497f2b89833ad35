package dev.sluice.load.mapping;

import dev.sluice.load.input.RawRecord;
import dev.sluice.load.mapping.Links.Link;
import dev.sluice.load.mapping.Links.Name;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads names and links out of records. Each column that names are taken from is a list of its own;
 * spaces round a name mean nothing. For one thread.
 */
final class LinkReader {
  /** The columns that names are taken from, each once, in the order of the mapping. */
  private final List<String> listed = new ArrayList<>();

  /** Where they stand; -1 for one that has not come yet. */
  private final int[] positions;

  private final List<Place> links = new ArrayList<>();

  private record Place(int position, LinkColumn column) {}

  LinkReader(Mapping mapping) {
    for (Mapping.Rule rule : mapping.columns().values()) {
      rule.sameFile().filter(column -> list(column) < 0).ifPresent(listed::add);
    }
    positions = new int[listed.size()];
    Arrays.fill(positions, -1);
  }

  /** The number of a column's list; -1 if it has none. */
  int list(String column) {
    for (int i = 0; i < listed.size(); i++) {
      if (listed.get(i).equalsIgnoreCase(column)) {
        return i;
      }
    }
    return -1;
  }

  /** The input has this column. */
  void found(String column, int position) {
    int list = list(column);
    if (list >= 0 && positions[list] < 0) {
      positions[list] = position;
    }
  }

  /** The input has a column with look-ups. */
  void found(LinkColumn column, int position) {
    links.add(new Place(position, column));
  }

  /** Columns that names are taken from, and that the input does not have so far. */
  List<String> missing() {
    return listed.stream().filter(column -> positions[list(column)] < 0).toList();
  }

  Links read(RawRecord record) {
    if (listed.isEmpty() || record.rejection() != null) {
      return Links.NONE;
    }
    List<Name> names = new ArrayList<>(listed.size());
    for (int list = 0; list < positions.length; list++) {
      String name = positions[list] < 0 ? null : text(record, positions[list]);
      if (name != null) {
        names.add(new Name(list, name));
      }
    }
    List<Link> found = new ArrayList<>(links.size());
    for (Place place : links) {
      String name = text(record, place.position());
      if (name != null) {
        found.add(new Link(place.column(), name));
      }
    }
    return new Links(names, found);
  }

  private static @Nullable String text(RawRecord record, int position) {
    String value = record.value(position);
    return value == null || value.isBlank() ? null : value.strip();
  }
}

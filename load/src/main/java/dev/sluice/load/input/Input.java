package dev.sluice.load.input;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Opens inputs: finds out whether they are packed, how their characters are stored, and how records
 * are written down.
 */
public final class Input {
  /** What stands for standard input in place of a file's name. */
  public static final String STANDARD_INPUT = "-";

  /** Small, so that no more is read than is unpacked soon: how far it is tells what is left. */
  private static final int PACKED_BUFFER = 1 << 13;

  private static final int LONGEST_MARK = 4;

  private Input() {}

  /**
   * Opens a file, or standard input.
   *
   * @param source a path, or {@link #STANDARD_INPUT}
   * @throws BadInputException if it is not there, cannot be read, or has no header
   */
  public static RecordReader open(String source, InputOptions options, InputStream standardInput)
      throws IOException {
    if (source.equals(STANDARD_INPUT)) {
      return read("standard input", standardInput, options);
    }
    return read(source, file(source), options);
  }

  /** Opens a file that is read more than once, as a pipe cannot be. */
  public static InputStream regularFile(String source) throws BadInputException {
    if (isPipe(source)) {
      throw new BadInputException(
          source,
          "is no regular file and can be read only once; say - instead, and pipe the records in");
    }
    return file(source);
  }

  private static boolean isPipe(String source) {
    try {
      Path path = Path.of(source);
      return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    } catch (InvalidPathException e) {
      return false; // which opening it tells
    }
  }

  /** Opens a file as it is, with messages that say what is wrong with it. */
  public static InputStream file(String source) throws BadInputException {
    try {
      Path path = Path.of(source);
      if (Files.isDirectory(path)) {
        throw new BadInputException(source, "is a folder, but a file was expected");
      }
      return Files.newInputStream(path);
    } catch (NoSuchFileException e) {
      throw new BadInputException(source, 0, "there is no such file", e);
    } catch (AccessDeniedException e) {
      throw new BadInputException(source, 0, "may not be read by this user", e);
    } catch (BadInputException e) {
      throw e;
    } catch (IOException | InvalidPathException e) {
      throw new BadInputException(source, 0, "cannot be opened: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a stream that is open already, and closes it in the end; also if it cannot be read.
   *
   * @param name for messages, and for the format if it is not given
   */
  public static RecordReader read(String name, InputStream stream, InputOptions options)
      throws IOException {
    try {
      return reader(name, unpacked(name, stream), options);
    } catch (IOException | RuntimeException e) {
      try (stream) {
        throw e;
      }
    }
  }

  private static RecordReader reader(String name, PushbackInputStream in, InputOptions options)
      throws IOException {
    byte[] head = peek(in);
    if (startsWith(head, 'P', 'K', 3, 4)) {
      throw new BadInputException(
          name, "is a ZIP or Excel file, but text was expected; save or unpack it as CSV");
    }
    Charset marked = marked(head);
    if (marked != null) {
      in.skipNBytes(marked.equals(StandardCharsets.UTF_8) ? 3 : 2);
    } else if (options.encoding().isEmpty()
        && head.length >= 2
        && (head[0] == 0) != (head[1] == 0)) {
      throw new BadInputException(
          name,
          1,
          "looks like UTF-16 rather than UTF-8; say --encoding %s"
              .formatted(head[0] == 0 ? "UTF-16BE" : "UTF-16LE"),
          null);
    }
    Charset encoding = marked == null ? options.encoding().orElse(StandardCharsets.UTF_8) : marked;
    DecodedText text = new DecodedText(name, in, encoding);
    if (format(name, text, options) == Format.JSON_LINES) {
      Layout layout = new Layout(Format.JSON_LINES, ',', encoding);
      return new JsonRecords(name, text, layout, options.maxRecord());
    }
    Layout layout = new Layout(Format.CSV, delimiter(name, text, options), encoding);
    return new CsvRecords(name, text, layout, options.maxRecord());
  }

  private static Format format(String name, DecodedText text, InputOptions options)
      throws IOException {
    Optional<Format> said = options.format().or(() -> Format.named(name));
    if (said.isPresent()) {
      return said.get();
    }
    char first = firstCharacter(text.head());
    return first == '{' || first == '[' ? Format.JSON_LINES : Format.CSV;
  }

  private static char delimiter(String name, DecodedText text, InputOptions options)
      throws IOException {
    if (options.delimiter().isPresent()) {
      return options.delimiter().get();
    }
    boolean tabs = Format.unpacked(name).toLowerCase(Locale.ROOT).endsWith(".tsv");
    return tabs ? '\t' : Delimiters.found(text.head());
  }

  /** The first one that is not white; 0 if there is none. */
  static char firstCharacter(CharSequence head) {
    return (char) head.chars().filter(c -> !Character.isWhitespace(c)).findFirst().orElse(0);
  }

  private static PushbackInputStream unpacked(String name, InputStream stream) throws IOException {
    PushbackInputStream in = new PushbackInputStream(stream, LONGEST_MARK);
    if (!startsWith(peek(in), 0x1F, 0x8B)) {
      return in;
    }
    try {
      return new PushbackInputStream(new GZIPInputStream(in, PACKED_BUFFER), LONGEST_MARK);
    } catch (ZipException e) {
      throw new BadInputException(name, 0, "is a damaged gzip file: " + e.getMessage(), e);
    }
  }

  private static byte[] peek(PushbackInputStream in) throws IOException {
    byte[] head = in.readNBytes(LONGEST_MARK);
    in.unread(head);
    return head;
  }

  /** The encoding that a byte order mark tells. */
  private static @Nullable Charset marked(byte[] head) {
    if (startsWith(head, 0xEF, 0xBB, 0xBF)) {
      return StandardCharsets.UTF_8;
    }
    if (startsWith(head, 0xFF, 0xFE)) {
      return StandardCharsets.UTF_16LE;
    }
    return startsWith(head, 0xFE, 0xFF) ? StandardCharsets.UTF_16BE : null;
  }

  private static boolean startsWith(byte[] head, int... mark) {
    for (int i = 0; i < mark.length; i++) {
      if (i >= head.length || (head[i] & 0xFF) != mark[i]) {
        return false;
      }
    }
    return true;
  }
}

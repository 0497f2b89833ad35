package dev.sluice.dataverse;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * What is logged while tests run, as an operator would read it who asked for everything. Kept only
 * between {@link #start} and {@link #lines}. Thread-safe; one test at a time.
 */
public final class RecordedLog implements SLF4JServiceProvider {
  private static final ConcurrentLinkedQueue<String> LINES = new ConcurrentLinkedQueue<>();
  private static volatile boolean recording;

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new BasicMDCAdapter();

  /** Forgets what was recorded, and records from now on. */
  public static void start() {
    LINES.clear();
    recording = true;
  }

  /** The lines since {@link #start} that begin so, in their order; nothing more is recorded. */
  public static List<String> lines(String beginning) {
    recording = false;
    List<String> lines = new ArrayList<>(LINES);
    lines.removeIf(line -> !line.startsWith(beginning));
    return lines;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return Recorder::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  private static final class Recorder extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    Recorder(String loggerName) {
      name = loggerName;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String pattern,
        @Nullable Object @Nullable [] arguments,
        @Nullable Throwable thrown) {
      if (recording) {
        LINES.add(MessageFormatter.basicArrayFormat(pattern, arguments));
      }
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return recording;
    }

    @Override
    public boolean isInfoEnabled() {
      return recording;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }
}

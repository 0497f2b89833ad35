package dev.sluice.gate.http;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Scope;
import dev.sluice.control.signal.QuotaHint.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a dialect found about one limit: text, unread. Numbers, units and clocks are the reader's
 * business, so a dialect says where things stand and in which form, and cannot get them wrong.
 *
 * <pre>{@code
 * Statement.from("X-Shopify-Shop-Api-Call-Limit")
 *     .used(answer.part("X-Shopify-Shop-Api-Call-Limit", '/', 0))
 *     .limit(answer.part("X-Shopify-Shop-Api-Call-Limit", '/', 1))
 * }</pre>
 *
 * <p>Every text is a list, as {@link Answer#header} gives it: an empty one says nothing, and of
 * several different ones the most careful counts. Filled by one dialect, read once; not
 * thread-safe.
 */
public final class Statement {
  /** The longest window that is believed: a limit per year. */
  public static final Duration LONGEST_WINDOW = Duration.ofDays(366);

  private static final int LONGEST_KEY = 64;

  /** A wait's text, and how it is spelt. */
  record Told(List<String> text, WaitForm form) {}

  private final String source;
  private String key = "";
  private Reach reach = Reach.PROVIDER;
  private Unit unit = Unit.REQUESTS;
  private List<String> limit = List.of();
  private List<String> remaining = List.of();
  private List<String> used = List.of();
  private List<String> refill = List.of();
  private @Nullable Told window;
  private final List<Told> resets = new ArrayList<>(1);
  private final List<Told> waits = new ArrayList<>(1);
  private boolean unreadable;

  private Statement(String source) {
    this.source = requireNonNull(source, "source");
  }

  /** Begins a statement read from a header; its name is kept as evidence. */
  public static Statement from(String header) {
    return new Statement(header);
  }

  /** The policy's, bucket's or resource's name; cut at 64 characters. None unless told. */
  public Statement key(String name) {
    key = name.length() > LONGEST_KEY ? name.substring(0, LONGEST_KEY) : name;
    return this;
  }

  /** How far the limit reaches; the whole provider unless told. */
  public Statement reach(Reach how) {
    reach = requireNonNull(how, "reach");
    return this;
  }

  /** What is counted; requests unless told. */
  public Statement unit(Unit what) {
    unit = requireNonNull(what, "unit");
    return this;
  }

  /** Units per window, or a bucket's capacity. */
  public Statement limit(List<String> text) {
    limit = List.copyOf(text);
    return this;
  }

  /** Units left. */
  public Statement remaining(List<String> text) {
    remaining = List.copyOf(text);
    return this;
  }

  /** Units used: with the limit it gives what remains, with what remains it gives the limit. */
  public Statement used(List<String> text) {
    used = List.copyOf(text);
    return this;
  }

  /** When some quota returns. Told more than once, the first that is usable counts. */
  public Statement reset(List<String> text, WaitForm form) {
    if (!text.isEmpty()) {
      resets.add(new Told(List.copyOf(text), requireNonNull(form, "form")));
    }
    return this;
  }

  /** The window's length, or the time between two refills of a bucket. */
  public Statement window(List<String> text, WaitForm form) {
    window = text.isEmpty() ? window : new Told(List.copyOf(text), form);
    return this;
  }

  /**
   * The window's length, where the service's documentation tells it and its answers do not: at
   * least a millisecond, at most {@link #LONGEST_WINDOW}.
   */
  public Statement window(Duration length) {
    if (length.compareTo(Duration.ofMillis(1)) < 0 || length.compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "window is " + length + ", but must be between 1 ms and 366 days (a limit's period)");
    }
    return window(List.of(Long.toString(length.toMillis())), WaitForm.DELTA_MILLIS);
  }

  /**
   * Units that come back each {@link #window}: that makes it a bucket, filled in limit ÷ refill.
   */
  public Statement refill(List<String> text) {
    refill = List.copyOf(text);
    return this;
  }

  /** An explicit "not before". */
  public Statement retryAfter(List<String> text, WaitForm form) {
    if (!text.isEmpty()) {
      waits.add(new Told(List.copyOf(text), requireNonNull(form, "form")));
    }
    return this;
  }

  /** The header is there, but nothing can be made of it. */
  public Statement unreadable() {
    unreadable = true;
    return this;
  }

  boolean isUnreadable() {
    return unreadable;
  }

  boolean tellsWait() {
    return !waits.isEmpty();
  }

  boolean tellsQuota() {
    return !(limit.isEmpty() && remaining.isEmpty() && used.isEmpty() && resets.isEmpty());
  }

  Scope scope() {
    return new Scope(reach, key, unit, source);
  }

  String key() {
    return key;
  }

  List<String> limit() {
    return limit;
  }

  List<String> remaining() {
    return remaining;
  }

  List<String> used() {
    return used;
  }

  List<String> refill() {
    return refill;
  }

  @Nullable Told window() {
    return window;
  }

  List<Told> resets() {
    return resets;
  }

  List<Told> waits() {
    return waits;
  }

  @Override
  public String toString() {
    return "statement from " + source;
  }
}

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.request.Revalidation;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.runs.run.Reason;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** A listed stream of a connector file, configured. */
public final class DeclaredList implements ListStream {
  /**
   * How far the horizon lies back. If our clock is ahead of the provider's by less than this,
   * catch-up still ends where the provider has already been, and nothing falls between the modes.
   */
  static final Duration MARGIN = Duration.ofHours(1);

  private final StreamRule rule;
  private final Slices slices;
  private final Optional<Retention> retention;
  private final Names names;
  private final List<String> splits;
  private final List<DetailStream> details;
  private final Optional<Revalidation> revalidation;

  /**
   * A stream with what was configured.
   *
   * @param detailRules what is fetched for each of its records
   * @param provider how all of its streams are asked for
   * @param revalidation what asks first whether a page has changed
   */
  public DeclaredList(
      StreamRule rule,
      List<StreamRule> detailRules,
      RequestForm provider,
      Names names,
      Optional<Revalidation> revalidation)
      throws ProviderException {
    this.rule = rule;
    this.names = names;
    this.revalidation = revalidation;
    rule.asking().at(provider).checkHeaders(names);
    for (StreamRule detail : detailRules) {
      detail.asking().at(provider).checkHeaders(names);
    }
    this.slices = rule.slices(rule.asking().at(provider), names);
    this.retention = rule.kept(names);
    this.splits = rule.split().isPresent() ? rule.split().get().parts(names) : List.of("");
    this.details =
        detailRules.stream()
            .<DetailStream>map(detail -> new DeclaredDetail(detail, rule.split(), provider, names))
            .toList();
  }

  @Override
  public StreamShape shape() {
    return shape(rule);
  }

  static StreamShape shape(StreamRule rule) {
    return new StreamShape(
        rule.name(), rule.form().key().members(), rule.form().cursor().map(CursorRule::field));
  }

  @Override
  public List<String> splits() {
    return splits;
  }

  @Override
  public Optional<String> horizon(Instant now) {
    if (rule.catchUp().isEmpty()) {
      return Optional.empty();
    }
    Instant place = now.minus(MARGIN).truncatedTo(ChronoUnit.SECONDS);
    return rule.window()
        .map(window -> window.format().write(window.floor(place)))
        .or(() -> rule.form().cursor().map(cursor -> cursor.type().of(place)));
  }

  @Override
  public Duration interval() {
    return rule.interval();
  }

  @Override
  public List<DetailStream> details() {
    return details;
  }

  @Override
  public Optional<String> beginningOf(Optional<String> cursor) {
    return slices.beginningOf(cursor);
  }

  @Override
  public boolean canShrink(SliceStart start) {
    return slices.canShrink(start);
  }

  @Override
  public SliceEnd read(SliceStart start, Requests requests, Records records)
      throws ProviderException, ReadAgainException, IOException, InterruptedException {
    try {
      slices.check(start);
    } catch (IllegalArgumentException e) {
      throw new ProviderException(
          Reason.Failure.INVALID,
          ProviderException.NO_STATUS,
          "the bookmark of %s was written with another connector file; put back that file, or start anew"
              .formatted(rule.name()));
    }
    if (retention.isPresent()) {
      retention.get().check(rule.name(), start);
    }
    Names within = rule.split().map(split -> split.within(names, start.split())).orElse(names);
    return slices.read(
        start,
        within,
        revalidation.map(asking -> asking.over(requests, rule::keepable)).orElse(requests),
        records);
  }

  @Override
  public String toString() {
    return "stream " + rule.name();
  }
}

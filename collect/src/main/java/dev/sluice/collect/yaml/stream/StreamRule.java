package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.BrokenAnswerException;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.paging.Pages;
import dev.sluice.collect.yaml.paging.PagesShiftedException;
import dev.sluice.collect.yaml.paging.SeekPages;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.PageReader;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.gate.wire.WebAnswer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * A stream as a connector file declares it. Immutable.
 *
 * @param asking how it is asked for
 * @param token what a provider tells changes by; empty if it is asked for by values, or whole
 * @param retention for how long its provider has what it once had; empty for ever
 * @param parent the stream whose records it has details of; empty if it is listed by itself
 * @param onlyIf of which parents it has details
 * @param redoWhen the member of a parent that changes when its details do
 * @param gone with which statuses a provider says that there are none, ever
 */
public record StreamRule(
    String name,
    RequestRule asking,
    JsonPath records,
    RecordForm form,
    Optional<TokenRule> token,
    Pages pages,
    Optional<SplitRule> split,
    Optional<WindowRule> window,
    Optional<CatchUp> catchUp,
    Duration interval,
    Optional<Duration> retention,
    Optional<String> parent,
    Optional<Condition> onlyIf,
    Optional<String> redoWhen,
    List<Integer> gone) {

  /** Whether its records can be told apart. */
  public boolean isKeyed() {
    return !form.key().members().isEmpty();
  }

  /**
   * Whether a page says all that it says in its body, so that an unchanged body is an unchanged
   * page. One that a header ends is full by chance: the next record comes on a page behind it.
   */
  boolean keepable(URI uri, WebAnswer answer) {
    if (!pages.tellsByHeader()) {
      return true;
    }
    try {
      Page page = reader().page(uri, answer);
      return (pages instanceof SeekPages seek && page.records().size() < seek.size())
          || pages.begin().after(page).isPresent();
    } catch (ProviderException | BrokenAnswerException | PagesShiftedException e) {
      return false;
    }
  }

  /** What reads its pages. */
  PageReader reader() {
    return new PageReader(records, form.keyInAnswers(), this::state);
  }

  /** Changes are told apart by all that they say, records in a list by when they changed. */
  private Object state(ObjectNode record) {
    return token.isPresent() ? record : form.cursor().<Object>map(at -> at.in(record)).orElse("");
  }

  /** In which pieces it is read. */
  Slices slices(RequestForm request, Names names) throws ProviderException {
    PageReader reader = reader();
    Optional<String> from = from(names);
    AllPages all = new AllPages(request, reader, pages);
    if (window.isPresent()) {
      return new WindowSlices(all, window.get(), form, from, newestFirst());
    }
    if (token.isPresent()) {
      return new TokenSlices(request, reader, pages, token.get(), form);
    }
    Optional<CursorRule> cursor = form.cursor();
    Beginning beginning = new Beginning(cursor, from);
    if (pages instanceof SeekPages seek && cursor.isPresent()) {
      return new SeekSlices(request, reader, seek, cursor.get(), beginning, form);
    }
    return pages.resumable()
        ? new PageSlices(request, reader, pages, beginning, form)
        : new WholeSlices(all, beginning, form);
  }

  /** Where catch-up begins, as a value of the cursor; empty for the beginning of all. */
  private Optional<String> from(Names names) throws ProviderException {
    if (catchUp.isEmpty() || catchUp.get().from().isEmpty()) {
      return Optional.empty();
    }
    String configured = catchUp.get().from().get().render(names);
    return Optional.of(
        window.isEmpty() && form.cursor().isPresent()
            ? form.cursor().get().type().converted(configured)
            : configured);
  }

  private boolean newestFirst() {
    return catchUp.isPresent() && catchUp.get().newestFirst();
  }

  /** How far back it can be asked for; empty if there is no end to it. */
  Optional<Retention> kept(Names names) throws ProviderException {
    if (retention.isEmpty()) {
      return Optional.empty();
    }
    Function<String, Instant> time =
        window.isPresent()
            ? window.get().format()::read
            : form.cursor().orElseThrow().type()::instant;
    return Optional.of(
        new Retention(retention.get(), from(names), window.isPresent(), newestFirst(), time));
  }

  /**
   * What was there before.
   *
   * @param from where it begins; empty for the beginning of all
   * @param newestFirst whether its latest part is read first
   */
  record CatchUp(Optional<Template> from, boolean newestFirst) {}
}

package dev.sluice.collect.yaml.stream;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stream as a connector file declares it. Immutable.
 *
 * @param parent the stream whose records it has details of; empty if it is listed by itself
 * @param onlyIf of which parents it has details
 * @param redoWhen the member of a parent that changes when its details do
 * @param gone with which statuses a provider says that there are none, ever
 */
public record StreamRule(
    String name,
    Template path,
    Map<String, Template> query,
    Map<String, Template> headers,
    JsonPath records,
    RecordForm form,
    Pages pages,
    Optional<SplitRule> split,
    Optional<WindowRule> window,
    Optional<CatchUp> catchUp,
    Duration interval,
    Optional<String> parent,
    Optional<Condition> onlyIf,
    Optional<String> redoWhen,
    List<Integer> gone) {

  /** How a stream is asked for at a provider. */
  RequestForm request(RequestForm provider) {
    Map<String, Template> fields = new LinkedHashMap<>(provider.headers());
    fields.putAll(headers);
    return new RequestForm(
        provider.base(), path, query, fields, provider.timeout(), provider.hidden());
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
      Page page = new PageReader(records, form.key()).page(uri, answer);
      return (pages instanceof SeekPages seek && page.records().size() < seek.size())
          || pages.begin().after(page).isPresent();
    } catch (ProviderException | PagesShiftedException e) {
      return false;
    }
  }

  /** In which pieces it is read. */
  Slices slices(RequestForm request, Names names) throws ProviderException {
    PageReader reader = new PageReader(records, form.key());
    Optional<String> from = Optional.empty();
    if (catchUp.isPresent() && catchUp.get().from().isPresent()) {
      from = Optional.of(catchUp.get().from().get().render(names));
    }
    AllPages all = new AllPages(request, reader, pages);
    if (window.isPresent()) {
      boolean newestFirst = catchUp.isPresent() && catchUp.get().newestFirst();
      return new WindowSlices(all, window.get(), form, from, newestFirst);
    }
    Optional<CursorRule> cursor = form.cursor();
    if (cursor.isPresent() && from.isPresent()) {
      from = Optional.of(cursor.get().type().converted(from.get()));
    }
    Beginning beginning = new Beginning(cursor, from);
    if (pages instanceof SeekPages seek && cursor.isPresent()) {
      return new SeekSlices(request, reader, seek, cursor.get(), beginning, form);
    }
    return pages.resumable()
        ? new PageSlices(request, reader, pages, beginning, form)
        : new WholeSlices(all, beginning, form);
  }

  /**
   * What was there before.
   *
   * @param from where it begins; empty for the beginning of all
   * @param newestFirst whether its latest part is read first
   */
  record CatchUp(Optional<Template> from, boolean newestFirst) {}
}

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.yaml.paging.LoopGuard;
import dev.sluice.collect.yaml.paging.Pages;
import dev.sluice.collect.yaml.paging.PagesShiftedException;
import dev.sluice.collect.yaml.paging.Walk;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.PageReader;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Names;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goes through all pages of something. It counts only if nothing can have slipped through: if pages
 * shifted meanwhile, all of it has to be read again. Immutable.
 */
record AllPages(RequestForm form, PageReader reader, Pages pages) {

  /** Takes records as they come. */
  interface Taker {
    void accept(ObjectNode record) throws ProviderException, IOException, InterruptedException;
  }

  /** Looks at a page before its records are taken. */
  interface Watch {
    /** Nothing to look for. */
    Watch NONE = (page, number) -> {};

    void see(Page page, int number) throws ReadAgainException;
  }

  /** Reads everything that is asked for. */
  void read(Names names, Map<Spot, String> asked, Requests requests, Taker taker, Watch watch)
      throws ProviderException, ReadAgainException, IOException, InterruptedException {
    try {
      walk(names, asked, requests, taker, watch);
    } catch (PagesShiftedException shifted) {
      throw ReadAgainException.shifted(
          "pages shifted while they were read (%s)".formatted(shifted.getMessage()));
    }
  }

  private void walk(
      Names names, Map<Spot, String> asked, Requests requests, Taker taker, Watch watch)
      throws ProviderException,
          ReadAgainException,
          IOException,
          InterruptedException,
          PagesShiftedException {
    Walk walk = pages.begin();
    Map<Spot, String> first = new LinkedHashMap<>(asked);
    first.putAll(walk.first());
    Page page = reader.read(requests, form.asking(names, first));
    OptionalLong total = pages.total(page);
    boolean counts = total.isPresent() && !reader.key().members().isEmpty();
    Set<String> keys = new HashSet<>();
    ObjectNode last = null;
    LoopGuard guard = LoopGuard.START;
    for (int number = 1; ; number++) {
      watch.see(page, number);
      if (!pages.total(page).equals(total)) {
        throw new PagesShiftedException("the total changed between two pages");
      }
      // Before the records are taken: a page that does not fit is not to be counted.
      Optional<Walk.Step> step = walk.after(page);
      for (ObjectNode record : page.records()) {
        if (!isOverlap(record, last)) {
          taker.accept(record);
        }
      }
      last = page.records().isEmpty() ? last : page.records().getLast();
      if (counts) {
        keys.addAll(page.keys());
      }
      if (step.isEmpty()) {
        break;
      }
      guard = guard.next(step.get().token(), page);
      page = following(page, step.get(), names, asked, requests);
    }
    if (counts && total.getAsLong() != keys.size()) {
      throw new PagesShiftedException(
          "there were %,d records instead of %,d".formatted(keys.size(), total.getAsLong()));
    }
  }

  /**
   * Pages that are told apart by an offset begin with the record that the one before ended with.
   */
  private boolean isOverlap(ObjectNode record, @Nullable ObjectNode last) {
    return !reader.key().members().isEmpty() && record.equals(last);
  }

  private Page following(
      Page page, Walk.Step step, Names names, Map<Spot, String> asked, Requests requests)
      throws ProviderException, IOException, InterruptedException, PagesShiftedException {
    try {
      return reader.read(requests, form.following(page, step.next(), names, asked));
    } catch (ProviderException refused) {
      if (pages.restartsWhenTokenDies() && PageSlices.DEAD_TOKEN.contains(refused.status())) {
        throw new PagesShiftedException("a page's token was no longer taken");
      }
      throw refused;
    }
  }
}

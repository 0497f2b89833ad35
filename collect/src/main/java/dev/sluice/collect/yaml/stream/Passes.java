package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goes through all pages of something, and again from the first if they shifted meanwhile: a pass
 * counts only if nothing can have slipped through. What an earlier pass has handed on and has not
 * changed is not handed on again. Immutable.
 */
record Passes(RequestForm form, PageReader reader, Pages pages) {
  private static final int MOST = 10;

  /** Takes records as they come. */
  interface Taker {
    void accept(ObjectNode record) throws ProviderException, IOException, InterruptedException;
  }

  /** Looks at a page before its records are taken. */
  interface Watch {
    /** Nothing to look for. */
    Watch NONE = (page, number) -> {};

    void see(Page page, int number) throws WindowTooLargeException;
  }

  /** Reads everything that is asked for. */
  void read(Names names, Map<Spot, String> asked, Requests requests, Taker taker)
      throws ProviderException, IOException, InterruptedException {
    try {
      read(names, asked, requests, taker, Watch.NONE);
    } catch (WindowTooLargeException e) {
      throw new IllegalStateException("nobody watches", e);
    }
  }

  /** The same under somebody's eyes. */
  void read(Names names, Map<Spot, String> asked, Requests requests, Taker taker, Watch watch)
      throws ProviderException, IOException, InterruptedException, WindowTooLargeException {
    Map<String, Integer> handedOn = new HashMap<>();
    String shift = "";
    for (int pass = 0; pass < MOST; pass++) {
      try {
        pass(names, asked, requests, once(taker, handedOn), watch);
        return;
      } catch (PagesShiftedException shifted) {
        shift = String.valueOf(shifted.getMessage());
      }
    }
    throw ProviderException.unexpected(
        "pages kept shifting while they were read, %d times in a row (%s); smaller windows help"
            .formatted(MOST, shift));
  }

  private Taker once(Taker taker, Map<String, Integer> handedOn) {
    return record -> {
      String key = reader.key().of(record);
      int content = record.hashCode();
      Integer before = key.isEmpty() ? null : handedOn.put(key, content);
      if (before == null || before != content) {
        taker.accept(record);
      }
    };
  }

  private void pass(
      Names names, Map<Spot, String> asked, Requests requests, Taker taker, Watch watch)
      throws ProviderException,
          IOException,
          InterruptedException,
          PagesShiftedException,
          WindowTooLargeException {
    Walk walk = pages.begin();
    Map<Spot, String> first = new LinkedHashMap<>(asked);
    first.putAll(walk.first());
    Page page = reader.read(requests, form.asking(names, first));
    OptionalLong total = pages.total(page);
    Set<String> keys = new HashSet<>();
    LoopGuard guard = LoopGuard.START;
    for (int number = 1; ; number++) {
      watch.see(page, number);
      if (!pages.total(page).equals(total)) {
        throw new PagesShiftedException("the total changed between two pages");
      }
      // Before the records are taken: a page that does not fit is not to be counted.
      Optional<Walk.Step> step = walk.after(page);
      for (ObjectNode record : page.records()) {
        taker.accept(record);
      }
      keys.addAll(page.keys());
      if (step.isEmpty()) {
        break;
      }
      guard = guard.next(step.get().token(), page.records().size());
      page = following(page, step.get(), names, asked, requests);
    }
    if (total.isPresent()
        && !reader.key().members().isEmpty()
        && total.getAsLong() != keys.size()) {
      throw new PagesShiftedException(
          "there were %,d records instead of %,d".formatted(keys.size(), total.getAsLong()));
    }
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

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.text.Names;
import java.io.IOException;
import java.util.Optional;

/**
 * All pages are one slice, for pages that are told apart by their position: a page number means
 * nothing to a later run.
 */
record WholeSlices(AllPages pages, Beginning beginning, RecordForm records) implements Slices {

  @Override
  public void check(SliceStart start) {
    beginning.check(start, start.cursor());
  }

  @Override
  public SliceEnd read(SliceStart start, Names names, Requests requests, Records out)
      throws ProviderException, ReadAgainException, IOException, InterruptedException {
    Optional<String> at = beginning.at(start, start.cursor());
    Optional<String> stop = beginning.stop(start);
    Outlet outlet = new Outlet(records, names, out, stop, start.now());
    pages.read(
        names,
        beginning.asking(beginning.asked(start, at)),
        requests,
        outlet::accept,
        AllPages.Watch.NONE);
    return new SliceEnd(stop.or(() -> outlet.latest(at)), false);
  }
}

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.paging.SeekPages;
import dev.sluice.collect.yaml.request.PageReader;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.text.Names;
import java.io.IOException;

/**
 * Always the first page from the last value on. Records that share a page's last value are left to
 * the next slice, which has all of them: no bookmark falls between equal values.
 */
record SeekSlices(
    RequestForm form,
    PageReader reader,
    SeekPages pages,
    CursorRule cursor,
    Beginning beginning,
    RecordForm records)
    implements Slices {

  @Override
  public void check(SliceStart start) {
    beginning.check(start, start.cursor());
  }

  @Override
  public SliceEnd read(SliceStart start, Names names, Requests requests, Records out)
      throws ProviderException, IOException, InterruptedException {
    Outlet outlet = new Outlet(records, names, out, beginning.stop(start), start.now());
    return new Seek(this, start, names, requests, outlet).read();
  }
}

package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.QuotaHeaders;
import dev.sluice.simulator.provider.ServiceOptions;

/**
 * A provider.
 *
 * @param service what each account may do, and how it is told
 * @param quota in which headers answers tell what is left
 * @param catalogue what there is to read
 * @param paging how lists are cut
 * @param pageSize how many are on a page that does not ask for another number; 1 to 250
 * @param credentials who may ask
 */
public record ProviderOptions(
    ServiceOptions service,
    QuotaHeaders quota,
    CatalogueOptions catalogue,
    Paging paging,
    int pageSize,
    Credentials credentials) {
  /** The most that a page can be asked to hold. */
  public static final int MOST_PER_PAGE = 250;

  /** A thousand items for anybody, without limits, a hundred to a page. */
  public static final ProviderOptions DEFAULTS =
      new ProviderOptions(
          ServiceOptions.DEFAULTS,
          QuotaHeaders.NONE,
          CatalogueOptions.DEFAULTS,
          Paging.CURSOR,
          100,
          Credentials.NONE);

  public ProviderOptions {
    if (pageSize < 1 || pageSize > MOST_PER_PAGE) {
      throw new IllegalArgumentException(
          "pageSize is " + pageSize + ", but must be 1 to " + MOST_PER_PAGE + " (items on a page)");
    }
  }

  /** The same with another service. */
  public ProviderOptions withService(ServiceOptions value) {
    return new ProviderOptions(value, quota, catalogue, paging, pageSize, credentials);
  }

  /** The same with other quota headers. */
  public ProviderOptions withQuota(QuotaHeaders value) {
    return new ProviderOptions(service, value, catalogue, paging, pageSize, credentials);
  }

  /** The same with another catalogue. */
  public ProviderOptions withCatalogue(CatalogueOptions value) {
    return new ProviderOptions(service, quota, value, paging, pageSize, credentials);
  }

  /** The same with pages cut otherwise. */
  public ProviderOptions withPaging(Paging value, int size) {
    return new ProviderOptions(service, quota, catalogue, value, size, credentials);
  }

  /** The same with other credentials. */
  public ProviderOptions withCredentials(Credentials value) {
    return new ProviderOptions(service, quota, catalogue, paging, pageSize, value);
  }
}

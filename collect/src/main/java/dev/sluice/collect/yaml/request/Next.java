package dev.sluice.collect.yaml.request;

import java.util.Map;

/** How the page after one is asked for. */
public sealed interface Next {

  /** By an address that the provider gave, followed as it is. */
  record Link(String address) implements Next {}

  /** Like the first page, with these values set. */
  record Asked(Map<Spot, String> values) implements Next {
    public Asked {
      values = Map.copyOf(values);
    }
  }
}

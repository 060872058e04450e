// The retailer whose pages have pictures of products: its hosts, and the way to them.
import { directConnections, proxyConnections, standInConnections } from "#http/outgoing.ts";
import { createSafeFetch, type SafeFetch } from "#http/safe-fetch.ts";

export type RetailerConfig = {
  /** Hosts of product pages. */
  readonly hosts: readonly string[];
  /** Hosts of pictures, also for browsers. */
  readonly imageHosts: readonly string[];
  /** The proxy for calls to them; null for none. */
  readonly proxy: string | null;
  /** Takes the place of all these hosts, never in production; null for the real ones. */
  readonly standIn: string | null;
};

export type Retailer = {
  readonly hosts: ReadonlySet<string>;
  readonly imageHosts: ReadonlySet<string>;
  readonly fetch: SafeFetch;
};

export function createRetailer(config: RetailerConfig): Retailer {
  const { proxy, standIn } = config;
  const open =
    standIn !== null
      ? standInConnections(new URL(standIn))
      : proxy !== null
        ? proxyConnections(new URL(proxy))
        : directConnections();
  return {
    hosts: new Set(config.hosts),
    imageHosts: new Set(config.imageHosts),
    fetch: createSafeFetch(open),
  };
}

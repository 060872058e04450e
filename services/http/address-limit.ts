// Limits how much one address may ask for without signing in, counted in memory: a row for each would cost more than the call.
import { isIPv6 } from "node:net";
import { networkOf, wideNetworkOf } from "#identity/networks.ts";

/** So much at once; what was used grows back evenly in this time. */
export type AddressRule = { readonly most: number; readonly perMs: number };

/** Takes from what the address has left. Returns the milliseconds until there would be enough; 0 if there was. */
export type AddressLimit = (address: string, cost?: number) => number;

/** One customer may use every /64 of a /48. */
const WIDE_FACTOR = 4;
const MOST_REMEMBERED = 10_000;

/** An IPv6 address counts as its /64, and also as its /48. What is refused costs nothing. */
export function createAddressLimit(
  clock: () => Date,
  { most, perMs }: AddressRule,
  mostRemembered = MOST_REMEMBERED,
): AddressLimit {
  /** What a network has used and has not grown back yet. */
  const uses = new Map<string, { used: number; at: number }>();

  function usedBy(network: string, limit: number, now: number): number {
    const { used, at } = uses.get(network) ?? { used: 0, at: now };
    return Math.max(0, used - (Math.max(0, now - at) / perMs) * limit);
  }

  return (address, cost = 1) => {
    const now = clock().getTime();
    const networks = [
      { network: networkOf(address), limit: most },
      ...(isIPv6(address) ? [{ network: wideNetworkOf(address), limit: most * WIDE_FACTOR }] : []),
    ].map(({ network, limit }) => ({ network, limit, used: usedBy(network, limit, now) }));
    const waits = networks.map(({ limit, used }) => ((used + cost - limit) / limit) * perMs);
    const wait = Math.max(0, ...waits);
    for (const { network, used } of networks) {
      // At the end, so that those who asked for nothing for longest are forgotten first.
      uses.delete(network);
      uses.set(network, { used: wait > 0 ? used : used + cost, at: now });
    }
    for (const [oldest] of uses) {
      if (uses.size <= mostRemembered) {
        break;
      }
      uses.delete(oldest);
    }
    return wait;
  };
}

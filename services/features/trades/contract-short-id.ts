// What people call a trade on every screen, in files, in letters and on parcels.

/** "3f2a91bc": the first eight characters of its id, as they are; "unknown" without one. */
export function shortTradeId(tradeId: string): string {
  return tradeId === "" ? "unknown" : tradeId.slice(0, 8);
}

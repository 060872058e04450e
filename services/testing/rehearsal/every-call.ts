// One request of every call that can be rehearsed, in a store where each of them would be carried out.
import type { RehearsedCall } from "#testing/rehearsal/call.ts";
import {
  monthCalls,
  settingsCalls,
  shipmentCalls,
  tillCalls,
  userCalls,
} from "#testing/rehearsal/desk-calls.ts";
import { inventoryCalls, moneyCalls } from "#testing/rehearsal/stock-calls.ts";
import { offerCalls, problemCalls, shippingCalls } from "#testing/rehearsal/trade-calls.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";

/** Different calls are about different things, so that all of them are possible at once. */
export async function everyCall(store: TradeShop): Promise<RehearsedCall[]> {
  return (
    await Promise.all([
      inventoryCalls(store),
      moneyCalls(store),
      offerCalls(store),
      shippingCalls(store),
      problemCalls(store),
      shipmentCalls(store),
      settingsCalls(store),
      userCalls(store),
      monthCalls(store),
    ])
  )
    .flat()
    .concat(tillCalls(store));
}

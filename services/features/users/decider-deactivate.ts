// Decides the deletion of an account: not while money, stock, an open shipment or an open trade is left, and never the last admin's.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { formatCents } from "#ledger/money.ts";
import { consignorStream, consignorStreamId } from "#features/accounts/streams.ts";
import { itemStreamId, itemStream } from "#features/inventory/streams.ts";
import { shortShipmentId } from "#features/shipments/streams.ts";
import type { NotSettled } from "#features/users/contract-people.ts";
import { refuseDeleted, refuseLastAdmin } from "#features/users/decider.ts";
import { UserDeactivated } from "#features/users/events.ts";
import { openTradesOf, shortTradeId, traderStreamId } from "#features/trades/streams.ts";
import { ADMINS, usernameStreamId, userStream, userStreamId } from "#features/users/streams.ts";

export type DeactivateUser = {
  readonly uid: string;
  /** The person's items according to the read tables; each is checked again here. */
  readonly itemIds: readonly string[];
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type UserGone = { readonly uid: string };

const MAX_NAMED = 5;

/** "open trades 3f2a91bc, 0d41e7f2", with at most five ids. */
function open(noun: string, shortIds: readonly string[]): string {
  const named = shortIds.slice(0, MAX_NAMED).join(", ");
  const more = shortIds.length > MAX_NAMED ? `, and ${shortIds.length - MAX_NAMED} more` : "";
  return `open ${noun}${shortIds.length === 1 ? "" : "s"} ${named}${more}`;
}

/** "$12.50 of balance, $5.00 of waiting payouts, 3 units in stock and open trade 3f2a91bc". */
export function leftOver(left: NotSettled): string {
  const { balanceCents, pendingCents, units, shipmentIds, tradeIds } = left;
  const parts = [
    ...(balanceCents === 0 ? [] : [`${formatCents(balanceCents)} of balance`]),
    ...(pendingCents === 0 ? [] : [`${formatCents(pendingCents)} of waiting payouts`]),
    ...(units === 0 ? [] : [`${units} ${units === 1 ? "unit" : "units"} in stock`]),
    ...(shipmentIds.length === 0 ? [] : [open("shipment", shipmentIds.map(shortShipmentId))]),
    ...(tradeIds.length === 0 ? [] : [open("trade", tradeIds.map(shortTradeId))]),
  ];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** Rejects 409 `user_deleted`, `last_admin`, and `user_not_settled` with what is left. */
export const deactivateUser: Decider<DeactivateUser, UserGone> = {
  type: "DeactivateUser",
  streams: ({ uid, itemIds }) => [
    userStreamId(uid),
    ADMINS,
    consignorStreamId(uid),
    traderStreamId(uid),
    ...itemIds.map(itemStreamId),
  ],
  more: ({ uid }, states) => {
    const { username } = states.get(userStream, userStreamId(uid)).state;
    return username === null ? [] : [usernameStreamId(username)];
  },
  decide: ({ uid, itemIds, noteId, happenedAt }, states) => {
    const { state } = states.get(userStream, userStreamId(uid));
    if (state.deactivatedAt !== null) {
      return refuseDeleted;
    }
    const refusal = refuseLastAdmin(states, uid);
    if (refusal !== null) {
      return refusal;
    }
    const money = states.get(consignorStream, consignorStreamId(uid)).state;
    const left: NotSettled = {
      balanceCents: money.availableCents,
      pendingCents: money.inTransitCents,
      units: itemIds
        .map((id) => states.get(itemStream, itemStreamId(id)).state)
        .reduce((sum, item) => sum + (item.ownerUid === uid ? item.quantity : 0), 0),
      shipmentIds: [...state.openShipments],
      tradeIds: [...openTradesOf(states, uid)],
    };
    const words = leftOver(left);
    if (words !== "") {
      const message = `This user cannot be deleted yet: ${words} left`;
      return reject(409, "user_not_settled", message, left);
    }
    const roleBefore = state.role ?? "user";
    const event = emit(
      UserDeactivated,
      { uid, roleBefore, frees: state.username, noteId },
      {
        streams: [
          userStreamId(uid),
          ...(roleBefore === "admin" ? [ADMINS] : []),
          ...(state.username === null ? [] : [usernameStreamId(state.username)]),
        ],
        happenedAt,
      },
    );
    return accept([event], { uid });
  },
};

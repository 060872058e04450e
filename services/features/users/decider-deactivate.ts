// Decides the deletion of an account: not while money, stock or an open shipment is left, and never the last admin's.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { formatCents } from "#ledger/money.ts";
import { consignorStream, consignorStreamId } from "#features/accounts/streams.ts";
import { itemStreamId, itemStream } from "#features/inventory/streams.ts";
import { shortShipmentId } from "#features/shipments/streams.ts";
import type { NotSettled } from "#features/users/contract.ts";
import { refuseDeleted, refuseLastAdmin } from "#features/users/decider.ts";
import { UserDeactivated } from "#features/users/events.ts";
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

/** "open shipments 3F2A91BC, 0D41E7F2" */
function openShipments(ids: readonly string[]): string {
  const named = ids.slice(0, MAX_NAMED).map(shortShipmentId).join(", ");
  const more = ids.length > MAX_NAMED ? `, and ${ids.length - MAX_NAMED} more` : "";
  return `open ${ids.length === 1 ? "shipment" : "shipments"} ${named}${more}`;
}

/** "$12.50 of balance, $5.00 of waiting payouts and 3 units in stock". */
export function leftOver({ balanceCents, pendingCents, units, shipmentIds }: NotSettled): string {
  const parts = [
    ...(balanceCents === 0 ? [] : [`${formatCents(balanceCents)} of balance`]),
    ...(pendingCents === 0 ? [] : [`${formatCents(pendingCents)} of waiting payouts`]),
    ...(units === 0 ? [] : [`${units} ${units === 1 ? "unit" : "units"} in stock`]),
    ...(shipmentIds.length === 0 ? [] : [openShipments(shipmentIds)]),
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
    };
    if (leftOver(left) !== "") {
      return reject(
        409,
        "user_not_settled",
        `This user cannot be deleted yet: ${leftOver(left)} left`,
        left,
      );
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

// Decides the migration of an old account to a user: opening balance, items, pending payouts and past lines.
import type { Decider, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { NewEvent } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import { consignorStreamId, availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import type { ItemDetails } from "#features/inventory/events.ts";
import { ItemAdded, UnitsReceived } from "#features/inventory/events.ts";
import {
  barcodeStreamId,
  barcodeStream,
  itemStreamId,
  itemHolding,
  RECEIVED,
} from "#features/inventory/streams.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { migrationRefusals } from "#features/migration/contract.ts";
import { LegacyPayoutNoted, LegacySaleNoted, UserMigrated } from "#features/migration/events.ts";
import { legacyStream, legacyStreamId, OPENING_BALANCES } from "#features/migration/streams.ts";
import { hasLeft, userStreamId } from "#features/users/streams.ts";

const userDeleted = reject(409, "user_deleted", migrationRefusals.user_deleted.message);

export type LegacyItem = {
  /** The id of the new item if the user has none with this barcode yet. */
  readonly itemId: string;
  readonly details: ItemDetails;
  readonly units: number;
};

export type LegacySale = {
  readonly itemName: string;
  readonly units: number;
  readonly priceCents: Cents;
  readonly shippingCents: Cents;
  readonly payoutCents: Cents;
  readonly happenedAt: string;
};

export type LegacyPayout = {
  readonly payoutId: string;
  readonly amountCents: Cents;
  readonly method: "cashapp" | "venmo";
  readonly happenedAt: string;
};

export type MigrateUser = {
  readonly uid: string;
  readonly legacyId: string;
  /** May be negative. */
  readonly balanceCents: Cents;
  /** With distinct barcodes. */
  readonly items: readonly LegacyItem[];
  readonly sales: readonly LegacySale[];
  readonly paid: readonly LegacyPayout[];
  /** The pending ones, each with the id of its handle in identity.payout_handles and the hash that binds it. */
  readonly pending: readonly (LegacyPayout & {
    readonly handleId: string;
    readonly handleHash: string;
  })[];
  readonly happenedAt: string;
};

export type MigrateAnswer = { readonly legacyId: string; readonly alreadyDone: boolean };

/** The user's existing item with a barcode, or null. */
function holderOf(states: States, uid: string, barcode1: string): string | null {
  return states.get(barcodeStream, barcodeStreamId(uid, barcode1)).state.itemId;
}

/** An existing item receives the units and keeps its description; otherwise it is added. */
function itemEvents(command: MigrateUser, states: States): NewEvent[] {
  const { uid, happenedAt } = command;
  return command.items.flatMap(({ itemId: newItemId, details, units }): NewEvent[] => {
    const holder = holderOf(states, uid, details.barcode1);
    if (holder === null) {
      const data = { itemId: newItemId, ownerUid: uid, after: details, source: "import" } as const;
      const streams = [itemStreamId(newItemId), barcodeStreamId(uid, details.barcode1)];
      const movements = moveUnits(RECEIVED, itemHolding.of(newItemId), units);
      return [emit(ItemAdded, { ...data, fromItemId: null }, { streams, movements, happenedAt })];
    }
    if (units === 0) {
      return [];
    }
    const data = {
      itemId: holder,
      ownerUid: uid,
      units,
      source: "import",
      fromItemId: null,
    } as const;
    const movements = moveUnits(RECEIVED, itemHolding.of(holder), units);
    return [emit(UnitsReceived, data, { streams: [itemStreamId(holder)], movements, happenedAt })];
  });
}

function pendingEvents({ uid, pending }: MigrateUser): NewEvent[] {
  return pending.map(({ payoutId, amountCents, method, handleId, handleHash, happenedAt }) =>
    emit(
      PayoutRequested,
      { payoutId, consignorId: uid, amountCents, method, handleId, handleHash },
      {
        streams: [payoutStreamId(payoutId), consignorStreamId(uid)],
        // The old app already subtracted it from the balance, so it comes from there and not from the balance here.
        postings: move(OPENING_BALANCES, payoutsAccount.of(uid), amountCents),
        happenedAt,
      },
    ),
  );
}

/** Past sales and paid payouts: informative lines, in the order in which they happened. */
function memoEvents({ uid, legacyId, sales, paid }: MigrateUser): NewEvent[] {
  const streams = [consignorStreamId(uid)];
  const memos = [
    ...sales.map(({ happenedAt, ...sale }) =>
      emit(LegacySaleNoted, { uid, legacyId, ...sale }, { streams, happenedAt }),
    ),
    ...paid.map(({ happenedAt, amountCents, method }) =>
      emit(LegacyPayoutNoted, { uid, legacyId, amountCents, method }, { streams, happenedAt }),
    ),
  ];
  return memos.sort((a, b) => Date.parse(a.happenedAt) - Date.parse(b.happenedAt));
}

/**
 * Rejects 409 `user_deleted` and 409 `legacy_claimed` (another user has the old account). If this user already has
 * it, there is no event and no error.
 */
export const migrateUser: Decider<MigrateUser, MigrateAnswer> = {
  type: "MigrateUser",
  streams: ({ uid, legacyId, items, pending }) => [
    userStreamId(uid),
    legacyStreamId(legacyId),
    consignorStreamId(uid),
    ...pending.map(({ payoutId }) => payoutStreamId(payoutId)),
    ...items.flatMap(({ itemId, details }) => [
      itemStreamId(itemId),
      barcodeStreamId(uid, details.barcode1),
    ]),
  ],
  more: ({ uid, items }, states) =>
    items.flatMap(({ details }) => {
      const holder = holderOf(states, uid, details.barcode1);
      return holder === null ? [] : [itemStreamId(holder)];
    }),
  decide: (command, states) => {
    const { uid, legacyId, balanceCents, happenedAt } = command;
    if (hasLeft(states, uid)) {
      return userDeleted;
    }
    const claimedBy = states.get(legacyStream, legacyStreamId(legacyId)).state.uid;
    if (claimedBy === uid) {
      return accept([], { legacyId, alreadyDone: true });
    }
    if (claimedBy !== null) {
      return reject(409, "legacy_claimed", "This old account was given to another user before");
    }
    const migrated = emit(
      UserMigrated,
      {
        uid,
        legacyId,
        openingCents: balanceCents,
        items: command.items.length,
        sales: command.sales.length,
        paidPayouts: command.paid.length,
        pendingPayouts: command.pending.length,
      },
      {
        streams: [userStreamId(uid), legacyStreamId(legacyId), consignorStreamId(uid)],
        postings: move(OPENING_BALANCES, availableAccount.of(uid), balanceCents),
        happenedAt,
      },
    );
    const events = [
      ...memoEvents(command),
      migrated,
      ...pendingEvents(command),
      ...itemEvents(command, states),
    ];
    return accept(events, { legacyId, alreadyDone: false });
  },
};

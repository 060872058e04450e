// Turns an old account into one command: with derived ids, so that nothing is added twice, and with bound handles.
import { createHash } from "node:crypto";
import type { BoundHandle, PayoutHandles } from "#identity/payout-handles.ts";
import { uuidOf } from "#ledger/uuid.ts";
import type { MigrateUser } from "#features/migration/decider.ts";
import type { LegacyHoldingsKept } from "#features/migration/legacy-schema.ts";

/** The same ids in every attempt, so that nothing can be added twice. */
function derivedId(legacyId: string, what: string): string {
  return uuidOf(createHash("sha256").update(`${legacyId}:${what}`).digest());
}

type KeptPayout = LegacyHoldingsKept["payouts"][number];

const nameOfHandle = ({ method, handle }: KeptPayout): string => `${method}\n${handle}`;

/** The handles of the pending payouts, each once. */
export async function bindPending(
  payoutHandles: PayoutHandles,
  uid: string,
  { payouts }: LegacyHoldingsKept,
  by: string,
): Promise<ReadonlyMap<string, BoundHandle>> {
  const bound = new Map<string, BoundHandle>();
  for (const payout of payouts) {
    const name = nameOfHandle(payout);
    if (!payout.paid && !bound.has(name)) {
      const handle = await payoutHandles.bind(uid, payout.method, payout.handle, by);
      if (handle !== undefined) {
        bound.set(name, handle);
      }
    }
  }
  return bound;
}

/** The whole old account as one command. */
export function commandOf(
  now: string,
  uid: string,
  legacyId: string,
  { balanceCents, items, sales, payouts }: LegacyHoldingsKept,
  handles: ReadonlyMap<string, BoundHandle>,
): MigrateUser {
  const booked = payouts.map((payout, index) => {
    const { amountCents, method, paid, happenedAt } = payout;
    // There is none if the user was just deleted; the decider refuses that.
    const handle = handles.get(nameOfHandle(payout));
    return {
      payoutId: derivedId(legacyId, `payout:${index}`),
      amountCents,
      method,
      paid,
      happenedAt: happenedAt ?? now,
      handleId: handle?.id ?? "",
      handleHash: handle?.hash ?? "",
    };
  });
  return {
    uid,
    legacyId,
    balanceCents,
    items: items.map(({ units, ...details }) => ({
      itemId: derivedId(legacyId, `item:${details.barcode1}`),
      details,
      units,
    })),
    sales: sales.map(({ happenedAt, ...sale }) => ({ ...sale, happenedAt: happenedAt ?? now })),
    paid: booked.filter(({ paid }) => paid),
    pending: booked.filter(({ paid }) => !paid),
    happenedAt: now,
  };
}

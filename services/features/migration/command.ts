// What an old account holds becomes one command: its ids derived, so that nothing is there twice, and its handles bound.
import { createHash } from "node:crypto";
import type { BoundHandle, PayoutHandles } from "#identity/payout-handles.ts";
import { uuidOf } from "#ledger/uuid.ts";
import type { MigrateUser } from "#features/migration/decider.ts";
import type { LegacyHoldingsKept } from "#features/migration/legacy-file.ts";

/** The same ids whenever it is tried, so that nothing can be there twice. */
function derivedId(legacyId: string, what: string): string {
  return uuidOf(createHash("sha256").update(`${legacyId}:${what}`).digest(), 8);
}

type KeptPayout = LegacyHoldingsKept["payouts"][number];

const nameOfHandle = ({ method, handle }: KeptPayout): string => `${method}\n${handle}`;

/** The handles of the payouts that wait, each once however many name it. */
export async function bindPending(
  payoutHandles: PayoutHandles,
  uid: string,
  { payouts }: LegacyHoldingsKept,
): Promise<ReadonlyMap<string, BoundHandle>> {
  const bound = new Map<string, BoundHandle>();
  for (const payout of payouts) {
    const name = nameOfHandle(payout);
    if (!payout.paid && !bound.has(name)) {
      const handle = await payoutHandles.bind(uid, payout.method, payout.handle);
      if (handle !== undefined) {
        bound.set(name, handle);
      }
    }
  }
  return bound;
}

/** All that the old account holds as one command. */
export function commandOf(
  now: string,
  uid: string,
  legacyId: string,
  { balanceCents, items, sales, payouts }: LegacyHoldingsKept,
  handles: ReadonlyMap<string, BoundHandle>,
): MigrateUser {
  const booked = payouts.map((payout, index) => {
    const { amountCents, method, paid, happenedAt } = payout;
    // There is none for somebody who was deleted just now, whom the decider refuses.
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

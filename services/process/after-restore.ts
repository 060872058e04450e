// What a restored store needs before anybody opens it: the event that makes payouts wait, erasures done again, and an end of the sessions and links of the back-up.
import { randomUUID } from "node:crypto";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { eraseCertificate } from "#features/sales/decider-certificate.ts";
import type { ErasedAgain } from "#features/restores/decider.ts";
import { eraseUserAgain, recordRestore } from "#features/restores/decider.ts";
import { createNotes, erasedNotesIn, eraseNotes } from "#identity/notes.ts";
import { endRestoredSignIns } from "#identity/restored-sign-ins.ts";
import type { SealedSecret } from "#identity/sealed-columns.ts";
import { giveUpSecrets } from "#identity/sealed-columns.ts";
import { vouchForLost } from "#identity/statement-key-proof.ts";
import { erasePerson } from "#identity/users.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { events, projections, streams } from "../features.ts";
import type { ErasedPeople } from "./erased-list.ts";
import type { Restored } from "./restore-store.ts";

export type AfterRestoreOptions = {
  readonly appUrl: string;
  readonly ownerUrl: string;
  readonly restored: Pick<Restored, "position" | "backedUpAt" | "heads" | "secrets">;
  /** Who the lists say was erased, before or after the back-up. */
  readonly erased: ErasedPeople;
  /** Whether lines without a signature count: there is no key to check any with. */
  readonly trustsUnsigned: boolean;
  readonly clock: () => Date;
};

export type AfterRestore = {
  readonly restoreId: string;
  /** Who was erased again, with what the restored log still has in their accounts. */
  readonly erasedAgain: readonly ErasedAgain[];
  /** Present people whom a line without the store's signature calls erased. They were erased if such lines count. */
  readonly unsigned: readonly string[];
};

const ACTOR = "system:restore";

/**
 * Appends `StoreRestored`, erases again who was erased after the back-up, ends sessions and links, and gives up secrets
 * whose key is lost.
 */
export async function followRestore(options: AfterRestoreOptions): Promise<AfterRestore> {
  const { appUrl, restored, clock } = options;
  const sql = connect(appUrl, { applicationName: "ledger-restore", maxConnections: 4 });
  const writing = connect(appUrl, { applicationName: "ledger-restore", maxConnections: 1 });
  const ledger = openLedger({ sql: writing, streams, events, newId: newTimeOrderedId });
  try {
    const restoreId = randomUUID();
    const recorded = await ledger.execute(
      recordRestore,
      {
        restoreId,
        backedUpAt: restored.backedUpAt,
        position: restored.position,
        lostThrough: restored.heads.lostThrough,
        happenedAt: clock().toISOString(),
      },
      contextOf(`restore:${restoreId}`),
    );
    if (recorded.kind !== "accepted") {
      throw new Error("The restore could not be recorded in the log");
    }
    const erasedAgain: ErasedAgain[] = [];
    const { erased, trustsUnsigned } = options;
    const unsigned = await findPresent(sql, erased.unsigned);
    const counted = trustsUnsigned ? unsigned : [];
    const notes = erasedNotesIn([...erased.signed, ...(trustsUnsigned ? erased.unsigned : [])]);
    await eraseNotesAgain(sql, ledger, notes, { restoreId, now: clock() });
    for (const uid of [...(await findPresent(sql, options.erased.signed)), ...counted]) {
      erasedAgain.push(await eraseAgain(ledger, uid, restoreId, clock()));
    }
    await createRunner({ sql, projections, events }).catchUp();
    await dropUnsent(sql, clock());
    await endRestoredSignIns(sql, clock());
    await giveUpLost(sql, options.ownerUrl, restored.secrets.lost);
    return { restoreId, erasedAgain, unsigned };
  } finally {
    await ledger.close();
    await writing.end({ timeout: 5 });
    await sql.end({ timeout: 5 });
  }
}

async function giveUpLost(
  sql: Sql,
  ownerUrl: string,
  lost: readonly SealedSecret[],
): Promise<void> {
  const ownerSql = connect(ownerUrl, { applicationName: "ledger-restore", maxConnections: 1 });
  try {
    await vouchForLost(ownerSql, lost);
  } finally {
    await ownerSql.end({ timeout: 5 });
  }
  await giveUpSecrets(sql, lost);
}

function contextOf(key: string) {
  return { actor: ACTOR, scope: ACTOR, key, requestHash: "00" };
}

/** Messages that waited when the store was backed up have been sent since, or are out of date. */
async function dropUnsent(sql: Sql, now: Date): Promise<void> {
  await sql`
    update identity.notifications
    set state = 'dropped', why = 'restored', settled_at = ${now},
      looked_at = ${now}, lease_until = null
    where state in ('waiting', 'sending')`;
}

/** Those who are in the restored store with their data. */
async function findPresent(sql: Sql, uids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ uid: string }[]>`
    select p.uid from identity.profiles p left join identity.erasures e on e.uid = p.uid
    where p.uid = any(${[...uids]}::text[]) and e.uid is null order by p.uid limit 1000000`;
  return rows.map(({ uid }) => uid);
}

/** Certificates' numbers that were erased after the back-up. */
async function eraseNotesAgain(
  sql: Sql,
  ledger: Ledger,
  listed: readonly string[],
  { restoreId, now }: { readonly restoreId: string; readonly now: Date },
): Promise<void> {
  const kept = await createNotes(sql).findKept(listed, false);
  if (kept.length === 0) {
    return;
  }
  const outcome = await ledger.execute(
    eraseCertificate,
    { saleId: null, noteIds: kept, happenedAt: now.toISOString() },
    {
      ...contextOf(`restore:${restoreId}:${kept[0] ?? ""}`),
      inSameTransaction: (transaction) => eraseNotes(transaction, kept, now),
    },
  );
  if (outcome.kind !== "accepted") {
    throw new Error("Numbers of tax certificates were erased after the back-up, and not again");
  }
  // As many as one event names at a time.
  await eraseNotesAgain(sql, ledger, listed, { restoreId, now });
}

async function eraseAgain(
  ledger: Ledger,
  uid: string,
  restoreId: string,
  now: Date,
): Promise<ErasedAgain> {
  const outcome = await ledger.execute(
    eraseUserAgain,
    { uid, happenedAt: now.toISOString() },
    {
      ...contextOf(`restore:${restoreId}:${uid}`),
      inSameTransaction: (transaction) => erasePerson(transaction, now, uid),
    },
  );
  if (outcome.kind !== "accepted") {
    throw new Error(`${uid} was erased after the back-up, and could not be erased again`);
  }
  return outcome.answer;
}

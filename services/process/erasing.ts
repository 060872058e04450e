// Works through the list of erased people and secrets: after their data, it removes letters, dead rows and old
// write-ahead log.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import type { Purge } from "#db/purge.ts";
import { forgetLateNotes } from "#identity/forget-notes.ts";
import { addressHash } from "#identity/users.ts";
import { forgetLetters } from "#mail/forget-letters.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";

export type ErasingDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly purge: Purge;
  /** Null if letters go to a mail server and are not kept. */
  readonly outbox: string | null;
  readonly logger: Logger;
};

/** `waiting` people were erased, but an older transaction still keeps their dead rows alive. */
export type Erased = { readonly erased: number; readonly waiting: number };

const MAX_AT_ONCE = 1_000;

/** Finishes every erasure that began before now. Several processes may safely do this at once. */
export async function finishErasures(deps: ErasingDeps): Promise<Erased> {
  const { sql, clock, purge, outbox, logger } = deps;
  const people = await sql<{ uid: string; address_hashes: string[] | null }[]>`
    select uid, address_hashes from identity.erasures
    where purged_at is null order by erased_at, uid limit ${MAX_AT_ONCE}`;
  const [due] = await sql<{ since: Date }[]>`select since from identity.purge_due`;
  if (people.length === 0 && due === undefined) {
    return { erased: 0, waiting: 0 };
  }
  const hashes = new Set(people.flatMap((person) => person.address_hashes ?? []));
  if (outbox !== null) {
    await forgetLetters(outbox, (address) => hashes.has(addressHash(address)));
  }
  // Requests that were running then may have noted something since.
  await forgetLateNotes(sql);
  const { rowsAreGone, logIsGone } = await purge(["identity", "security"]);
  if (!rowsAreGone) {
    return { erased: 0, waiting: people.length };
  }
  await sql`
    update identity.erasures set purged_at = ${clock()}, address_hashes = null
    where uid = any(${people.map(({ uid }) => uid)}::text[])`;
  if (due !== undefined) {
    await sql`delete from identity.purge_due where since <= ${due.since}`;
  }
  if (!logIsGone) {
    logger.warn(
      "people or secrets were erased; the database server keeps its write-ahead log and backups until it recycles them",
    );
  }
  return { erased: people.length, waiting: 0 };
}

const LOOK_EVERY_MS = 30_000;

/** Checks now and every half minute. A failure is logged and retried the next time. */
export function startErasing(deps: ErasingDeps): { readonly close: () => Promise<void> } {
  const failure = "people's data could not be erased for good";
  return repeat(
    LOOK_EVERY_MS,
    retried(deps.logger, failure, () => finishErasures(deps)),
  );
}

// The proof of accounts in turn: folds each account's rows again and compares them with the live ones, a few at a time.
import type { Sql } from "#db/connect.ts";
import { textArray } from "#ledger/log/encode.ts";
import { isNoFaultOfData } from "#ledger/log/failure.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import type { ProvableProjection } from "#ledger/verify/drifted-keys.ts";
import { isProvable, proveKeys } from "#ledger/verify/drifted-keys.ts";
import type { DriftDeps } from "./drift.ts";
import { openDrift, reportDrift, settleDrift, wholeKeyOf } from "./drift.ts";

export type AccountProofDeps = DriftDeps & {
  /** Connections of its own, so that the proof takes none from the shop. */
  readonly proofSql: Sql;
  readonly projections: readonly Projection[];
  readonly events: EventRegister;
  /** Waits between two batches, so that the proof never takes more than a part of one core. */
  readonly rest: (milliseconds: number) => Promise<void>;
  /** Called before each batch: its connections get what the shop leaves of the processor. */
  readonly giveWay: () => Promise<void>;
};

/** A little more than a hundred a minute. */
export const ACCOUNTS_A_PASS = 120;
const AT_ONCE = 8;
/** It rests three times as long as it worked: a quarter of one core at most. */
const REST_FACTOR = 3;
/** A pass ends before the next one begins. */
const PASS_MS = 50_000;

type Turn = { readonly after: string; readonly through: string | null };

/** The next accounts in the order of their uids. */
async function nextAccounts(sql: Sql, { after, through }: Turn): Promise<string[]> {
  const rows = await sql<{ uid: string }[]>`
    select uid from identity.profiles
    where uid > ${after} and (${through}::text is null or uid <= ${through})
    order by uid limit ${AT_ONCE}`;
  return rows.map(({ uid }) => uid);
}

async function keysOf(sql: Sql, keysOfUid: string, uids: readonly string[]): Promise<string[]> {
  const rows = await sql.unsafe<{ key: string }[]>(
    `select k.key from unnest($1::text[]) as u (uid) cross join lateral unnest(${keysOfUid}) as k (key)`,
    [textArray(uids)],
  );
  return rows.map(({ key }) => key);
}

/** Proves row keys; reports those that differ, and settles the alerts of those that are right. */
async function proveAndReport(
  deps: AccountProofDeps,
  projection: ProvableProjection,
  keys: readonly string[],
  upcasts: Upcasts,
): Promise<number> {
  const { position, proved, drifted } = await proveKeys(deps.proofSql, projection, keys, upcasts);
  if (drifted.length > 0) {
    await reportDrift(deps, projection, { drifted, position });
  }
  const open = await openDrift(deps, projection.name);
  const right = open.filter((alert) => {
    const key = wholeKeyOf(alert);
    return key !== undefined && proved.includes(key) && !drifted.includes(key);
  });
  await settleDrift(deps, right);
  return drifted.length;
}

/**
 * The same, also where the step fails for one of the keys: then each is proved alone, and the errors of those that cannot be
 * are put into `failed`. Nobody else's proof waits for a broken step.
 */
async function proveAsFarAsPossible(
  deps: AccountProofDeps,
  projection: ProvableProjection,
  { keys, failed }: { readonly keys: readonly string[]; readonly failed: unknown[] },
  upcasts: Upcasts,
): Promise<number> {
  try {
    return await proveAndReport(deps, projection, keys, upcasts);
  } catch (error) {
    if (isNoFaultOfData(error)) {
      throw error;
    }
    if (keys.length === 1) {
      failed.push(error);
      return 0;
    }
    let drifted = 0;
    for (const key of keys) {
      drifted += await proveAsFarAsPossible(deps, projection, { keys: [key], failed }, upcasts);
    }
    return drifted;
  }
}

export type AccountProof = { readonly accounts: number; readonly drifted: number };

/**
 * One pass: proves the rows of open alerts again, then the next accounts in turn. Several workers may do so at once;
 * they only repeat each other's work. Throws at its end if the step failed for a key.
 */
export async function proveAccounts(deps: AccountProofDeps): Promise<AccountProof> {
  const { proofSql: sql } = deps;
  const provable = deps.projections.filter(isProvable);
  const upcasts = createUpcasts(sql, deps.events);
  const startedAt = performance.now();
  const failed: unknown[] = [];
  let drifted = 0;
  for (const projection of provable) {
    const open = await openDrift(deps, projection.name);
    const keys = open.flatMap((alert) => wholeKeyOf(alert) ?? []);
    if (keys.length > 0) {
      drifted += await proveAsFarAsPossible(deps, projection, { keys, failed }, upcasts);
    }
  }
  const [kept] = await sql<{ account: string }[]>`
    select proved_account as account from read.proof`;
  const first = kept?.account ?? "";
  let turn: Turn = { after: first, through: null };
  let accounts = 0;
  while (accounts < ACCOUNTS_A_PASS && performance.now() - startedAt < PASS_MS) {
    await deps.giveWay();
    const batchAt = performance.now();
    const uids = await nextAccounts(sql, turn);
    const last = uids.at(-1);
    if (last === undefined) {
      if (turn.through !== null || first === "") {
        break;
      }
      // From the beginning, up to where this pass began.
      turn = { after: "", through: first };
      continue;
    }
    for (const projection of provable) {
      const { keysOfUid } = projection.money;
      if (keysOfUid !== null) {
        const keys = await keysOf(sql, keysOfUid, uids);
        drifted += await proveAsFarAsPossible(deps, projection, { keys, failed }, upcasts);
      }
    }
    turn = { ...turn, after: last };
    accounts += uids.length;
    await sql`update read.proof set proved_account = ${last}`;
    await deps.rest((performance.now() - batchAt) * REST_FACTOR);
  }
  await sql`update read.proof set pass_at = ${deps.clock()}, pass_accounts = ${accounts}`;
  if (failed.length > 0) {
    // Known to the jobs as a failure, after everybody else was proved.
    throw failed[0];
  }
  return { accounts, drifted };
}

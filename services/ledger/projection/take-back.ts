// Takes a flip back: shows the tables from before it again, also where those that are shown get no further.
import type { Sql, TransactionSql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { flipGeneration, olderThanShown, readGenerations } from "#ledger/projection/generation.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import type { Compared } from "#ledger/projection/rebuild.ts";
import { differencesOf } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { StuckTables } from "#ledger/projection/stuck-tables.ts";

/** The result of taking back a flip. */
export type TakenBack =
  /** `generation` is shown now and was not before. */
  | {
      readonly kind: "taken-back";
      readonly generation: number;
      /** How many rows differ from the tables shown until now. */
      readonly differing: number;
    }
  /** The caller did not want these differences, or tables that cannot be compared. */
  | { readonly kind: "refused"; readonly generation: number; readonly differing: number }
  /** There are no older tables than the shown generation, which is undefined if nothing is shown. */
  | { readonly kind: "nothing-older"; readonly generation: number | undefined }
  /** The older tables are of another version, which this program cannot read. */
  | { readonly kind: "other-version"; readonly generation: number; readonly version: number };

/** What is asked and done around a switch back. */
export type TakeBackOptions = {
  /** Gets what would change. */
  readonly mayFlip?: (compared: Compared) => Promise<boolean>;
  /** Written in the transaction that flips. */
  readonly inFlip?: (transaction: TransactionSql) => Promise<void>;
};

/** Brings the older tables to the head, and the shown ones if they can. Returns why they cannot. */
async function catchUpBoth(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
): Promise<string | null> {
  const parts = { sql, projections: [projection], events };
  try {
    await createRunner(parts).catchUp();
    const missing = await findMissing(sql, [projection], "without views");
    return missing.length === 0 ? null : missing.map(({ sentence }) => sentence).join(". ");
  } catch (error) {
    if (!(error instanceof StuckTables && error.generation.state === "live")) {
      throw error;
    }
    // Throws if the older ones get no further either: then nothing would be better.
    await createRunner({ ...parts, which: "previous" }).catchUp();
    return error.message;
  }
}

/** Brings both to the head, and compares them there if that is possible. */
export async function compareWithOlder(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
  { live, older }: { readonly live: Generation; readonly older: Generation },
): Promise<Compared> {
  const stuck = await catchUpBoth(sql, projection, events);
  if (stuck !== null) {
    return { kind: "stuck", reason: `${stuck}. So they cannot be compared with the earlier ones` };
  }
  const differences = await differencesOf(sql, projection, live, older.generation, undefined);
  return differences === undefined ? { kind: "other-version" } : { kind: "compared", differences };
}

/**
 * Shows the tables from before the last flip again; they have been fed every few seconds. A second call goes back no further.
 */
export async function takeBack(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
  { mayFlip = () => Promise.resolve(true), inFlip }: TakeBackOptions = {},
): Promise<TakenBack> {
  const generations = (await readGenerations(sql)).filter(
    (entry) => entry.name === projection.name,
  );
  const live = generations.find((entry) => entry.state === "live");
  const older = olderThanShown(generations, projection.name);
  if (older === undefined || live === undefined) {
    return { kind: "nothing-older", generation: live?.generation };
  }
  if (older.version !== projection.version) {
    return { kind: "other-version", generation: older.generation, version: older.version };
  }
  const compared = await compareWithOlder(sql, projection, events, { live, older });
  const differences = compared.kind === "compared" ? compared.differences : [];
  const differing = differences.reduce((sum, { rows }) => sum + rows, 0);
  if (!(await mayFlip(compared))) {
    return { kind: "refused", generation: older.generation, differing };
  }
  await flipGeneration(sql, projection, older.generation, inFlip);
  return { kind: "taken-back", generation: older.generation, differing };
}

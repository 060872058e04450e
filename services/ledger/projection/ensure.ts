// Runs before anything reads: makes sure that every projection has tables that this program can read.
import type { ReservedSql, Sql } from "postgres";
import { isNoFaultOfData } from "#ledger/log/failure.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { readHead } from "#ledger/log/read.ts";
import type { NewsOptions } from "#ledger/projection/build-news.ts";
import { tellOfBuild } from "#ledger/projection/build-news.ts";
import type { Projection } from "#ledger/projection/define.ts";
import {
  hashOfDefinition,
  keepDefinition,
  makesSameTables,
  readDefinition,
} from "#ledger/projection/definition.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import {
  createGeneration,
  flipGeneration,
  indexGeneration,
  readGenerations,
} from "#ledger/projection/generation.ts";
import type { HeldKey } from "#ledger/projection/held.ts";
import { endOrdersWithoutTables } from "#ledger/projection/orders.ts";
import { missingColumns } from "#ledger/projection/readable.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { startUpcasts } from "#ledger/projection/upcasts.ts";

/** `onNews` is told about tables of another version that are built again, which may take a while. */
export type EnsureOptions = NewsOptions & {
  readonly sql: Sql;
  readonly projections: readonly Projection[];
  readonly events: EventRegister;
  /** Does not touch tables of another version: for a tool that rebuilds them itself. */
  readonly leaveOlder?: boolean;
  /** Stops while tables are built again; a later call goes on there. */
  readonly signal?: AbortSignal | undefined;
  /** Called when another process does this at the moment, and this one waits for it. */
  readonly onWaiting?: () => void;
};

/** New tables that are not shown, because they would lack rows that the shown ones have. */
export type NotShown = {
  readonly projection: string;
  readonly version: number;
  /** The version that is still shown. */
  readonly shownVersion: number;
  /** The reason, in a sentence. */
  readonly reason: string;
  /** The first of the keys that the new tables hold back. */
  readonly held: readonly HeldKey[];
  /** Why this program cannot serve from the shown tables; null if it can. */
  readonly cannotServe: string | null;
};

/**
 * Makes the tables of projections that have none, and rebuilds those whose definition is newer than the shown tables.
 * New tables that would hide rows are made but not shown: they are returned, and the shown tables stay in use.
 * Several processes may start at once.
 */
export async function ensureProjections(options: EnsureOptions): Promise<NotShown[]> {
  const { sql, projections } = options;
  const reserved = await sql.reserve();
  const notShown: NotShown[] = [];
  const older: { readonly projection: Projection; readonly live: Generation }[] = [];
  try {
    await takeTurn(reserved, options.onWaiting);
    await startUpcasts(sql, options.events);
    const generations = await readGenerations(sql);
    for (const projection of projections) {
      await takeUpStep(sql, generations, projection);
      const live = generations.find(
        (entry) => entry.name === projection.name && entry.state === "live",
      );
      if (live === undefined) {
        await showTables(sql, generations, projection);
      } else if (!(await isFedBy(sql, live, projection)) && options.leaveOlder !== true) {
        older.push({ projection, live });
      }
    }
    for (const [index, { projection, live }] of older.entries()) {
      const place = { number: index + 1, of: older.length };
      notShown.push(...(await makeNewer(options, projection, live, place)));
    }
    if (older.length > 0) {
      await endOrdersWithoutTables(sql);
    }
  } finally {
    await reserved`select pg_advisory_unlock(4711, 2)`;
    reserved.release();
  }
  return notShown;
}

/** For a projection that shows none: the tables from before the last flip if its row was lost, else new, empty ones. */
async function showTables(
  sql: Sql,
  generations: readonly Generation[],
  projection: Projection,
): Promise<void> {
  const previous = generations.findLast(
    ({ name, state }) => name === projection.name && state === "previous",
  );
  const isWhole =
    previous !== undefined &&
    (await isFedBy(sql, previous, projection)) &&
    (await missingColumns(sql, projection, previous.generation)).length === 0;
  if (isWhole) {
    await flipGeneration(sql, projection, previous.generation);
    return;
  }
  const made = await createGeneration(sql, projection);
  await indexGeneration(sql, projection, made.generation);
  await flipGeneration(sql, projection, made.generation);
}

async function takeTurn(reserved: ReservedSql, onWaiting?: () => void): Promise<void> {
  const [row] = await reserved<{ isTaken: boolean }[]>`
    select pg_try_advisory_lock(4711, 2) as "isTaken"`;
  if (row?.isTaken !== true) {
    onWaiting?.();
    await reserved`select pg_advisory_lock(4711, 2)`;
  }
}

/**
 * From now on, this program's definition feeds the tables of this version if it makes the same tables: the shown
 * ones, and the previous ones that a flip can be taken back to.
 */
async function takeUpStep(
  sql: Sql,
  generations: readonly Generation[],
  projection: Projection,
): Promise<void> {
  const hash = hashOfDefinition(projection);
  for (const entry of generations) {
    const isFed = entry.state === "live" || entry.state === "previous";
    if (
      entry.name === projection.name &&
      isFed &&
      entry.definitionHash !== hash &&
      (await isFedBy(sql, entry, projection))
    ) {
      await keepDefinition(sql, entry.generation, projection);
    }
  }
}

/** Whether this definition makes the same tables as the generation's. Its step may have been fixed since. */
async function isFedBy(sql: Sql, entry: Generation, projection: Projection): Promise<boolean> {
  if (entry.version !== projection.version) {
    return false;
  }
  if (entry.definitionHash === hashOfDefinition(projection)) {
    return true;
  }
  const made = await readDefinition(sql, entry.name, entry.generation);
  return made === undefined || makesSameTables(made, projection);
}

async function makeNewer(
  options: EnsureOptions,
  projection: Projection,
  live: Generation,
  place: { readonly number: number; readonly of: number },
): Promise<NotShown[]> {
  const { sql, events, signal } = options;
  const refused = async (reason: string, held: readonly HeldKey[]): Promise<NotShown[]> => [
    {
      projection: projection.name,
      version: projection.version,
      shownVersion: live.version,
      reason,
      held,
      cannotServe: await reasonNotToServe(sql, projection, live),
    },
  ];
  const { position: head } = await readHead(sql);
  const teller = tellOfBuild(projection, place, head, options);
  try {
    const result = await rebuildProjection(sql, projection, {
      events,
      ...teller.options,
      ...(signal && { signal }),
    });
    if (result.flipped) {
      teller.shown(result.position);
      return [];
    }
    return await refused(
      `they hold back ${result.newlyHeldCount} row keys that the shown tables have`,
      result.held,
    );
  } catch (error) {
    if (isNoFaultOfData(error) || signal?.aborted === true) {
      throw error;
    }
    return await refused(error instanceof Error ? error.message : "unknown", []);
  } finally {
    teller.close();
  }
}

async function reasonNotToServe(
  sql: Sql,
  projection: Projection,
  live: Generation,
): Promise<string | null> {
  if (live.definitionHash === null && live.version !== projection.version) {
    return "their definition was not kept";
  }
  const missing = await missingColumns(sql, projection, live.generation);
  return missing.length === 0 ? null : `they lack ${missing.join(", ")}`;
}

/** Tables that were never finished can neither be listed nor shown: every rebuild fails as they did. */
function helpFor({ projection, held }: NotShown): string {
  const rebuild = `npm run rebuild -- ${projection}`;
  return held.length === 0
    ? "Fix the step and start again, or start the previous version. If it is the new tables that are damaged, " +
        `\`${rebuild} --cancel\` drops them, and the next start makes others.`
    : `\`${rebuild} --preview\` lists what is wrong. Fix the step and start again, start the previous version, or ` +
        `show the new tables as they are with \`${rebuild} --accept-held\`.`;
}

/** What happened and what to do, for a log or a terminal. */
export function describeNotShown(entry: NotShown): string {
  const { projection, version, shownVersion, reason, held, cannotServe } = entry;
  const [first] = held;
  const why =
    first === undefined
      ? ""
      : ` The first is ${first.key}, at event ${first.atPosition}: ${first.error}.`;
  const shownInstead =
    cannotServe === null
      ? `The tables of version ${shownVersion} are still shown.`
      : `This program cannot start with the shown tables of version ${shownVersion}: ${cannotServe}.`;
  return (
    `The new tables of ${projection} (version ${version}) are not shown: ${reason}.${why} ${shownInstead} ` +
    helpFor(entry)
  );
}

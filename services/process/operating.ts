// Runs in the worker: carries out what operators ordered about read tables, and notes how far the tables are behind.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Progress } from "#ledger/projection/build.ts";
import { carryOut } from "#ledger/projection/carry-out.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { foldAsked } from "#ledger/projection/fold-again.ts";
import { SAMPLE_EVERY_MS, takeLagSample } from "#ledger/projection/lag-samples.ts";
import { isOpenOrder, readOrders } from "#ledger/projection/orders.ts";
import { gentlePace } from "#ledger/projection/pace.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import type { Doing } from "./doing.ts";

export type OperatingDeps = {
  /** For short work. */
  readonly sql: Sql;
  /** For rebuilds. */
  readonly rebuildSql: Sql;
  /** Called after each chunk of a rebuild and before each phase. */
  readonly slowRebuild: () => Promise<void>;
  readonly projections: readonly Projection[];
  readonly events: EventRegister;
  readonly doing: Doing;
  readonly logger: Logger;
};

const LOOK_EVERY_MS = 500;

/**
 * Looks for orders twice a second. Several workers share them: the one that holds a projection carries its order out.
 * Closing stops rebuilds between two chunks; the next worker continues there.
 */
export function startOperating(deps: OperatingDeps): { readonly close: () => Promise<void> } {
  const { sql, doing, logger } = deps;
  const stop = new AbortController();
  const busy = new Map<string, { readonly isShort: boolean; readonly ended: Promise<void> }>();
  const attempt = (failure: string, work: () => Promise<unknown>) =>
    retried(logger, failure, work, { level: "error", ending: stop.signal });

  function carryOutFor(projection: Projection): Promise<unknown> {
    const { name } = projection;
    let last: Progress | undefined;
    doing.set(`order ${name}`, () => describe(name, last));
    return carryOut(
      {
        sql: deps.rebuildSql,
        events: deps.events,
        pace: gentlePace,
        signal: stop.signal,
        onStage: (progress) => {
          last = progress;
          return deps.slowRebuild();
        },
      },
      projection,
    ).finally(() => doing.set(`order ${name}`, null));
  }

  const begins = new Map(
    deps.projections.map((projection) => [
      projection.name,
      attempt(`what is ordered for ${projection.name} failed`, () => carryOutFor(projection)),
    ]),
  );

  async function look(): Promise<void> {
    await foldAsked(sql, deps.projections, deps.events);
    for (const order of await readOrders(sql)) {
      const { projection } = order;
      const begin = begins.get(projection);
      // One rebuild at a time leaves most of the machine to live work; dropping tables, a switch to tables that are
      // ready and the like do not wait for it. They wait for each other: each takes two connections of a small pool, and
      // four at once took all of it and waited forever for a fifth.
      const isShort =
        order.wanted === "canceled" ||
        order.wanted === "taken-back" ||
        (order.wanted === "shown" && order.phase === "ready");
      const waitsFor = [...busy.values()].filter((running) => !isShort || running.isShort);
      const isFree = !busy.has(projection) && waitsFor.length === 0;
      if (begin !== undefined && isOpenOrder(order) && isFree && !stop.signal.aborted) {
        const ended = begin().finally(() => busy.delete(projection));
        busy.set(projection, { isShort, ended });
      }
    }
  }

  const looking = repeat(LOOK_EVERY_MS, attempt("looking for operators' orders failed", look));
  const sampling = repeat(
    SAMPLE_EVERY_MS,
    attempt("noting how far the read tables are failed", () => takeLagSample(sql)),
  );
  doing.set("tables", () => "Feeds the read tables");
  return {
    async close() {
      stop.abort(new Error("The worker is closing"));
      await Promise.all([
        looking.close(),
        sampling.close(),
        ...[...busy.values()].map(({ ended }) => ended),
      ]);
    },
  };
}

function describe(name: string, progress: Progress | undefined): string {
  if (progress === undefined) {
    return `Carries out an order about ${name}`;
  }
  const { phase, position, head } = progress;
  const words: Readonly<Record<string, string>> = {
    indexing: `Makes the indexes of the new tables of ${name}`,
    comparing: `Compares the new tables of ${name} with the shown ones`,
  };
  return (
    words[phase] ??
    `Rebuilds ${name}: event ${position.toLocaleString("en-US")} of ${head.toLocaleString("en-US")}`
  );
}

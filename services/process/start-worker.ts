// Starts the part of a process that updates the read tables and does the regular work.
import type { Purge } from "#db/purge.ts";
import { startBringingBack } from "#jobs/future-times.ts";
import { onWake } from "#jobs/wake-up.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { isOpenOrder, readOrders } from "#ledger/projection/orders.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { ProjectionRunner, RunnerOptions } from "#ledger/projection/run.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import { CLOSES_WITHIN_MS, closeWithin } from "./close-within.ts";
import { startKeepingBackups } from "./keep-backups.ts";
import { startErasing } from "./erasing.ts";
import type { ErasingDeps } from "./erasing.ts";
import { events, projections } from "../features.ts";
import { startImageWork } from "./image-work.ts";
import { startLabelCleaning } from "./label-cleaning.ts";
import { startNotifying } from "../notify/start-notifying.ts";
import { startOperating } from "./operating.ts";
import { startSecurityCleaning } from "./security-cleaning.ts";
import { startTradeDeadlines } from "./trade-deadlines.ts";
import { startVisitCleaning } from "./visit-cleaning.ts";
import { startStoreHolds, startStoreProof } from "../proof/store-proof.ts";
import type { Store } from "./open-store.ts";

/** The part of this process that updates the read tables. */
export type Worker = { readonly runner: ProjectionRunner; readonly close: () => Promise<void> };

/** Starts updating the read tables: now, at every wake-up, and once a second anyway. */
export async function startWorker(
  store: Store,
  onReached?: () => void,
  closesWithinMs = CLOSES_WITHIN_MS,
): Promise<Worker> {
  const { logger } = store;
  // If a later part cannot start, the earlier ones end, and so does the process.
  await using parts = new AsyncDisposableStack();
  const holds = await startStoreHolds(store);
  parts.defer(holds.close);
  const feeding: RunnerOptions = {
    sql: store.stepSql,
    projections,
    events,
    commit: store.standby === null ? "off" : "local",
    onHeld: (news) => {
      logger.error(
        news,
        `rows of ${news.projection} are held back; if the step is wrong, fix it, then \`npm run rebuild -- ${news.projection} --quarantined\``,
      );
      holds.look();
    },
  };
  const runner = createRunner({
    ...feeding,
    which: "without previous",
    ...(onReached === undefined ? {} : { onReached }),
  });
  const listener = await onWake(store.boss, runner.catchUp, { logger });
  parts.defer(startFeedingPrevious(feeding, store));
  parts.defer(listener.stop);
  parts.defer(store.waker.callHere(listener.nudge));
  const { clock } = store;
  const images = await startImageWork({ ...store, sql: store.workSql });
  parts.defer(images.close);
  const deadlines = await startTradeDeadlines({
    boss: store.boss,
    sql: store.workSql,
    ledger: store.ledger,
    readEvent: createReadEvent(events),
    clock,
    mailer: store.mailer,
    appUrl: store.site.url,
    logger,
  });
  parts.defer(deadlines.close);
  startByTimer(store).forEach(({ close }) => parts.defer(close));
  const operating = startOperating({
    sql: store.workSql,
    rebuildSql: store.rebuildSql,
    slowRebuild: store.slowRebuild,
    projections,
    events,
    doing: store.doing,
    logger,
  });
  parts.defer(operating.close);
  const backups = await startKeepingBackups(store);
  parts.defer(backups.close);
  const notifying = await startNotifying(store);
  parts.defer(notifying.close);
  const proof = await startStoreProof(store);
  parts.defer(proof.close);
  const started = parts.move();
  return {
    runner,
    close: () => {
      store.endLetters();
      const name = "a part of the worker";
      const close = () => started.disposeAsync();
      const onLate = () =>
        logger.warn("the database does not answer the worker, which ends without waiting for it");
      return closeWithin(closesWithinMs, { name, close, onLate }, logger);
    },
  };
}

/** What is done by a timer, and needs no job. `npm run new -- deadline` adds a line. */
function startByTimer(store: Store): readonly { readonly close: () => Promise<void> }[] {
  const { workSql: sql, ledger, identity, clock, logger, purge } = store;
  const deps = { sql, ledger, clock, logger };
  return [
    startBringingBack(deps),
    startVisitCleaning(deps),
    startSecurityCleaning(deps),
    startLabelCleaning({ ...deps, labels: identity.labels }),
    ...(purge === null ? [] : [startErasing(erasingDepsOf(store, purge))]),
  ];
}

/** A step of thousands of events costs an eighth of what the same events cost in small steps. */
const PREVIOUS_EVERY_MS = 10_000;

/** Keeps the tables from before a flip nearly up to date, so that the flip can be taken back soon. Returns what ends it. */
function startFeedingPrevious(
  feeding: RunnerOptions,
  { rebuildSql, slowRebuild, logger }: Pick<Store, "rebuildSql" | "slowRebuild" | "logger">,
): () => Promise<void> {
  // After a step of seconds it rests for twice as long, and a stop must not wait for that.
  const stopping = new AbortController();
  const { catchUp } = createRunner({
    ...feeding,
    signal: stopping.signal,
    sql: rebuildSql,
    which: "previous",
    onReached: () => void slowRebuild(),
  });
  const failure = "the tables from before a switch could not be fed";
  const feed = retried(logger, failure, async () => {
    // A rebuild needs what the shop leaves of the machine.
    if (!(await readOrders(rebuildSql)).some(isOpenOrder)) {
      await slowRebuild();
      await catchUp();
    }
  });
  const { close } = repeat(PREVIOUS_EVERY_MS, feed);
  return () => {
    stopping.abort();
    return close();
  };
}

/** The dependencies of finishing erasures. */
export function erasingDepsOf(store: Store, purge: Purge): ErasingDeps {
  const { workSql: sql, clock, logger } = store;
  const { mail } = store.config;
  return { sql, clock, logger, purge, outbox: mail.kind === "outbox" ? mail.folder : null };
}

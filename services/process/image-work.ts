// Runs in the worker: a job of pg-boss for every step of the image backfill, and the cleaning of pictures that nobody saved.
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { nextStepOf, stepBackfill, type StepDeps } from "#features/images/backfill-step.ts";
import { createFindPicture } from "#features/images/find-picture.ts";
import type { Retailer } from "#http/retailer.ts";
import { sweepImages } from "#http/stored-images.ts";
import { ensureQueue } from "#jobs/boss.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import { workOn } from "#jobs/work-on.ts";

export type ImageWorkDeps = Pick<StepDeps, "sql" | "ledger" | "clock"> & {
  readonly boss: PgBoss;
  readonly retailer: Retailer;
  readonly logger: Logger;
};

const queueName = "image-backfill";
/** Often enough to keep the pace; while no backfill runs, every two seconds are enough. */
const LOOK_MS = 250;
const IDLE_TURNS = 8;
const CLEAN_EVERY_MS = 600_000;

/**
 * The backfill is in tables, and a job is only the push for its next step: a lost or doubled one does no harm. Each
 * worker looks whether a step is due, so one that was killed is replaced by any other, or by itself
 * after its restart.
 */
export async function startImageWork(
  deps: ImageWorkDeps,
): Promise<{ readonly close: () => Promise<void> }> {
  const { boss, sql, clock, retailer, logger } = deps;
  const findPicture = createFindPicture({ sql, clock, retailer });
  const step = { ...deps, hosts: retailer.hosts, findPicture };
  await ensureQueue(boss, {
    name: queueName,
    // At most one waits. Steps may overlap: what a killed worker held is taken by another one after half a minute.
    policy: "short",
    notify: true,
    retryLimit: 0,
    expireInSeconds: 60,
    retentionSeconds: 60,
    deleteAfterSeconds: 60,
  });
  const stop = await workOn(deps, {
    queue: queueName,
    pollingIntervalSeconds: 2,
    failure: "a step of the image backfill failed",
    retryLimit: 0,
    ending: null,
    work: () => stepBackfill(step),
  });
  let turn = 0;
  let isRunning = false;
  const look = retried(logger, "the image backfill could not go on", async () => {
    const next = await nextStepOf(sql, clock());
    isRunning = next !== "none";
    if (next === "due") {
      await boss.send(queueName, null);
    }
  });
  const looking = repeat(LOOK_MS, async () => {
    turn += 1;
    if (isRunning || turn % IDLE_TURNS === 1) {
      await look();
    }
  });
  const failure = "pictures that nobody saved could not be deleted";
  const cleaning = repeat(
    CLEAN_EVERY_MS,
    retried(logger, failure, () => sweepImages(sql, clock())),
  );
  return {
    close: async () => {
      await looking.close();
      await cleaning.close();
      await stop();
    },
  };
}

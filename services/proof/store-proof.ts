// Starts in the worker what watches the books: payout holds, the continuous proof, alerts and the heartbeat.
import type { Logger } from "pino";
import type { PgBoss } from "pg-boss";
import type { Config } from "#config";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { Site } from "#http/deps.ts";
import type { StoreFacts } from "#http/store-facts.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import type { Mailer } from "#mail/mailer.ts";
import { repeat } from "#jobs/repeat.ts";
import { PROOF_NAME } from "#process/background-pools.ts";
import type { Doing } from "#process/doing.ts";
import { events, projections } from "../features.ts";
import { ensureAlertLetterQueue, queueAlertLetter } from "./alert-letters.ts";
import type { Alerting } from "./alerting.ts";
import { createAlerting } from "./alerting.ts";
import type { PayoutHoldWatch } from "./payout-holds.ts";
import { startPayoutHolds } from "./payout-holds.ts";
import { proveInThread } from "./proof-thread.ts";
import { backupHealth } from "./health.ts";
import { startStalledWatch } from "./stalled-tables.ts";
import { startProof } from "./start-proof.ts";
import { createAgeCheck } from "./too-old.ts";

/** What this needs of an open store. */
export type ProofStore = {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: () => Date;
  readonly workSql: Sql;
  readonly databaseUrl: string;
  readonly ledger: Ledger;
  readonly boss: PgBoss;
  readonly mailer: Mailer;
  readonly facts: StoreFacts;
  readonly site: Site;
  readonly doing: Doing;
  /** Writes the log's head to this process's file. */
  readonly publishHead: () => Promise<void>;
  /** Called while something is proved, so that the proof gives way to the shop. */
  readonly slowProof: () => Promise<void>;
};

/** Raises alerts in the log, and by e-mail where the store has an address for them. */
export function storeAlerting({
  workSql: sql,
  ledger,
  clock,
  logger,
  boss,
  config,
}: Pick<ProofStore, "workSql" | "ledger" | "clock" | "logger" | "boss" | "config">): Alerting {
  const queueLetter =
    config.alertEmail === null
      ? null
      : (transaction: Parameters<typeof queueAlertLetter>[1]) =>
          queueAlertLetter(boss, transaction);
  const readEvent = createReadEvent(events);
  return createAlerting({ sql, readEvent, ledger, clock, logger, queueLetter });
}

function partsOf({ workSql: sql, ledger, clock, logger }: ProofStore) {
  return { sql, ledger, clock, logger, readEvent: createReadEvent(events), projections };
}

/** Keeps payout holds and alerts in line with the row keys that are held back. */
export async function startStoreHolds(store: ProofStore): Promise<PayoutHoldWatch> {
  if (store.config.alertEmail !== null) {
    await ensureAlertLetterQueue(store.boss);
  }
  return startPayoutHolds({ ...partsOf(store), alerting: storeAlerting(store) });
}

/** How often connections of a proof of everything are looked for. */
const SLOWED_EVERY_MS = 1_000;

/** Starts the continuous proof, on connections of its own, so that it takes none from other work. */
export async function startStoreProof(
  store: ProofStore,
): Promise<{ readonly close: () => Promise<void> }> {
  const { config, boss, databaseUrl, mailer, facts, site, doing, clock } = store;
  const applicationName = PROOF_NAME;
  const { heads, secretKey, database } = config;
  const hasOwnServer = database.kind === "embedded";
  const order = { databaseUrl, applicationName, heads, secretKey, hasOwnServer };
  const proofSql = connect(databaseUrl, {
    applicationName,
    // One that the proof of everything holds, and one more for each of the two proofs.
    maxConnections: 3,
    isInBackground: true,
    // As with rebuilds: nobody shall wait for a commit of what gives way. What a crash loses is proved again.
    commit: "off",
  });
  const stalled = startStalledWatch({ ...partsOf(store), events, alerting: storeAlerting(store) });
  doing.set("accounts", () => "Proves accounts in turn");
  const running = await startProof({
    ...partsOf(store),
    alerting: storeAlerting(store),
    boss,
    proofSql,
    events,
    proofTime: config.proofTime,
    timeZone: facts.timeZone,
    giveWay: store.slowProof,
    age: createAgeCheck(proofSql, events),
    prove: async (signal) => {
      doing.set("books", () => "Proves the whole books");
      // A worker with a folder of its own may not have written any head yet, and none at all is a finding.
      await store.publishHead();
      const slowing = repeat(SLOWED_EVERY_MS, store.slowProof);
      try {
        return await proveInThread(order, signal);
      } finally {
        await slowing.close();
        doing.set("books", null);
      }
    },
    heartbeatUrl: config.heartbeatUrl,
    health: config.backup.folder === null ? [] : [backupHealth({ sql: proofSql, clock })],
    letters:
      config.alertEmail === null ? null : { mailer, to: config.alertEmail, appUrl: site.url },
  });
  return {
    close: async () => {
      await stalled.close();
      await running.close();
      await proofSql.end({ timeout: 5 });
    },
  };
}

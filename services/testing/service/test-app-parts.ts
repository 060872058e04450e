// The parts of a test app apart from its routes: options, identity, reads, metrics and readiness.
import { pino } from "pino";
import type { Logger } from "pino";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { Standby } from "#db/standby.ts";
import type { StorageWatch } from "#db/storage-watch.ts";
import type { CommandRules } from "#http/command-limit.ts";
import type { ExpensiveRules } from "#http/expensive-reads.ts";
import type { FeatureRoutes } from "#http/deps.ts";
import { observeLedger } from "#http/ledger-metrics.ts";
import type { Live } from "#http/live.ts";
import { createMetrics } from "#http/metrics.ts";
import type { Metrics } from "#http/metrics.ts";
import { openReading } from "#http/reading.ts";
import { notingNames, notingReads } from "#testing/service/declared-reads.ts";
import type { ReadParts } from "#http/reading.ts";
import { createOutages } from "#http/outages.ts";
import type { Retailer } from "#http/retailer.ts";
import { createReadiness, databaseCheck, storageCheck } from "#http/readiness.ts";
import { observeStandby, standbyCheck } from "#http/standby-report.ts";
import { noWebBuild, type WebBuild } from "#http/web-build.ts";
import type { AttemptRules } from "#features/sign-in/attempts.ts";
import { projections as allProjections } from "../../features.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { createIdentity } from "#identity/identity.ts";
import type { Identity } from "#identity/identity.ts";
import { signInRoutes, signInRoutesWith } from "#features/sign-in/routes.ts";
import type { Issuer } from "#identity/id-tokens.ts";
import type { AdminSecondFactor } from "#identity/standing.ts";
import type { OAuthSettings } from "#identity/oauth-client.ts";
import type { PasswordCost } from "#identity/passwords.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import type { Letter } from "#mail/letter.ts";
import type { Mailer } from "#mail/mailer.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

export type TestAppOptions = {
  /** Instead of the register's. */
  readonly routes?: readonly FeatureRoutes[];
  /** In addition to the register's. */
  readonly streams?: ReadonlyMap<string, StreamDefinition<unknown>>;
  /** In addition to the register's. */
  readonly events?: ReadonlyMap<string, EventDefinition>;
  /** Instead of the register's, for specs that read no tables or their own. */
  readonly projections?: readonly Projection[];
  readonly attemptRules?: AttemptRules;
  readonly commandRules?: CommandRules;
  readonly expensiveRules?: ExpensiveRules;
  readonly isProduction?: boolean;
  readonly metricsToken?: string;
  readonly google?: OAuthSettings;
  readonly discord?: OAuthSettings;
  /** Sends mails; by default they are kept in `letters`. */
  readonly mailer?: Mailer;
  /** The real one is slow on purpose: pass it only where it matters. */
  readonly passwordCost?: PasswordCost;
  readonly outsideIssuers?: readonly Issuer[];
  readonly webBuild?: WebBuild;
  /** `STORE_TIME_ZONE`; null if the settings decide. */
  readonly fixedTimeZone?: string | null;
  /** `ADMIN_SECOND_FACTOR`; by default optional. */
  readonly adminSecondFactor?: AdminSecondFactor;
  /** `CONFIRM_PAYOUTS_ABOVE` in cents; by default none. */
  readonly confirmPayoutsAboveCents?: number;
  /** By default one whose hosts are not reached. */
  readonly retailer?: Retailer;
  /** How many forwarded addresses are trusted; by default none. */
  readonly proxyCount?: number;
  /** Wraps the log's writer for the routes; by default the writer itself. */
  readonly ledgerOver?: (ledger: Ledger) => Ledger;
  /** Called when a read waits; by default the read tables catch up. */
  readonly wakeUp?: (runner: ProjectionRunner) => void;
  /** Whether reads soon give up waiting and answer stale data; by default only a fault makes them stale. */
  readonly goesStale?: boolean;
  /** A database and its standby; by default a new database without one. */
  readonly on?: {
    readonly database: TestDatabase;
    readonly standby: Standby;
    /** How long a read waits for the standby. */
    readonly patienceMs: number;
  };
};

/** The hosts that test apps take for the retailer's. Nothing leaves the machine. */
const UNREACHED_RETAILER: Retailer = {
  hosts: new Set(["www.amazon.com"]),
  imageHosts: new Set(["m.media-amazon.com", "images-na.ssl-images-amazon.com"]),
  fetch: () => Promise.resolve({ kind: "refused", why: "failed" }),
};

/** What the environment decides in a running service. */
export function configuredParts(options: TestAppOptions) {
  return {
    confirmPayoutsAboveCents: options.confirmPayoutsAboveCents ?? null,
    retailer: options.retailer ?? UNREACHED_RETAILER,
  };
}

/** As weak as argon2 allows, for specs about something else. */
export const CHEAP_PASSWORDS: PasswordCost = { memory: 8, passes: 1, parallelism: 1 };

/** Connections with which a test app reads the primary. */
export const READ_POOL_SIZE = 4;

/** Included in every test app, so that people can sign in. */
export function withSignIn(
  routes: readonly FeatureRoutes[],
  { attemptRules }: TestAppOptions,
): readonly FeatureRoutes[] {
  const signIn = attemptRules === undefined ? signInRoutes : signInRoutesWith(attemptRules);
  return [signIn, ...routes.filter((feature) => feature !== signInRoutes)];
}

/** Where people's data is kept. */
export function personalParts({ profiles, payoutHandles, notes, labels, tradePapers }: Identity) {
  return { profiles, payoutHandles, notes, labels, tradePapers };
}

/** Reads of the primary use a read-only pool, so a query that writes fails here as on a standby. */
export async function openTestReads(
  database: TestDatabase,
  options: TestAppOptions,
  wakeUp: () => void,
) {
  const readSql = connect(database.appUrl, {
    applicationName: "test-reads",
    maxConnections: READ_POOL_SIZE,
    isReadOnly: true,
  });
  // Opening the first connection takes longer than some reads may wait.
  await readSql`select 1`;
  const reading = openReading({
    primary: notingReads(readSql),
    standby: options.on?.standby ?? null,
    projections: options.projections ?? allProjections,
    wakeUp,
    ...(options.on === undefined ? {} : { standbyPatienceMs: options.on.patienceMs }),
    // A slow machine must not make a read stale, except in tests of stale reads.
    ...(options.goesStale === true ? {} : { positionTimeoutMs: 30_000, headTimeoutMs: 30_000 }),
  });
  return { readSql, reading: { ...reading, freshness: notingNames(reading.freshness) } };
}

export function timeZoneOf({ fixedTimeZone = "America/Chicago" }: TestAppOptions): string | null {
  return fixedTimeZone;
}

export function settingsOf(options: TestAppOptions) {
  const { webBuild, proxyCount, commandRules, expensiveRules, isProduction, metricsToken } =
    options;
  return {
    webBuild: webBuild ?? noWebBuild,
    proxyCount: proxyCount ?? 0,
    isProduction: isProduction ?? false,
    ...(commandRules === undefined ? {} : { commandRules }),
    ...(expensiveRules === undefined ? {} : { expensiveRules }),
    ...(metricsToken === undefined ? {} : { metricsToken }),
  };
}

export function testMetrics(parts: {
  readonly sql: Sql;
  readonly standby: Standby | null;
  readonly reading: ReadParts;
  readonly ledger: LedgerWriter;
  readonly live: Live;
}): Metrics {
  const metrics = createMetrics();
  observeLedger(metrics.registry, {
    readCheckpoints: parts.reading.readCheckpoints,
    countHeld: () => countHeldKeys(parts.sql),
    queueLength: parts.ledger.queueLength,
    listenerCount: parts.live.listenerCount,
  });
  if (parts.standby !== null) {
    observeStandby(metrics.registry, parts.standby, parts.reading.counts);
  }
  return metrics;
}

export function errorsInto(lines: string[]): Logger {
  return pino({ level: "error" }, { write: (line: string) => void lines.push(line.trim()) });
}

export function operatorParts(parts: {
  readonly sql: Sql;
  readonly standby: Standby | null;
  readonly storage: StorageWatch;
  readonly logger: Logger;
}) {
  const { sql, standby, storage, logger } = parts;
  const checks = [
    databaseCheck(() => sql`select 1`),
    storageCheck(storage),
    ...(standby === null ? [] : [standbyCheck(standby)]),
  ];
  return { readiness: createReadiness(checks, logger), outages: createOutages(storage, logger) };
}

export function testIdentity(
  options: TestAppOptions,
  sql: Sql,
  clock: () => Date,
  logger: Logger,
  letters: Letter[],
): Identity {
  return createIdentity({
    sql,
    clock,
    sealed: testSealed,
    adminSecondFactor: options.adminSecondFactor ?? "optional",
    logger,
    mailer: options.mailer ?? {
      send: (letter) => {
        letters.push(letter);
        return Promise.resolve();
      },
    },
    google: options.google ?? null,
    discord: options.discord ?? null,
    passwordCost: options.passwordCost ?? CHEAP_PASSWORDS,
    ...(options.outsideIssuers === undefined ? {} : { outsideIssuers: options.outsideIssuers }),
  });
}

// The whole HTTP app on a database of its own, with people to call it as and a fixed clock.
import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import { pino } from "pino";
import type { Logger } from "pino";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { Standby } from "#db/standby.ts";
import { watchStorage } from "#db/storage-watch.ts";
import type { StorageWatch } from "#db/storage-watch.ts";
import { createApp } from "#http/app.ts";
import type { CommandRules } from "#http/command-limit.ts";
import type { FeatureRoutes, RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { observeLedger } from "#http/ledger-metrics.ts";
import { createLive } from "#http/live.ts";
import type { Live } from "#http/live.ts";
import { createMetrics } from "#http/metrics.ts";
import type { Metrics } from "#http/metrics.ts";
import { openReading } from "#http/reading.ts";
import type { ReadParts } from "#http/reading.ts";
import { createOutages } from "#http/outages.ts";
import { createReadiness, databaseCheck, storageCheck } from "#http/readiness.ts";
import { observeStandby, standbyCheck } from "#http/standby-report.ts";
import type { WebBuild } from "#http/web-build.ts";
import { createWorkThread } from "#http/work-thread.ts";
import type { AttemptRules } from "#features/sign-in/attempts.ts";
import { createIdentity } from "#identity/identity.ts";
import type { Identity } from "#identity/identity.ts";
import { createStoreFacts } from "#features/settings/current-settings.ts";
import { signInRoutes, signInRoutesWith } from "#features/sign-in/routes.ts";
import type { Issuer } from "#identity/id-tokens.ts";
import type { OAuthSettings } from "#identity/oauth-client.ts";
import type { PasswordCost } from "#identity/passwords.ts";
import type { Role } from "#identity/profiles.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import type { Letter } from "#mail/letter.ts";
import type { Mailer } from "#mail/mailer.ts";
import { projections as allProjections } from "../../features.ts";
import { allRoutes, eventsWith, streamsWith } from "#testing/shop/register.ts";
import type { PeopleDeps } from "#testing/shop/people.ts";
import { makePerson } from "#testing/shop/people.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";
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

/** A person to call as. */
export type TestPerson = { readonly uid: string; readonly email: string; readonly token: string };

export type TestRequest = {
  readonly as?: TestPerson;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type TestAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
};

export type TestApp = {
  readonly app: Hono<AppEnv>;
  readonly deps: RouteDeps;
  readonly identity: Identity;
  readonly live: Live;
  readonly database: TestDatabase;
  readonly runner: ProjectionRunner;
  /** The sent mails, newest last. */
  readonly letters: readonly Letter[];
  /** The log lines at level error. */
  readonly errorLines: readonly string[];
  /** A person with a profile, a name and a token, but no password. */
  readonly person: (name: string, role?: Role) => Promise<TestPerson>;
  readonly call: (method: string, path: string, request?: TestRequest) => Promise<TestAnswer>;
  /** Moves the clock of the app and its tokens. */
  readonly advance: (milliseconds: number) => void;
  readonly close: () => Promise<void>;
};

/** As weak as argon2 allows, for specs about something else. */
export const CHEAP_PASSWORDS: PasswordCost = { memory: 8, passes: 1, parallelism: 1 };

/** Connections with which a test app reads the primary. */
export const READ_POOL_SIZE = 4;

/** The fixed time of a test app's clock. */
export const TEST_NOW = new Date("2026-11-21T10:00:00.000Z");

/** Included in every test app, so that people can sign in. */
function withSignIn(
  routes: readonly FeatureRoutes[],
  { attemptRules }: TestAppOptions,
): readonly FeatureRoutes[] {
  const signIn = attemptRules === undefined ? signInRoutes : signInRoutesWith(attemptRules);
  return [signIn, ...routes.filter((feature) => feature !== signInRoutes)];
}

/** An app with the whole register by default. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const makeDatabase = options.projections === undefined ? readableDatabase : testDatabase;
  const database = options.on?.database ?? (await makeDatabase());
  const standby = options.on?.standby ?? null;
  const { sql } = database;
  const { projections = allProjections, routes = allRoutes } = options;
  const streams = streamsWith(...(options.streams?.values() ?? []));
  const events = eventsWith(...(options.events?.values() ?? []));
  await ensureProjections({ sql, projections, events });
  const commit = standby === null ? "off" : "local";
  const runner = createRunner({ sql, projections, events, commit });
  const errorLines: string[] = [];
  const logger = errorsInto(errorLines);
  const storage = watchStorage({ folders: [], warningBytes: null, logger });
  const writerSql = connect(database.appUrl, { applicationName: "test-ledger", maxConnections: 1 });
  const onAppended = storage.noteWritten;
  const ledger = openLedger({ sql: writerSql, streams, events, newId: randomUUID, onAppended });
  let now = TEST_NOW;
  const clock = (): Date => now;
  const letters: Letter[] = [];
  const identity = testIdentity(options, sql, clock, letters);
  const wakeUp = options.wakeUp ?? ((woken) => void woken.catchUp());
  const onError = (error: unknown) => void errorLines.push(String(error));
  const { reading, readSql } = await openTestReads(database, options, () => wakeUp(runner));
  const readCheckpoints = reading.readShownCheckpoints;
  const live = createLive({ readCheckpoints, clock, onError, lookEveryMs: 10, heartbeatMs: 50 });
  const workThread = createWorkThread();
  const deps: RouteDeps = {
    ledger: options.ledgerOver?.(ledger) ?? ledger,
    ...reading.deps,
    sql,
    readEvent: createReadEvent(events),
    clock,
    newId: randomUUID,
    identity,
    site: { origins: "host", isSecure: false, url: () => "http://app.test" },
    ...personalParts(identity),
    store: createStoreFacts({ sql, readEvent: createReadEvent(events) }, timeZoneOf(options)),
    logger,
    workThread,
    freshness: reading.freshness,
  };
  const app = createApp(
    {
      ...deps,
      identity,
      live,
      ...operatorParts({ sql, standby, storage, logger }),
      metrics: testMetrics({ sql, standby, reading, ledger, live }),
      ...settingsOf(options),
    },
    withSignIn(routes, options),
  );
  return {
    app,
    deps,
    identity,
    live,
    database,
    runner,
    letters,
    errorLines,
    person: (name, role = "user") => addPerson({ sql, ledger, clock, identity }, name, role),
    call: (method, path, request = {}) => call(app, method, path, request),
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    async close() {
      // The last read may have woken the runner, so the pool must not end before it.
      await runner.catchUp().catch(() => undefined);
      live.close();
      storage.close();
      await workThread.close();
      await ledger.close();
      await Promise.all([writerSql.end({ timeout: 5 }), readSql.end({ timeout: 5 })]);
      await database.close();
    },
  };
}

/** Where people's data is kept. */
function personalParts({ profiles, payoutHandles, notes, labels, tradePapers }: Identity) {
  return { profiles, payoutHandles, notes, labels, tradePapers };
}

/** Reads of the primary use a read-only pool, so a query that writes fails here as on a standby. */
async function openTestReads(database: TestDatabase, options: TestAppOptions, wakeUp: () => void) {
  const readSql = connect(database.appUrl, {
    applicationName: "test-reads",
    maxConnections: READ_POOL_SIZE,
    isReadOnly: true,
  });
  // Opening the first connection takes longer than some reads may wait.
  await readSql`select 1`;
  const reading = openReading({
    primary: readSql,
    standby: options.on?.standby ?? null,
    projections: options.projections ?? allProjections,
    wakeUp,
    ...(options.on === undefined ? {} : { standbyPatienceMs: options.on.patienceMs }),
    // A slow machine must not make a read stale, except in tests of stale reads.
    ...(options.goesStale === true ? {} : { positionTimeoutMs: 30_000, headTimeoutMs: 30_000 }),
  });
  return { readSql, reading };
}

function timeZoneOf({ fixedTimeZone = "America/Chicago" }: TestAppOptions): string | null {
  return fixedTimeZone;
}

function settingsOf({ webBuild, proxyCount, commandRules }: TestAppOptions) {
  return {
    webBuild: webBuild ?? new Map(),
    proxyCount: proxyCount ?? 0,
    ...(commandRules === undefined ? {} : { commandRules }),
  };
}

function testMetrics(parts: {
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

function errorsInto(lines: string[]): Logger {
  return pino({ level: "error" }, { write: (line: string) => void lines.push(line.trim()) });
}

function operatorParts(parts: {
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

function testIdentity(
  options: TestAppOptions,
  sql: Sql,
  clock: () => Date,
  letters: Letter[],
): Identity {
  return createIdentity({
    sql,
    clock,
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

async function addPerson(
  deps: PeopleDeps & { readonly identity: Identity },
  name: string,
  role: Role,
): Promise<TestPerson> {
  const email = `${name.toLowerCase()}@people.test`;
  const uid = await makePerson(deps, { email, displayName: name, role });
  return { uid, email, token: await deps.identity.issueTokenFor(uid) };
}

async function call(
  app: Hono<AppEnv>,
  method: string,
  path: string,
  { as, body, headers }: TestRequest,
): Promise<TestAnswer> {
  const response = await app.request(`http://app.test${path}`, {
    method,
    headers: {
      ...(as === undefined ? {} : { Authorization: `Bearer ${as.token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// The whole HTTP app on a database of its own, with people to call it as and a fixed clock.
import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import { onTestFailed, TestRunner } from "vitest";
import { connect } from "#db/connect.ts";
import { watchStorage } from "#db/storage-watch.ts";
import { createApp } from "#http/app.ts";
import type { RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { createLive } from "#http/live.ts";
import type { Live } from "#http/live.ts";
import { createWorkThread } from "#http/work-thread.ts";
import type { Identity } from "#identity/identity.ts";
import { createRehearsals } from "#features/rehearsal/rehearsals.ts";
import { createStoreFacts } from "#features/settings/current-settings.ts";
import type { Role } from "#identity/profiles.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import type { Letter } from "#mail/letter.ts";
import { allRoutes, eventsWith, streamsWith } from "#testing/shop/register.ts";
import type { PeopleDeps } from "#testing/shop/people.ts";
import { makePerson } from "#testing/shop/people.ts";
import { explanations, projections as allProjections } from "../../features.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import {
  withSignIn,
  personalParts,
  openTestReads,
  timeZoneOf,
  settingsOf,
  testMetrics,
  errorsInto,
  operatorParts,
  testIdentity,
  configuredParts,
} from "#testing/service/test-app-parts.ts";
import type { TestAppOptions } from "#testing/service/test-app-parts.ts";
import { withNamedReads } from "#testing/service/declared-reads.ts";

/** A person to call as. */
export type TestPerson = { readonly uid: string; readonly email: string; readonly token: string };

export type TestRequest = {
  readonly as?: TestPerson;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal;
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

/** The fixed time of a test app's clock. */
export const TEST_NOW = new Date("2026-11-21T10:00:00.000Z");

/** How often live streams look, beat and read who may stay. */
const HASTY = { lookEveryMs: 10, heartbeatMs: 50, standingMs: 50 };

/** An app with the whole register by default. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.on?.database ?? (await databaseFor(options));
  const standby = options.on?.standby ?? null;
  const { sql } = database;
  const { projections = allProjections, routes = allRoutes } = options;
  const streams = streamsWith(...(options.streams?.values() ?? []));
  const events = eventsWith(...(options.events?.values() ?? []));
  await ensureOwnTables(options, { sql, projections, events });
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
  const identity = testIdentity(options, sql, clock, logger, letters);
  const wakeUp = options.wakeUp ?? ((woken) => void woken.catchUp());
  const onError = (error: unknown) => void errorLines.push(String(error));
  const { reading, readSql } = await openTestReads(database, options, () => wakeUp(runner));
  const readCheckpoints = reading.readShownCheckpoints;
  const live = createLive({ readCheckpoints, clock, onError, ...HASTY });
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
    ...configuredParts(options),
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
      rehearsals: createRehearsals({ ...deps, streams, events, explanations }),
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
    call: (method, path, request = {}) =>
      callAndTell({ app, errorLines, projections }, [method, path, request]),
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    async close() {
      // The last read may have woken the runner, so the pool must not end before it.
      await runner.catchUp().catch(() => undefined);
      live.close();
      storage.close();
      await Promise.all([workThread.close(), identity.parts.securityLog.flush()]);
      await ledger.close();
      await Promise.all([writerSql.end({ timeout: 5 }), readSql.end({ timeout: 5 })]);
      await database.close();
    },
  };
}

/** With the register's tables where they are all wanted: making them takes longer than copying them. */
function databaseFor({ projections }: TestAppOptions): Promise<TestDatabase> {
  const asked = new Set(projections ?? allProjections);
  return allProjections.every((projection) => asked.has(projection))
    ? readableDatabase()
    : testDatabase();
}

/** A copy of the readable database has the register's tables: looking at each again takes longer than copying them. */
async function ensureOwnTables(
  options: TestAppOptions,
  deps: Parameters<typeof ensureProjections>[0],
): Promise<void> {
  if ((options.projections ?? options.events ?? options.on) !== undefined) {
    await ensureProjections(deps);
  }
}

async function callAndTell(
  {
    app,
    errorLines,
    projections,
  }: Pick<TestApp, "app" | "errorLines"> & { readonly projections: readonly Projection[] },
  [method, path, request]: readonly [string, string, TestRequest],
): Promise<TestAnswer> {
  const linesBefore = errorLines.length;
  const answer = await withNamedReads(`${method} ${path}`, projections, () =>
    call(app, method, path, request),
  );
  if (answer.status === 500) {
    tellIfTestFails(`${method} ${path} was a 500`, errorLines.slice(linesBefore));
  }
  return answer;
}

/** The answer names only a request id, so the output of a failed test has the server's error. */
function tellIfTestFails(what: string, lines: readonly string[]): void {
  if (TestRunner.getCurrentTest() === undefined) {
    return;
  }
  onTestFailed(({ task }) => {
    for (const error of task.result?.errors ?? []) {
      error.message += `\n${what}:\n${lines.join("\n")}`;
    }
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
  { as, body, headers, signal }: TestRequest,
): Promise<TestAnswer> {
  const response = await app.request(`http://app.test${path}`, {
    method,
    headers: {
      ...(as === undefined ? {} : { Authorization: `Bearer ${as.token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
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

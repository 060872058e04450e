// What every route may use, handed to each feature's routes when the app is put together.
import type { Hono } from "hono";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import type { Notes } from "#identity/notes.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { IdentityTables } from "#identity/tables.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { AppEnv } from "#http/env.ts";
import type { Freshness } from "#http/freshness.ts";
import type { WorkThread } from "#http/work-thread.ts";

export type RouteDeps = {
  readonly ledger: Ledger;
  /** As the app role. A feature adds its own tables: `db.withTables<{ "read.sales": SalesTable }>()`. */
  readonly db: Kysely<IdentityTables>;
  /** As the app role, for SQL that Kysely only obscures. */
  readonly sql: Sql;
  /** The data of a row of log.events in its current version: whoever shows events reads them through this. */
  readonly readEvent: ReadEvent;
  readonly clock: () => Date;
  /** A new random UUID. */
  readonly newId: () => string;
  readonly profiles: Profiles;
  readonly payoutHandles: PayoutHandles;
  readonly notes: Notes;
  /** IANA name; statement months are the store's. */
  readonly storeTimeZone: string;
  readonly logger: Logger;
  readonly freshness: Freshness;
  /** For work of many milliseconds, which would hold up everybody else's requests. */
  readonly workThread: WorkThread;
};

/** A feature's routes: a Hono app whose paths follow `/api`, for example `/sales/record`. */
export type FeatureRoutes = (deps: RouteDeps) => Hono<AppEnv>;

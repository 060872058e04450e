// What every route may use; passed to each feature's routes when the app is created.
import type { Hono } from "hono";
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import type { Identity } from "#identity/identity.ts";
import type { Labels } from "#identity/labels.ts";
import type { Notes } from "#identity/notes.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { TradePapers } from "#identity/trade-papers.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { AppEnv } from "#http/env.ts";
import type { Freshness } from "#http/freshness.ts";
import type { ReadDeps } from "#http/reads.ts";
import type { Retailer } from "#http/retailer.ts";
import type { AllowedOrigins } from "#http/same-origin.ts";
import type { StoreFacts } from "#http/store-facts.ts";
import type { WorkThread } from "#http/work-thread.ts";

/** How the app is reached from outside. */
export type Site = {
  /** The app's own origins; "host" accepts the one that the request was sent to. */
  readonly origins: AllowedOrigins;
  /** False only if the app is reached by plain HTTP, as on a developer's machine. */
  readonly isSecure: boolean;
  /** Without a slash at the end; for links in letters. */
  readonly url: () => string;
};

/** Lists, look-ups, histories and files read through `reads` and `searches`; look-ups for commands use `sql`. */
export type RouteDeps = ReadDeps & {
  readonly ledger: Ledger;
  /** The primary, as the app role: for look-ups of commands, roles, sessions and identity. */
  readonly sql: Sql;
  /** The data of a row of log.events in its current version: code that shows events reads them through this. */
  readonly readEvent: ReadEvent;
  readonly clock: () => Date;
  /** A new random UUID. */
  readonly newId: () => string;
  /** For the sign-in routes, and for signing statements. */
  readonly identity: Pick<Identity, "parts">;
  readonly site: Site;
  readonly profiles: Profiles;
  readonly payoutHandles: PayoutHandles;
  readonly notes: Notes;
  readonly labels: Labels;
  readonly tradePapers: TradePapers;
  /** Marking a payout above this as paid needs a confirmation; null for none. */
  readonly confirmPayoutsAboveCents: number | null;
  /** The store's name, address and time zone: an admin may change them at any time. */
  readonly store: StoreFacts;
  /** Whose pages have pictures of products. */
  readonly retailer: Retailer;
  readonly logger: Logger;
  readonly freshness: Freshness;
  /** For work that takes many milliseconds and would delay all other requests. */
  readonly workThread: WorkThread;
};

/** A feature's routes: a Hono app whose paths follow `/api`, for example `/sales/record`. */
export type FeatureRoutes = (deps: RouteDeps) => Hono<AppEnv>;

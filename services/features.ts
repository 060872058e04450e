// THE register: every feature's streams, events, projections and routes. Read first.
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import type { NameFamily } from "#ledger/names.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { BookCheck } from "#ledger/verify/verify.ts";
import { accountChecks } from "#features/accounts/checks.ts";
import { accountEvents } from "#features/accounts/events.ts";
import { accountHistoryProjection, balancesProjection } from "#features/accounts/projection.ts";
import { accountRoutes } from "#features/accounts/routes.ts";
import { accountNames, consignorStream } from "#features/accounts/streams.ts";
import { stockImportRoutes } from "#features/import/routes.ts";
import { inventoryChecks } from "#features/inventory/checks.ts";
import { inventoryEvents } from "#features/inventory/events.ts";
import { inventoryProjection, itemTimelineProjection } from "#features/inventory/projection.ts";
import { inventoryRoutes } from "#features/inventory/routes.ts";
import {
  barcodeStreamDefinition,
  inventoryNames,
  itemStreamDefinition,
} from "#features/inventory/streams.ts";
import { migrationEvents } from "#features/migration/events.ts";
import { migrationRoutes } from "#features/migration/routes.ts";
import { legacyStream, migrationNames } from "#features/migration/streams.ts";
import { payoutChecks } from "#features/payouts/checks.ts";
import { payoutEvents } from "#features/payouts/events.ts";
import { payoutsProjection } from "#features/payouts/projection.ts";
import { payoutRoutes } from "#features/payouts/routes.ts";
import { payoutNames, payoutStream } from "#features/payouts/streams.ts";
import { saleEvents } from "#features/sales/events.ts";
import { salesProjection } from "#features/sales/projection.ts";
import { saleRoutes } from "#features/sales/routes.ts";
import { saleNames, saleStream } from "#features/sales/streams.ts";
import { signInRoutes } from "#features/sign-in/routes.ts";
import { userChecks } from "#features/users/checks.ts";
import { userEvents } from "#features/users/events.ts";
import { userRoutes } from "#features/users/routes.ts";
import { userAdminRoutes } from "#features/users/routes-admin.ts";
import { setupRoutes } from "#features/users/routes-setup.ts";
import { adminsStream, userNames, usernameStream, userStream } from "#features/users/streams.ts";
import type { FeatureRoutes } from "#http/deps.ts";

export type Feature = {
  readonly name: string;
  readonly streams: readonly StreamDefinition<unknown>[];
  readonly events: readonly EventDefinition[];
  /** Its streams, accounts and holdings with an id inside, which SQL knows as functions too. */
  readonly names: readonly NameFamily[];
  readonly projections: readonly Projection[];
  /** What must hold of its read tables besides live = replay; part of `npm run verify`. */
  readonly checks: readonly BookCheck[];
  readonly routes: readonly FeatureRoutes[];
};

export const features: readonly Feature[] = [
  {
    name: "inventory",
    streams: [itemStreamDefinition, barcodeStreamDefinition],
    events: inventoryEvents,
    names: inventoryNames,
    projections: [inventoryProjection, itemTimelineProjection],
    checks: inventoryChecks,
    routes: [inventoryRoutes],
  },
  {
    name: "accounts",
    streams: [consignorStream],
    events: accountEvents,
    names: accountNames,
    projections: [balancesProjection, accountHistoryProjection],
    checks: accountChecks,
    routes: [accountRoutes],
  },
  {
    name: "sales",
    streams: [saleStream],
    events: saleEvents,
    names: saleNames,
    projections: [salesProjection],
    checks: [],
    routes: [saleRoutes],
  },
  {
    name: "payouts",
    streams: [payoutStream],
    events: payoutEvents,
    names: payoutNames,
    projections: [payoutsProjection],
    checks: payoutChecks,
    routes: [payoutRoutes],
  },
  {
    name: "import",
    streams: [],
    events: [],
    names: [],
    projections: [],
    checks: [],
    routes: [stockImportRoutes],
  },
  {
    name: "sign-in",
    streams: [],
    events: [],
    names: [],
    projections: [],
    checks: [],
    routes: [signInRoutes],
  },
  {
    name: "users",
    streams: [userStream, adminsStream, usernameStream],
    events: userEvents,
    names: userNames,
    projections: [],
    checks: userChecks,
    routes: [userRoutes, userAdminRoutes, setupRoutes],
  },
  {
    name: "migration",
    streams: [legacyStream],
    events: migrationEvents,
    names: migrationNames,
    projections: [],
    checks: [],
    routes: [migrationRoutes],
  },
];

function register<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
): Map<string, Entry> {
  const byName = new Map<string, Entry>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (byName.has(name)) {
      throw new Error(`${name} is registered twice`);
    }
    byName.set(name, entry);
  }
  return byName;
}

/** Every stream definition by its category. */
export const streams: ReadonlyMap<string, StreamDefinition<unknown>> = register(
  features.flatMap((feature) => feature.streams),
  (definition) => definition.category,
);

/** Every event type by its name. */
export const events: ReadonlyMap<string, EventDefinition> = register(
  features.flatMap((feature) => feature.events),
  (definition) => definition.type,
);

/** Every projection, in the order of the features. */
export const projections: readonly Projection[] = features.flatMap(
  (feature) => feature.projections,
);

/** Every check of the books that a feature adds. */
export const bookChecks: readonly BookCheck[] = features.flatMap((feature) => feature.checks);

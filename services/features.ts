// THE register: the streams, events, explanations, projections and routes of every feature. Read it first.
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { othersDoNothing } from "#ledger/verify/event-rules.ts";
import { accountChecks } from "#features/accounts/checks.ts";
import { accountEvents } from "#features/accounts/events.ts";
import { accountExplanations } from "#features/accounts/explain.ts";
import { accountHistoryProjection, balancesProjection } from "#features/accounts/projection.ts";
import { accountBlocksProjection } from "#features/accounts/projection-blocks.ts";
import { accountRoutes } from "#features/accounts/routes.ts";
import { accountNames, consignorStream } from "#features/accounts/streams.ts";
import { auditProjection } from "#features/audit/projection.ts";
import { auditRoutes } from "#features/audit/routes.ts";
import { holdChecks } from "#features/holds/checks.ts";
import { holdEvents } from "#features/holds/events.ts";
import { holdExplanations } from "#features/holds/explain.ts";
import { holdRoutes } from "#features/holds/routes.ts";
import { holdNames, holdsStream, holdStream } from "#features/holds/streams.ts";
import { alertChecks } from "#features/alerts/checks.ts";
import { alertEvents } from "#features/alerts/events.ts";
import { alertExplanations } from "#features/alerts/explain.ts";
import { alertRoutes } from "#features/alerts/routes.ts";
import { alertNames, alertsStream, alertStream } from "#features/alerts/streams.ts";
import { imageChecks } from "#features/images/checks.ts";
import { imageRoutes } from "#features/images/routes.ts";
import { stockImportRoutes } from "#features/import/routes.ts";
import type { EventExplanations } from "#features/histories.ts";
import { inventoryChecks } from "#features/inventory/checks.ts";
import { inventoryEvents } from "#features/inventory/events.ts";
import { inventoryExplanations } from "#features/inventory/explain.ts";
import { inventoryProjection, itemTimelineProjection } from "#features/inventory/projection.ts";
import { inventoryRoutes } from "#features/inventory/routes.ts";
import { barcodeStream, inventoryNames, itemStream } from "#features/inventory/streams.ts";
import { monthChecks } from "#features/months/checks.ts";
import { monthEvents } from "#features/months/events.ts";
import { monthExplanations } from "#features/months/explain.ts";
import { monthRoutes } from "#features/months/routes.ts";
import { monthsStream, remittancesStream } from "#features/months/streams.ts";
import { lookupRoutes } from "#features/lookup/routes.ts";
import { marketplaceProjection } from "#features/marketplace/projection.ts";
import { marketplaceRoutes } from "#features/marketplace/routes.ts";
import { migrationChecks } from "#features/migration/checks.ts";
import { migrationEvents } from "#features/migration/events.ts";
import { migrationExplanations } from "#features/migration/explain.ts";
import { readPaidBefore } from "#features/migration/queries-past.ts";
import { migrationRoutes } from "#features/migration/routes.ts";
import { legacyStream, migrationNames } from "#features/migration/streams.ts";
import { notificationRoutes } from "#features/notifications/routes.ts";
import { operationsEvents } from "#features/operations/events.ts";
import { operationsExplanations } from "#features/operations/explain.ts";
import { operationsRoutes } from "#features/operations/routes.ts";
import { operationsStream } from "#features/operations/streams.ts";
import { payoutChecks } from "#features/payouts/checks.ts";
import { payoutEvents } from "#features/payouts/events.ts";
import { payoutExplanations } from "#features/payouts/explain.ts";
import { payoutsProjection } from "#features/payouts/projection.ts";
import { payoutRoutes } from "#features/payouts/routes.ts";
import { totalPayoutRoutes } from "#features/payouts/routes-total.ts";
import { payoutNames, payoutStream } from "#features/payouts/streams.ts";
import { reportChecks } from "#features/reports/checks.ts";
import { reportsProjection } from "#features/reports/projection.ts";
import { readParts } from "#features/reports/queries-month.ts";
import { reportRoutes } from "#features/reports/routes.ts";
import { restoreEvents } from "#features/restores/events.ts";
import { restoreExplanations } from "#features/restores/explain.ts";
import { restoreRoutes } from "#features/restores/routes.ts";
import { restoresStream } from "#features/restores/streams.ts";
import { saleChecks } from "#features/sales/checks.ts";
import { saleEvents } from "#features/sales/events.ts";
import { saleExplanations } from "#features/sales/explain.ts";
import { salesProjection } from "#features/sales/projection.ts";
import { saleRoutes } from "#features/sales/routes.ts";
import { certificatesStream, saleNames, saleStream } from "#features/sales/streams.ts";
import { securityRoutes } from "#features/security/routes.ts";
import { settingsChecks } from "#features/settings/checks.ts";
import { settingsEvents } from "#features/settings/events.ts";
import { settingsExplanations } from "#features/settings/explain.ts";
import { settingsRoutes } from "#features/settings/routes.ts";
import { settingsStream } from "#features/settings/streams.ts";
import { signInRoutes } from "#features/sign-in/routes.ts";
import { shipmentChecks } from "#features/shipments/checks.ts";
import { shipmentEvents } from "#features/shipments/events.ts";
import { shipmentExplanations } from "#features/shipments/explain.ts";
import { shipmentsProjection } from "#features/shipments/projection.ts";
import { shipmentRoutes } from "#features/shipments/routes.ts";
import { shipmentNames, shipmentStream } from "#features/shipments/streams.ts";
import { tillChecks } from "#features/till/checks.ts";
import { tillEvents } from "#features/till/events.ts";
import { tillExplanations } from "#features/till/explain.ts";
import { tillClosingsProjection } from "#features/till/projection.ts";
import { tillRoutes } from "#features/till/routes.ts";
import { tillNames, tillStream } from "#features/till/streams.ts";
import { todayRoutes } from "#features/today/routes.ts";
import { tradeChecks } from "#features/trades/checks.ts";
import { tradeEvents } from "#features/trades/events.ts";
import { tradeExplanations } from "#features/trades/explain.ts";
import { tradesProjection } from "#features/trades/projection.ts";
import { tradeRoutes } from "#features/trades/routes.ts";
import { tradeReadRoutes } from "#features/trades/routes-read.ts";
import { sellersLines } from "#features/trades/seller-history.ts";
import { tradeNames, traderStream, tradeStream } from "#features/trades/streams.ts";
import { visitRoutes } from "#features/visits/routes.ts";
import { userChecks } from "#features/users/checks.ts";
import { userEvents } from "#features/users/events.ts";
import { userExplanations } from "#features/users/explain.ts";
import { userRoutes } from "#features/users/routes.ts";
import { userAdminRoutes } from "#features/users/routes-admin.ts";
import { acceptInvitationRoutes } from "#features/users/routes-accept-invitation.ts";
import { emailChangeRoutes } from "#features/users/routes-email-change.ts";
import { invitationRoutes } from "#features/users/routes-invitation.ts";
import { setupRoutes } from "#features/users/routes-setup.ts";
import { adminsStream, userNames, usernameStream, userStream } from "#features/users/streams.ts";
import type { Feature } from "#features/feature.ts";
import { feature, register, routesOnly } from "#features/feature.ts";

export const features: readonly Feature[] = [
  feature({
    name: "inventory",
    streams: [itemStream, barcodeStream],
    events: inventoryEvents,
    names: inventoryNames,
    explain: inventoryExplanations,
    projections: [inventoryProjection, itemTimelineProjection],
    checks: inventoryChecks,
    routes: [(deps) => inventoryRoutes(deps, explanations)],
  }),
  feature({
    name: "accounts",
    streams: [consignorStream],
    events: accountEvents,
    names: accountNames,
    explain: accountExplanations,
    projections: [balancesProjection, accountHistoryProjection, accountBlocksProjection],
    checks: accountChecks,
    routes: [(deps) => accountRoutes(deps, explanations, readParts)],
  }),
  // It shapes the answers of rehearsed calls, and has no calls of its own.
  routesOnly("rehearsal"),
  feature({
    name: "sales",
    streams: [saleStream, certificatesStream],
    events: saleEvents,
    names: saleNames,
    explain: saleExplanations,
    projections: [salesProjection],
    checks: saleChecks,
    routes: [saleRoutes],
  }),
  feature({
    name: "till",
    streams: [tillStream],
    events: tillEvents,
    names: tillNames,
    explain: tillExplanations,
    projections: [tillClosingsProjection],
    checks: tillChecks,
    routes: [tillRoutes],
  }),
  feature({
    name: "months",
    streams: [monthsStream, remittancesStream],
    events: monthEvents,
    names: [],
    explain: monthExplanations,
    projections: [],
    checks: monthChecks,
    routes: [(deps) => monthRoutes(deps, readParts)],
  }),
  feature({
    name: "payouts",
    streams: [payoutStream],
    events: payoutEvents,
    names: payoutNames,
    explain: payoutExplanations,
    projections: [payoutsProjection],
    checks: payoutChecks,
    routes: [payoutRoutes, (deps) => totalPayoutRoutes(deps, readPaidBefore)],
  }),
  feature({
    name: "holds",
    streams: [holdStream, holdsStream],
    events: holdEvents,
    names: holdNames,
    explain: holdExplanations,
    projections: [],
    checks: holdChecks,
    routes: [holdRoutes],
  }),
  feature({
    name: "restores",
    streams: [restoresStream],
    events: restoreEvents,
    names: [],
    explain: restoreExplanations,
    projections: [],
    routes: [restoreRoutes],
  }),
  feature({
    name: "alerts",
    streams: [alertStream, alertsStream],
    events: alertEvents,
    names: alertNames,
    explain: alertExplanations,
    projections: [],
    checks: alertChecks,
    routes: [alertRoutes],
  }),
  feature({
    name: "settings",
    streams: [settingsStream],
    events: settingsEvents,
    names: [],
    explain: settingsExplanations,
    projections: [],
    checks: settingsChecks,
    routes: [(deps) => settingsRoutes(deps, explanations)],
  }),
  feature({
    name: "operations",
    streams: [operationsStream],
    events: operationsEvents,
    names: [],
    explain: operationsExplanations,
    projections: [],
    routes: [(deps) => operationsRoutes(deps, explanations, { projections, events })],
  }),
  feature({
    name: "shipments",
    streams: [shipmentStream],
    events: shipmentEvents,
    names: shipmentNames,
    explain: shipmentExplanations,
    projections: [shipmentsProjection],
    checks: shipmentChecks,
    routes: [(deps) => shipmentRoutes(deps, explanations)],
  }),
  feature({
    name: "trades",
    streams: [tradeStream, traderStream],
    events: tradeEvents,
    names: tradeNames,
    explain: tradeExplanations,
    projections: [tradesProjection],
    checks: tradeChecks,
    routes: [tradeRoutes, (deps) => tradeReadRoutes(deps, explanations)],
  }),
  feature({
    name: "marketplace",
    streams: [],
    events: [],
    names: [],
    explain: {},
    projections: [marketplaceProjection],
    routes: [marketplaceRoutes],
  }),
  feature({
    name: "audit",
    streams: [],
    events: [],
    names: [],
    explain: {},
    projections: [auditProjection],
    routes: [(deps) => auditRoutes(deps, { explanations, streams, sellersLines })],
  }),
  feature({
    name: "reports",
    streams: [],
    events: [],
    names: [],
    explain: {},
    projections: [reportsProjection],
    checks: reportChecks,
    routes: [(deps) => reportRoutes(deps, explanations)],
  }),
  routesOnly("lookup", lookupRoutes),
  // Its rows are written by the worker, and are not part of the ledger.
  routesOnly("notifications", notificationRoutes),
  // It counts what other features list.
  routesOnly("today", todayRoutes),
  routesOnly("visits", visitRoutes),
  feature({
    name: "images",
    streams: [],
    events: [],
    names: [],
    explain: {},
    projections: [],
    checks: imageChecks,
    routes: [imageRoutes],
  }),
  routesOnly("import", stockImportRoutes),
  routesOnly("sign-in", signInRoutes),
  routesOnly("security", securityRoutes),
  feature({
    name: "users",
    streams: [userStream, adminsStream, usernameStream],
    events: userEvents,
    names: userNames,
    explain: userExplanations,
    projections: [],
    checks: userChecks,
    routes: [
      (deps) => userRoutes(deps, explanations),
      (deps) => userAdminRoutes(deps, explanations),
      emailChangeRoutes,
      invitationRoutes,
      acceptInvitationRoutes,
      setupRoutes,
    ],
  }),
  feature({
    name: "migration",
    streams: [legacyStream],
    events: migrationEvents,
    names: migrationNames,
    explain: migrationExplanations,
    projections: [],
    checks: migrationChecks,
    routes: [migrationRoutes],
  }),
];

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

/** How every event reads to people, by its type. */
export const explanations: EventExplanations = register(
  features.flatMap((feature) => feature.explained),
  ({ definition }) => definition.type,
);

/** Every projection, in the order of the features. */
export const projections: readonly Projection[] = features.flatMap(
  (feature) => feature.projections,
);

/** Every check of the books that a feature adds, and that all other events post and move nothing. */
export const bookChecks: readonly BookCheck[] = [
  ...features.flatMap((feature) => feature.checks),
  ...othersDoNothing,
];

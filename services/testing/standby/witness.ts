// PostgreSQL's own counters of a primary and its standby, and all the calls to count.
import { sql } from "kysely";
import { z } from "zod";
import type { Sql } from "#db/connect.ts";
import { readFrom } from "#http/read-place.ts";
import { POOL_SIZE, type TwinDatabase } from "#testing/standby/standby-pair.ts";
import { type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { READ_POOL_SIZE } from "#testing/service/test-app-parts.ts";

/** How often read tables were scanned on each side since the beginning. */
export async function tableScans(app: TestApp, twin: TwinDatabase) {
  // A connection reports its counters at most once a second unless it is told to. This tells as many connections at
  // once as the pool has.
  const flush = sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`;
  const { reads } = app.deps;
  await Promise.all([
    ...Array.from({ length: READ_POOL_SIZE }, () =>
      readFrom("primary", () => flush.execute(reads)),
    ),
    readFrom("standby", () => flush.execute(reads)),
    ...Array.from(
      { length: POOL_SIZE },
      () => twin.database.sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`,
    ),
  ]);
  return { onPrimary: await scansOn(twin.primary), onStandby: await scansOn(twin.standby) };
}

async function scansOn(server: Sql): Promise<number> {
  const [row] = await server<{ scans: number }[]>`
    select sum(seq_scan + coalesce(idx_scan, 0))::bigint as scans from pg_stat_user_tables
    where schemaname = 'read' and relname not in ('projections', 'quarantine', 'definitions')`;
  return row?.scans ?? 0;
}

const documentSchema = z.object({
  paths: z.record(z.string(), z.object({ get: z.optional(z.looseObject({})) })),
});

/**
 * Every call whose response says up to which position it is fresh, for this person, an item, a sale, a payout, a shipment
 * and a trade. The person's second line takes money.
 */
export async function readPaths(
  app: TestApp,
  admin: TestPerson,
  uid: string,
): Promise<readonly string[]> {
  const [found] = await app.database.sql<
    { item: string; sale: string; payout: string; shipment: string; trade: string }[]
  >`
    select max(data ->> 'itemId') as item, max(data ->> 'saleId') as sale,
      max(data ->> 'payoutId') as payout,
      max(data ->> 'shipmentId') as shipment, max(data ->> 'tradeId') as trade
    from log.events`;
  const { body } = await app.call("GET", "/api/openapi.json", { as: admin });
  return Object.entries(documentSchema.parse(body).paths)
    .filter(([, { get }]) => JSON.stringify(get ?? {}).includes('"Ledger-Position"'))
    .map(([path]) =>
      path
        .replace("/items/{id}", `/items/${found?.item}`)
        .replace("/{itemID}", `/${found?.item}`)
        .replace("/{itemId}", `/${found?.item}`)
        .replace("/sales/{id}", `/sales/${found?.sale}`)
        .replace("/sales/{saleID}", `/sales/${found?.sale}`)
        .replace("/payouts/{payoutID}", `/payouts/${found?.payout}`)
        .replace("/{line}", "/2")
        .replace("/trades/{id}", `/trades/${found?.trade}`)
        .replace("/shipments/admin/{id}", `/shipments/admin/${found?.shipment}`)
        .replace("/{position}", "/1")
        .replace("/{shipmentId}", `/${found?.shipment}`)
        .replace("/{year}", "/2026")
        .replace("/{month}", "/2026-10")
        .replace(/\{\w+\}/u, uid)
        .replace(/\/statement$/u, "/statement?from=2026-11-01&to=2026-11-30")
        .replace(/\/receipts$/u, "/receipts?number=R-00000000")
        .replace(/\/till\/(?:refunds|changes)$/u, "$&?day=2026-11-21")
        .replace(/\/catalogue\/changes$/u, "/catalogue/changes?since=0")
        .replace(/^\/api\/audit\/explain\/[^/]+$/u, "$&?number=available")
        .replace(/\/lookup$/u, "$&?q=lamp&by=text")
        .replace(/\/totals\/explain$/u, "$&?number=price")
        .replace(
          /\/reports\/(?:months|consignors|zero-changes)$/u,
          "$&?from=2026-01-01&to=2026-12-31",
        )
        .replace(/\/reports\/lines$/u, "$&?from=2026-01-01&to=2026-12-31&number=owed")
        .replace(/\/reports\/file$/u, "$&?from=2026-01-01&to=2026-12-31&view=consignors&format=csv")
        .replace(/\/audit\/explain-total$/u, "$&?number=owed")
        .replace(/\/audit\/explain-account$/u, "$&?account=store:revenue")
        .replace(
          /^\/api\/audit\/(?:balance|history|compare|inventory|items)\/[^/]+$/u,
          "$&?at=2099-01-01T00:00:00Z",
        ),
    );
}

// The new files of a projection. At first a row is a stream with its number of events, which works in any store.
import type { StreamNames } from "./feature-files.ts";
import { sentence } from "./names.ts";

export type ProjectionNames = {
  /** sales_per_item */
  readonly table: string;
  readonly feature: string;
  readonly stream: StreamNames;
  /** salesPerItem */
  readonly name: string;
  /** SalesPerItem */
  readonly typeName: string;
  /** sales-per-item */
  readonly file: string;
};

export function projectionFile({ table, name, stream }: ProjectionNames): string {
  const { category } = stream;
  const id = `log.id_of_${category}_stream(s.stream_id)`;
  const range = `s.position > $1::bigint and s.position <= $2::bigint and log.is_${category}_stream(s.stream_id)`;
  return `// From the log to ${sentence(table).toLowerCase()}.
import { bigint, defineTable, insertColumns, text } from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";

export const ${name}Table = defineTable({
  name: "${table}",
  columns: { id: text(), events: bigint(), position: bigint() },
  keys: ["primary key (id)"],
  indexes: [],
});

/** One row for each ${category}. Row key: the ${category}'s id. */
export const ${name}Projection: Projection = {
  name: "${table}",
  version: 1,
  tables: [${name}Table],
  // A step reads an event's fields with \`e.data ->> 'units'\` from \`{events} e\`.
  step: [
    \`insert into {table:${table}} as t (\${insertColumns(${name}Table)})
    select ${id}, count(*), max(s.position)
    from {streams} s
    where ${range}
      and {key:${id}}
    group by s.stream_id
    on conflict (id) do update
    set events = t.events + excluded.events, position = excluded.position\`,
  ],
  keysTouched: \`
    select distinct ${id} as key
    from {streams} s
    where ${range}\`,
  forgetKeys: ["delete from {table:${table}} where id = any ($1::text[])"],
  streamsOfKey: "array[log.${category}_stream(key)]",
};
`;
}

/** The shop whose days make rows: units of items, or sales and money. */
export const shopOf = (category: string): { readonly kind: string; readonly file: string } =>
  category === "item"
    ? { kind: "StockShop", file: "stock-shop.ts" }
    : { kind: "MoneyShop", file: "money-shop.ts" };

export function oracleFile({ table, name, feature, stream, file }: ProjectionNames): string {
  const { category } = stream;
  const shop = shopOf(category);
  return `// ${sentence(table)}: the same live, replayed and folded by hand.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ${name}Projection } from "#features/${feature}/projection-${file}.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import type { ${shop.kind} } from "#testing/shop/${shop.file}";
import { open${shop.kind} } from "#testing/shop/${shop.file}";

let shop: ${shop.kind};

beforeAll(async () => {
  shop = await open${shop.kind}();
});

afterAll(() => shop.close());

type Row = { readonly id: string; readonly events: number; readonly position: number };

/** The oracle: no SQL, and no code shared with the projection. Data of an older version arrives as it was stored. */
function fold(events: readonly StoredEvent[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { position, streams } of events) {
    for (const { streamId } of streams) {
      if (streamId.startsWith("${category}-")) {
        const id = streamId.slice("${category}-".length);
        rows.set(id, { id, events: (rows.get(id)?.events ?? 0) + 1, position });
      }
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

test("live, replayed and folded by hand give the same rows", async () => {
  // Every column, so that a new one is missing in the oracle.
  const readRows = () => shop.database.sql<Row[]>\`select * from read.${table} order by id\`;
  await expectLiveReplayFold(shop, ${name}Projection, readRows, fold);
  expect(shop.quarantined).toEqual([]);
}, 60_000);

test("a row is what the screen needs", () => {
  expect.fail("Replace this spec: say what a row of ${table} is, here, in the oracle and in the step");
});
`;
}

export function queriesFile({ table, name, feature, typeName, file }: ProjectionNames): string {
  return `// What screens read of ${sentence(table).toLowerCase()}.
import type { ${typeName}Response } from "#features/${feature}/contract.ts";
import { ${name}Table } from "#features/${feature}/projection-${file}.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";

const MAX_ROWS = 500;
const in${typeName} = withTables(${name}Table);

/** The newest rows first. */
export async function read${typeName}(reads: Reads): Promise<${typeName}Response> {
  const rows = await in${typeName}(reads)
    .selectFrom("read.${table}")
    .select(["id", "events"])
    .orderBy("position", "desc")
    .orderBy("id")
    .limit(MAX_ROWS)
    .execute();
  return { rows };
}
`;
}

export function readRoutesFile({ table, name, feature, typeName, file }: ProjectionNames): string {
  return `// The call that reads ${sentence(table).toLowerCase()}.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { ${name}Response } from "#features/${feature}/contract.ts";
import { read${typeName} } from "#features/${feature}/queries-${file}.ts";

export function ${name}Routes({ reads }: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/${file}",
    admin,
    documented({ summary: "List ${sentence(table).toLowerCase()}", tag: "${feature}", answer: ${name}Response }),
    readsFrom("${table}"),
    async (c) => respondFresh(c, await read${typeName}(reads)),
  );
  return routes;
}
`;
}

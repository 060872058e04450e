// The read table that a deadline's worker looks into: what is set aside, and when it is due. With its oracle.
import type { DeadlineNames } from "./deadline.ts";
import type { Field } from "./fields.ts";
import { kebab, sentence } from "./names.ts";
import { shopOf } from "./projection-files.ts";

/** untilAt: until_at */
export const column = (name: string): string => kebab(name).replaceAll("-", "_");

/** The column that says when a row is due, as a time. */
export const DUE = "due_at";

const isNumber = ({ type }: Field): boolean => type === "number";

export function deadlineProjection(names: DeadlineNames): string {
  const { table, list, fields, time, begin, end } = names;
  const columns = fields.map((field) => {
    const comment =
      field.name === time ? "/** As the events say it: an ending names it word for word. */\n" : "";
    return `${comment}${column(field.name)}: ${isNumber(field) ? "bigint" : "text"}(),`;
  });
  const keys = ["item_id", ...fields.map(({ name }) => column(name))].join(", ");
  const values = fields.map((field) => {
    const value = `e.data ->> '${field.name}'`;
    return isNumber(field) ? `(${value})::bigint` : value;
  });
  const groups = Array.from({ length: fields.length + 2 }, (_none, index) => index + 1).join(", ");
  return `// From the log to ${sentence(table).toLowerCase()}: how many units of an item are set aside, and when that is over. The worker reads it.
import { bigint, defineTable, insertColumns, text, timestamptz } from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";

export const ${list}Table = defineTable({
  name: "${table}",
  columns: {
    item_id: text(),
    ${columns.join("\n    ")}
    ${DUE}: timestamptz(),
    /** None once all of them came back. */
    units: bigint(),
    /** Of the last event about these units. */
    position: bigint(),
  },
  keys: ["primary key (${keys})"],
  indexes: ["(${DUE}, position) where units > 0"],
});

/** One row for each item and whatever else an entry says. Row key: the item's id. */
export const ${list}Projection: Projection = {
  name: "${table}",
  version: 1,
  tables: [${list}Table],
  step: [
    \`insert into {table:${table}} as t (\${insertColumns(${list}Table)})
    select e.data ->> 'itemId', ${values.join(", ")}, (e.data ->> '${time}')::timestamptz,
      sum((e.data ->> 'units')::bigint * case e.type when '${begin.type}' then 1 else -1 end)::bigint,
      max(e.position)
    from {events} e
    where e.position > $1::bigint and e.position <= $2::bigint
      and e.type in ('${begin.type}', '${end.type}') and {key:e.data ->> 'itemId'}
    group by ${groups}
    on conflict (${keys}) do update
    set units = t.units + excluded.units, position = excluded.position\`,
  ],
  keysTouched: \`
    select distinct log.id_of_item_stream(s.stream_id) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_item_stream(s.stream_id)\`,
  forgetKeys: ["delete from {table:${table}} where item_id = any ($1::text[])"],
  streamsOfKey: "array[log.item_stream(key)]",
};
`;
}

export function deadlineOracle(names: DeadlineNames): string {
  const { feature, table, list, fields, time, begin, end } = names;
  const shop = shopOf("item");
  const said = ["itemId", ...fields.map(({ name }) => name)];
  const kept = said.map((name) => (column(name) === name ? name : `${column(name)}: ${name}`));
  const types = fields.map(({ name, type }) => `  readonly ${name}: ${type};\n`).join("");
  const columnTypes = fields.map(({ name, type }) => `  readonly ${column(name)}: ${type};\n`);
  const columns = said.map(column);
  return `// ${sentence(table)}: the same live, replayed and folded by hand.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ${list}Projection } from "#features/${feature}/projection-${kebab(table)}.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import type { ${shop.kind} } from "#testing/shop/${shop.file}";
import { open${shop.kind} } from "#testing/shop/${shop.file}";

let shop: ${shop.kind};

beforeAll(async () => {
  shop = await open${shop.kind}();
});

afterAll(() => shop.close());

type Said = {
  readonly itemId: string;
${types}  readonly units: number;
};
type Row = {
  readonly item_id: string;
${columnTypes.join("")}  readonly ${DUE}: Date;
  readonly units: number;
  readonly position: number;
};

/** The oracle: no SQL, and no code shared with the projection. Data of an older version arrives as it was stored. */
function fold(events: readonly StoredEvent[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { type, data, position } of events) {
    if (type === "${begin.type}" || type === "${end.type}") {
      const { ${said.join(", ")}, units } = data as Said;
      const key = [${said.join(", ")}].join(" ");
      const change = type === "${begin.type}" ? units : -units;
      const left = (rows.get(key)?.units ?? 0) + change;
      const ${DUE} = new Date(${time});
      rows.set(key, { ${kept.join(", ")}, ${DUE}, units: left, position });
    }
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Every column, so that a new one is missing in the oracle. */
const readRows = () => shop.database.sql<Row[]>\`
  select * from read.${table} order by concat_ws(' ', ${columns.join(", ")}) collate "C"\`;

test("live, replayed and folded by hand give the same rows", async () => {
  await expectLiveReplayFold(shop, ${list}Projection, readRows, fold);
  expect(shop.quarantined).toEqual([]);
}, 60_000);

test("an entry is due at the time that its event says, whether or not units are left", async () => {
  const rows = await readRows();
  expect(rows.some(({ units }) => units === 0)).toBe(true);
  expect(rows.filter((row) => Date.parse(row.${column(time)}) !== row.${DUE}.getTime())).toEqual([]);
});
`;
}

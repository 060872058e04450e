// A change of every read table and of every column of the log, made from the declarations, so that a new table or column is tried too.
import { projections } from "../../services/features.ts";
import type { Change, Copy, Facts } from "./change.ts";
import { bySql, named } from "./change.ts";

/** Has its first row after 256 events. */
const BLOCKS = "account_blocks";

/** The read tables of which a row is deleted; the store has one in each. */
export const readTables = projections
  .flatMap(({ name: projection, tables }) => tables.map(({ name }) => ({ projection, name })))
  .filter(({ name }) => name !== BLOCKS);

async function liveTable({ sql }: Copy, projection: string, table: string): Promise<string> {
  const [row] = await sql<{ generation: number }[]>`
    select generation from read.projections where name = ${projection} and state = 'live'`;
  return `read.${table}_g${String(row?.generation)}`;
}

/** A deleted row, which nobody notices by looking at the list. */
const deletedRows = readTables.map(({ projection, name }): Change => ({
  name: `a row deleted from read.${name}`,
  tamper: async (copy) => {
    const table = await liveTable(copy, projection, name);
    const gone = await copy.sql.unsafe(
      `delete from ${table} where ctid = (select ctid from ${table} limit 1)`,
    );
    if (gone.count === 0) {
      throw new Error(
        `read.${name} is empty in the store of this program: make a row in scripts/tamper/fill.ts`,
      );
    }
  },
  shown: () => named(`read.${name}`, `${name}:`),
}));

const madeUpBlock: Change = {
  name: `a row of read.${BLOCKS} that no events make`,
  tamper: async (copy) => {
    await copy.sql.unsafe(`
      insert into ${await liveTable(copy, BLOCKS, BLOCKS)}
        (account, block, quarter_at, type, events, in_cents, out_cents)
      values ('store:revenue', 0, now(), 'SaleRecorded', 256, 100, 0)`);
  },
  shown: () => named(`read.${BLOCKS}`, `${BLOCKS}:`),
};

/** Every column of the log, with its type; `tamper.test.ts` compares them with the database. */
export const logColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  events: {
    position: "bigint",
    id: "uuid",
    type: "text",
    schema_version: "integer",
    data: "jsonb",
    actor: "text",
    key_scope: "text",
    command_key: "text",
    happened_at: "timestamptz",
    recorded_at: "timestamptz",
    field_hash: "bytea",
    hash: "bytea",
    hash_form: "smallint",
  },
  postings: {
    position: "bigint",
    ordinal: "integer",
    from_account: "text",
    to_account: "text",
    cents: "bigint",
  },
  movements: {
    position: "bigint",
    ordinal: "integer",
    from_holding: "text",
    to_holding: "text",
    units: "bigint",
  },
  event_streams: { stream_id: "text", version: "bigint", position: "bigint" },
  streams: { id: "text", version: "bigint", state: "jsonb", state_version: "integer" },
  command_keys: {
    scope: "text",
    key: "text",
    request_hash: "bytea",
    answer: "jsonb",
    position: "bigint",
    events: "integer",
  },
};

const FAR = 100_000;

const otherValue: Readonly<Record<string, (column: string) => string>> = {
  bigint: (column) => `${column} + ${String(FAR)}`,
  // Behind the other rows of the event.
  integer: (column) => `${column} + 50`,
  // The two forms of hashes.
  smallint: (column) => `3 - ${column}`,
  text: (column) => `${column} || '-x'`,
  uuid: () => "gen_random_uuid()",
  jsonb: (column) => `${column} || '{"changed": true}'`,
  bytea: (column) => `sha256(${column})`,
  timestamptz: (column) => `${column} + interval '1 second'`,
};

/** The row of the sale in each table of the log. */
function rowOfSale(table: string, { sale }: Facts): string {
  switch (table) {
    case "events":
      return `position = ${String(sale.position)}`;
    case "streams":
      return `id = '${sale.itemStream}'`;
    case "command_keys":
      return `scope = '${sale.scope}' and key = '${sale.key}'`;
    case "event_streams":
      return `position = ${String(sale.position)} and stream_id = '${sale.itemStream}'`;
    default:
      return `position = ${String(sale.position)} and ordinal = 0`;
  }
}

/** Values that nobody reads: no finding is expected when they change. */
const harmless = new Set([
  // The order stays: the proof has the rows in their order, without its numbers.
  "movements.ordinal",
  // A state of another version is computed again from its events.
  "streams.state_version",
]);

const changedColumns = Object.entries(logColumns).flatMap(([table, columns]) =>
  Object.entries(columns)
    .filter(([column]) => !harmless.has(`${table}.${column}`))
    .map(([column, type]) =>
      bySql(
        `log.${table}.${column} of a sale`,
        (facts) => `
        update log.${table} set ${column} = ${otherValue[type]?.(column) ?? "null"}
        where ${rowOfSale(table, facts)}`,
        ({ sale }) => ({
          // A gap shows at the event after it.
          positions: [sale.position, sale.position + 1, sale.position + FAR],
          keys: [sale.itemStream, sale.key],
        }),
      ),
    ),
);

export const everyChanges: readonly Change[] = [...deletedRows, madeUpBlock, ...changedColumns];

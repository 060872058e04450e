// From the log to sums of the store's own accounts, block by block, so that an account of millions of lines is explained quickly.
import {
  bigint,
  defineTable,
  insertColumns,
  text,
  timestamptz,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";

/** How many events are summed together. What comes after the last whole block is read from the log itself. */
export const BLOCK_EVENTS = 256;

/** What events of one type put into an account and took out of it, within a block and a quarter of an hour. */
export const accountBlocksTable = defineTable({
  name: "account_blocks",
  columns: {
    account: text(),
    /** Block 0 has the events 1 to 256. */
    block: bigint(),
    /** When they were recorded. Every time zone's days begin at a quarter of an hour. */
    quarter_at: timestamptz(),
    type: text(),
    events: bigint(),
    in_cents: bigint(),
    out_cents: bigint(),
  },
  keys: ["primary key (account, block, quarter_at, type)"],
  indexes: [],
});

/** The events of the blocks that become whole in the range; none in nearly all steps of a few events. */
const inWholeBlocks = (alias: string) =>
  `${alias}.position > $1::bigint / ${BLOCK_EVENTS} * ${BLOCK_EVENTS}
    and ${alias}.position <= $2::bigint / ${BLOCK_EVENTS} * ${BLOCK_EVENTS}`;

/**
 * One side of these events' postings, of the accounts that no person and no trade has. By `like`, whose matches PostgreSQL
 * can estimate: with `left(…)` a rebuild looked up each posting's event on its own, which took three times as long.
 */
const side = (account: "to_account" | "from_account", putIn: string, tookOut: string) => `
  select p.position, p.${account} as account, ${putIn} as put_in, ${tookOut} as took_out
  from {postings} p
  where ${inWholeBlocks("p")} and (p.${account} like 'store:%' or p.${account} like 'world:%')`;

const sides = `${side("to_account", "p.cents", "0::bigint")} union all ${side("from_account", "0::bigint", "p.cents")}`;

/**
 * Rows are written once and never changed: a block is summed when its last event is applied. So a single sale costs
 * nothing here, and the sums up to any position are those of the whole blocks before it and of at most 255 events of
 * the log. Row key: the account.
 */
export const accountBlocksProjection: Projection = {
  name: "account_blocks",
  version: 1,
  tables: [accountBlocksTable],
  step: [
    // One row for each event and account first, so that an event with several postings is counted once.
    `insert into {table:account_blocks} (${insertColumns(accountBlocksTable)})
    select s.account, (s.position - 1) / ${BLOCK_EVENTS} as block,
      date_bin('15 minutes', e.recorded_at, timestamptz '2000-01-01 00:00:00+00') as quarter_at, e.type,
      count(*), read.total(s.put_in), read.total(s.took_out)
    from (
      select position, account, read.total(put_in) as put_in, read.total(took_out) as took_out
      from (${sides}) both_sides where {key:account}
      group by position, account
    ) s
    join {events} e on e.position = s.position and ${inWholeBlocks("e")}
    group by s.account, block, quarter_at, e.type`,
  ],
  keysTouched: `select distinct account as key from (${sides}) both_sides`,
  forgetKeys: ["delete from {table:account_blocks} where account = any ($1::text[])"],
  // As with balances, no streams of their own make up these rows.
  streamsOfKey: "'{}'::text[]",
};

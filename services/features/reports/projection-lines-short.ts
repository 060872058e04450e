// The report's lines of nearly all small steps: of events that concern one consignor or nobody, summed in one pass.
import { afterClosingsSql, closingsSql } from "#features/months/projection-closings.ts";
import type { ReportLineColumn } from "#features/reports/projection-lines.ts";
import {
  amounts,
  linesOf,
  ofSide,
  priceOf,
  taxationOf,
  TERMS_OF_SALE,
} from "#features/reports/projection-lines.ts";
import { SaleCorrected, SaleRefunded } from "#features/sales/events.ts";
import { tradeEvents } from "#features/trades/events.ts";

/** A trade concerns several people, and how a changed sale is taxed depends on the events before. */
export const notShort = [...tradeEvents, SaleCorrected, SaleRefunded].map(({ type }) => type);

const inRange = (alias: string) =>
  `${alias}.position > $1::bigint and ${alias}.position <= $2::bigint`;

type Row = {
  readonly position: string;
  readonly type?: string;
  readonly happened_at?: string;
  /** Whose stream the event extends. */
  readonly uid?: string;
  /** Whose account it posts to. */
  readonly holder?: string;
  readonly has_line?: string;
} & Readonly<Partial<Record<ReportLineColumn, string>>>;

const columnTypes = [
  ["type", "text"],
  ["happened_at", "timestamptz"],
  ["uid", "text"],
  ["holder", "text"],
  ["has_line", "boolean"],
  ...amounts.map((name) => [name, "bigint"] as const),
] as const;

/** The columns of one part of the union; those that it does not have are null, which sums pass over. */
const partOf = (row: Row) =>
  `${row.position} as position, ${columnTypes.map(([name, type]) => `${row[name] ?? `null::${type}`} as ${name}`).join(", ")}`;

const taxed = (taxation: string) =>
  `case when e.type in (${TERMS_OF_SALE}) and ${taxationOf("e.data", "e.data")} = '${taxation}' then ${priceOf("e.data")} end`;

/** One side of the range's postings. */
function side(account: string, other: string, cents: string): string {
  // No event of these ranges is a trade's.
  const sums = Object.entries(ofSide("''")).map(([name, sum]) => [name, `case ${sum} end`]);
  return `
    select ${partOf({
      position: "a.position",
      holder:
        "case when log.is_consignor_account(a.account) then log.id_of_consignor_account(a.account) end",
      has_line: "true",
      ...Object.fromEntries(sums),
    })}
    from (
      select p.position, ${account} as account, ${other} as other, ${cents} as cents
      from {postings} p where ${inRange("p")}) a`;
}

/** The holder of a trade's money is no consignor, so no shortcut fits an event of its stream. */
const NOBODY = "''";

/** Everything that the range has of each event: itself, the ledger that it is an entry of, and both sides of its postings. */
const parts = `
  select ${partOf({
    position: "e.position",
    type: "e.type",
    happened_at: "e.happened_at",
    taxed: taxed("taxed"),
    exempt: taxed("exempt"),
    untaxed: taxed("untaxed"),
  })}
  from {events} e where ${inRange("e")}
  union all
  select ${partOf({ position: "s.position", uid: "log.id_of_consignor_stream(s.stream_id)", has_line: "true" })}
  from {streams} s where ${inRange("s")} and log.is_consignor_stream(s.stream_id)
  union all
  select ${partOf({ position: "s.position", holder: NOBODY })}
  from {streams} s where ${inRange("s")} and log.is_trade_stream(s.stream_id)
  union all ${side("p.to_account", "p.from_account", "p.cents")}
  union all ${side("p.from_account", "p.to_account", "-p.cents")}`;

/** The one consignor that the event concerns, or ''. Fails where it concerns several, or posts without their stream. */
const onlyUid = `
  case when min(c.uid collate "C") is not distinct from max(c.uid collate "C")
      and (count(c.holder) = 0 or coalesce(min(c.holder collate "C") = min(c.uid collate "C")
        and max(c.holder collate "C") = min(c.uid collate "C"), false))
    then coalesce(min(c.uid collate "C"), '')
    else read.no_shortcut(c.position) end collate "default"`;

/** The same lines as `linesOfRange` adds, for ranges without these events; read without a join. */
export const shortLinesOfRange = linesOf(`
  closings as materialized (${closingsSql}),
  changes as (
    select g.*, ${afterClosingsSql("g.happened_at", "g.position")} as open_at, true as is_entry
    from (
      select c.position, min(c.type collate "C") collate "default" as type, min(c.happened_at) as happened_at, ${onlyUid} as uid,
        ${amounts.map((name) => `read.total(c.${name}) as ${name}`).join(", ")}
      from (${parts}) c
      group by c.position
      having bool_or(c.has_line)) g
    where {key:'money:' || g.uid}
  )`);

// Read tables over the tills, small enough to see through: one sum a till, one numbered line an event.
import { bigint, defineTable, insertColumns, text } from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";

export const tillSums = defineTable({
  name: "till_sums",
  columns: { till: text(), cents: bigint(), last_position: bigint() },
  keys: ["primary key (till)"],
  indexes: ["(cents desc)"],
});

const tillLines = defineTable({
  name: "till_lines",
  columns: { till: text(), line: bigint(), position: bigint(), cents_after: bigint() },
  keys: ["primary key (till, line)"],
  indexes: ["(position)"],
});

export const tillBook: Projection = {
  name: "till_book",
  version: 1,
  tables: [tillSums, tillLines],
  step: [
    `with net as (
       select till, position, sum(cents)::bigint as cents from (
         select to_account as till, position, cents from {postings}
         where position > $1::bigint and position <= $2::bigint
         union all
         select from_account, position, -cents from {postings}
         where position > $1::bigint and position <= $2::bigint) p
       where till like 'till-%' and {key:till}
       group by till, position)
     insert into {table:till_lines} (${insertColumns(tillLines)})
     select n.till,
       coalesce(l.line, 0) + row_number() over (partition by n.till order by n.position),
       n.position,
       coalesce(l.cents_after, 0)
         + sum(n.cents) over (partition by n.till order by n.position)
     from net n
     left join lateral (select line, cents_after from {table:till_lines} t
       where t.till = n.till order by t.line desc limit 1) l on true`,
    `insert into {table:till_sums} as s (${insertColumns(tillSums)})
     select till, sum(cents)::bigint, max(position) from (
       select to_account as till, position, cents from {postings}
       where position > $1::bigint and position <= $2::bigint
       union all
       select from_account, position, -cents from {postings}
       where position > $1::bigint and position <= $2::bigint) p
     where till like 'till-%' and {key:till}
     group by till
     on conflict (till) do update
       set cents = s.cents + excluded.cents, last_position = excluded.last_position`,
  ],
  keysTouched: `
    select distinct key from (
      select to_account as key, position from {postings}
      union all select from_account, position from {postings}) p
    where position > $1::bigint and position <= $2::bigint and key like 'till-%'`,
  forgetKeys: [
    "delete from {table:till_sums} where till = any ($1::text[])",
    "delete from {table:till_lines} where till = any ($1::text[])",
  ],
  streamsOfKey: "array[key]",
};

// Simple read tables over the jars: one sum per jar, and one numbered line per event.
import { bigint, defineTable, insertColumns, text } from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";

export const jarSums = defineTable({
  name: "jar_sums",
  columns: { jar: text(), cents: bigint(), last_position: bigint() },
  keys: ["primary key (jar)"],
  indexes: ["(cents desc)"],
});

const jarLines = defineTable({
  name: "jar_lines",
  columns: { jar: text(), line: bigint(), position: bigint(), cents_after: bigint() },
  keys: ["primary key (jar, line)"],
  indexes: ["(position)"],
});

export const jarBook: Projection = {
  name: "jar_book",
  version: 1,
  tables: [jarSums, jarLines],
  step: [
    `with net as (
       select jar, position, sum(cents)::bigint as cents from (
         select to_account as jar, position, cents from {postings}
         where position > $1::bigint and position <= $2::bigint
         union all
         select from_account, position, -cents from {postings}
         where position > $1::bigint and position <= $2::bigint) p
       where jar like 'jar-%' and {key:jar}
       group by jar, position)
     insert into {table:jar_lines} (${insertColumns(jarLines)})
     select n.jar,
       coalesce(l.line, 0) + row_number() over (partition by n.jar order by n.position),
       n.position,
       coalesce(l.cents_after, 0)
         + sum(n.cents) over (partition by n.jar order by n.position)
     from net n
     left join lateral (select line, cents_after from {table:jar_lines} t
       where t.jar = n.jar order by t.line desc limit 1) l on true`,
    `insert into {table:jar_sums} as s (${insertColumns(jarSums)})
     select jar, sum(cents)::bigint, max(position) from (
       select to_account as jar, position, cents from {postings}
       where position > $1::bigint and position <= $2::bigint
       union all
       select from_account, position, -cents from {postings}
       where position > $1::bigint and position <= $2::bigint) p
     where jar like 'jar-%' and {key:jar}
     group by jar
     on conflict (jar) do update
       set cents = s.cents + excluded.cents, last_position = excluded.last_position`,
  ],
  keysTouched: `
    select distinct key from (
      select to_account as key, position from {postings}
      union all select from_account, position from {postings}) p
    where position > $1::bigint and position <= $2::bigint and key like 'jar-%'`,
  forgetKeys: [
    "delete from {table:jar_sums} where jar = any ($1::text[])",
    "delete from {table:jar_lines} where jar = any ($1::text[])",
  ],
  streamsOfKey: "array[key]",
};

/** The jar book with a step that divides by zero for this jar. */
export function poisonedJarBook(version: number, jar: string): Projection {
  const step = jarBook.step.map((statement) =>
    statement.replace(
      "select jar, sum(cents)::bigint, max(position) from (",
      `select jar, sum(cents)::bigint / (jar <> '${jar}')::int, max(position) from (`,
    ),
  );
  return { ...jarBook, version, step };
}

const jarLevels = defineTable({
  name: "jar_levels",
  columns: { jar: text(), shelf: text(), cents: bigint() },
  keys: ["primary key (jar)"],
  indexes: ["(shelf)"],
});

const jarShelves = defineTable({
  name: "jar_shelves",
  columns: { shelf: text(), jars: bigint(), cents: bigint() },
  keys: ["primary key (shelf)"],
  indexes: [],
});

const shelfOf = "substr(jar, 5, 1)";

/** The totals of these shelves, without the jars that `where` leaves out. */
const totals = (shelves: string, where: string) => `
  insert into {table:jar_shelves} (${insertColumns(jarShelves)})
  select shelf, count(*), sum(cents)::bigint from {table:jar_levels}
  where shelf in (${shelves}) and ${where}
  group by shelf
  on conflict (shelf) do update set jars = excluded.jars, cents = excluded.cents`;

const levels = (range: string) => `
  select jar, ${shelfOf} as shelf, sum(cents)::bigint as cents from (
    select to_account as jar, position, cents from {postings} where ${range}
    union all
    select from_account, position, -cents from {postings} where ${range}) p
  where jar like 'jar-%' and {key:jar}
  group by jar`;

const range = "position > $1::bigint and position <= $2::bigint";
const shelvesOfKeys = `select ${shelfOf} from unnest($1::text[]) as keys (jar)`;

/** What each jar has, and derived from it what each shelf has: a shelf is the first letter of its jars. */
export const jarShelfBook: Projection = {
  name: "jar_shelf_book",
  version: 1,
  tables: [jarLevels, jarShelves],
  step: [
    `insert into {table:jar_levels} as l (${insertColumns(jarLevels)}) ${levels(range)}
     on conflict (jar) do update set cents = l.cents + excluded.cents`,
    totals(`select shelf from (${levels(range)}) l`, "true"),
  ],
  keysTouched: jarBook.keysTouched,
  forgetKeys: [
    totals(shelvesOfKeys, "jar <> all ($1::text[])"),
    `delete from {table:jar_shelves} s where not exists (
       select from {table:jar_levels} l where l.shelf = s.shelf and l.jar <> all ($1::text[]))`,
    "delete from {table:jar_levels} where jar = any ($1::text[])",
  ],
  streamsOfKey: "array[key]",
  derived: { tables: ["jar_shelves"], deriveKeys: [totals(shelvesOfKeys, "true")] },
};

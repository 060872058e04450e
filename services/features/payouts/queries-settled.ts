// Everybody's settled payouts of one status, for admins. They find a transfer that came back among the paid ones.
import type { SqlBool } from "kysely";
import { sql } from "kysely";
import { money, pagesOf } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { statements, type ValueOf } from "#http/statement.ts";
import type {
  PayoutMethodName,
  SettledResponse,
  SettledStatus,
} from "#features/payouts/contract.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import type { People } from "#features/payouts/queries.ts";
import { EXPORT_BATCH, viewsOf } from "#features/payouts/queries.ts";
import type { Searched } from "#features/payouts/search.ts";
import { isMeant, payoutColumns, searchedFor, sumOf } from "#features/payouts/search.ts";
import { toDollars } from "#ledger/money.ts";

const inPayouts = withTables(payoutsTable);

/** When a settled payout `p` was settled last, and the position of that: a return settles it again. As in the table's indexes. */
const lastSettled = sql<number>`coalesce(p.returned_position, p.settled_position)`;
const lastSettledAt = sql`coalesce(p.returned_at, p.settled_at)`;

type SettledFilters = {
  readonly status: SettledStatus;
  readonly q: string | undefined;
  readonly method: PayoutMethodName | undefined;
  /** Instants, the last one excluded. */
  readonly from: string | undefined;
  readonly to: string | undefined;
};

type SettledQuery = SettledFilters & {
  readonly cursor: string | undefined;
  readonly limit: number;
};

type Shape = Readonly<Record<"isSearched" | "hasMethod" | "hasFrom" | "hasTo", boolean>>;

type Values = Searched & {
  readonly status: string;
  readonly method: string;
  readonly from: string | null;
  readonly to: string | null;
};

function matching(reads: Reads, value: ValueOf<Values>, shape: Shape) {
  const conditions = [
    sql<SqlBool>`p.status = ${value("status")}`,
    // Only settled ones are in the index.
    sql<SqlBool>`p.status <> 'pending'`,
    ...(shape.isSearched ? [isMeant(value)] : []),
    ...(shape.hasMethod ? [sql<SqlBool>`p.method = ${value("method")}`] : []),
    ...(shape.hasFrom ? [sql<SqlBool>`${lastSettledAt} >= ${value("from")}::timestamptz`] : []),
    ...(shape.hasTo ? [sql<SqlBool>`${lastSettledAt} < ${value("to")}::timestamptz`] : []),
  ];
  return inPayouts(reads)
    .selectFrom("read.payouts as p")
    .where((eb) => eb.and(conditions));
}

type PageValues = Values & { readonly cursor: number; readonly limit: number };

const settledPage = statements((reads, value: ValueOf<PageValues>, shape: Shape) =>
  matching(reads, value, shape)
    .select(payoutColumns)
    .select(lastSettled.as("settled_position"))
    .where(lastSettled, "<", value("cursor"))
    .orderBy(lastSettled, "desc")
    .limit(value("limit")),
);

const settledSum = statements((reads, value: ValueOf<Values>, shape: Shape) =>
  matching(reads, value, shape).select((eb) => [
    eb.fn.countAll<number>().as("count"),
    sumOf().as("cents"),
  ]),
);

/** Where the matching rows are depends on what was searched for. */
function planOf({ reads, searches }: ReadDeps, filters: SettledFilters) {
  const { status, q = "", method, from, to } = filters;
  const shape = {
    isSearched: q !== "",
    hasMethod: method !== undefined,
    hasFrom: from !== undefined,
    hasTo: to !== undefined,
  };
  return {
    pool: shape.isSearched || shape.hasFrom || shape.hasTo ? searches : reads,
    shape,
    values: {
      ...searchedFor(q),
      status,
      method: method ?? "",
      from: from ?? null,
      to: to ?? null,
    },
  };
}

async function readPage(deps: ReadDeps, people: People, query: SettledQuery) {
  const { cursor, limit } = query;
  const { pool, shape, values } = planOf(deps, query);
  const after = Number(cursor ?? Number.MAX_SAFE_INTEGER);
  const rows = await settledPage(pool, shape, { ...values, cursor: after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1)?.settled_position;
  return {
    payouts: await viewsOf(deps.reads, { ...people, reader: "admin" }, shown),
    nextCursor: rows.length > limit && last !== undefined ? String(last) : null,
  };
}

async function readTotals(
  deps: ReadDeps,
  filters: SettledFilters,
): Promise<SettledResponse["totals"]> {
  const { pool, shape, values } = planOf(deps, filters);
  const [row] = await settledSum(pool, shape, values);
  return { count: row?.count ?? 0, amount: toDollars(row?.cents ?? 0) };
}

/** A page, the last settled first. The first page has the sum of all that match. */
export async function readSettled(
  deps: ReadDeps,
  people: People,
  query: SettledQuery,
): Promise<SettledResponse> {
  const [page, totals] = await Promise.all([
    readPage(deps, people, query),
    query.cursor === undefined ? readTotals(deps, query) : null,
  ]);
  return { ...page, totals };
}

export const SETTLED_CSV_HEAD = [
  "Requested at",
  "Status",
  "Settled at",
  "Consignor",
  "Amount",
  "Method",
  "Handle",
  "Consignor id",
  "Payout id",
  "Returned at",
  "Return reason",
  "Reference",
] as const;

/** All settled payouts that match, the last settled first, in batches as lines of a file. */
export async function* exportSettled(
  deps: ReadDeps,
  people: People,
  filters: SettledFilters,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const pages = pagesOf((cursor) =>
    readPage(deps, people, { ...filters, cursor, limit: EXPORT_BATCH }),
  );
  for await (const { payouts } of pages) {
    yield payouts.map((payout) => [
      payout.date,
      payout.status,
      payout.settledAt,
      payout.displayName,
      money(payout.amount),
      payout.method,
      payout.handle,
      payout.consignorID,
      payout.id,
      payout.returnedAt,
      payout.returnReason,
      payout.reference,
    ]);
  }
}

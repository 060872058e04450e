// Everybody's settled payouts of one status, for admins. They find a transfer that came back among the paid ones.
import type { SqlBool } from "kysely";
import { sql } from "kysely";
import { money } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { statements, type ValueOf } from "#http/statement.ts";
import type {
  PayoutHistoryResponse,
  PayoutMethodName,
  SettledStatus,
} from "#features/payouts/contract.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import type { People } from "#features/payouts/queries.ts";
import { EXPORT_BATCH, viewsOf } from "#features/payouts/queries.ts";
import { payoutColumns } from "#features/payouts/search.ts";

const inPayouts = withTables(payoutsTable);

type Values = {
  readonly status: string;
  readonly method: string;
  readonly cursor: number;
  readonly limit: number;
};

/** The position of a settled payout `p`'s last settlement: a return settles it again. As in the table's index. */
const lastSettled = sql<number>`coalesce(p.returned_position, p.settled_position)`;

const settledPage = statements(
  (reads, value: ValueOf<Values>, { hasMethod }: { readonly hasMethod: boolean }) => {
    const settled = inPayouts(reads)
      .selectFrom("read.payouts as p")
      .select(payoutColumns)
      .select(lastSettled.as("settled_position"))
      .where(sql<SqlBool>`p.status = ${value("status")}`)
      // Only settled ones are in the index.
      .where(sql<SqlBool>`p.status <> 'pending'`)
      .where(lastSettled, "<", value("cursor"))
      .orderBy(lastSettled, "desc")
      .limit(value("limit"));
    return hasMethod ? settled.where(sql<SqlBool>`p.method = ${value("method")}`) : settled;
  },
);

type SettledFilters = {
  readonly status: SettledStatus;
  readonly method: PayoutMethodName | undefined;
};

type SettledQuery = SettledFilters & {
  readonly cursor: string | undefined;
  readonly limit: number;
};

/** A page, the last settled first. */
export async function readSettled(
  reads: Reads,
  people: People,
  query: SettledQuery,
): Promise<PayoutHistoryResponse> {
  const { status, method, cursor, limit } = query;
  const rows = await settledPage(
    reads,
    { hasMethod: method !== undefined },
    {
      status,
      method: method ?? "",
      cursor: Number(cursor ?? Number.MAX_SAFE_INTEGER),
      limit: limit + 1,
    },
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1)?.settled_position;
  return {
    payouts: await viewsOf(reads, people, shown),
    nextCursor: rows.length > limit && last !== undefined ? String(last) : null,
  };
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
] as const;

/** All settled payouts that match, the last settled first, in batches as lines of a file. */
export async function* exportSettled(
  reads: Reads,
  people: People,
  filters: SettledFilters,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  let cursor: string | undefined;
  do {
    const page = { ...filters, cursor, limit: EXPORT_BATCH };
    const { payouts, nextCursor } = await readSettled(reads, people, page);
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
    ]);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

// Everybody's settled payouts of one status, for admins: a transfer that came back is found among the paid ones.
import type { SqlBool } from "kysely";
import { sql } from "kysely";
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
import { viewsOf } from "#features/payouts/queries.ts";
import { payoutColumns } from "#features/payouts/search.ts";

const inPayouts = withTables(payoutsTable);

type Values = {
  readonly status: string;
  readonly method: string;
  readonly cursor: number;
  readonly limit: number;
};

const settledPage = statements(
  (reads, value: ValueOf<Values>, { hasMethod }: { readonly hasMethod: boolean }) => {
    const settled = inPayouts(reads)
      .selectFrom("read.payouts as p")
      .select(payoutColumns)
      .select("p.settled_position")
      .where(sql<SqlBool>`p.status = ${value("status")}`)
      // Only settled ones are in the index.
      .where(sql<SqlBool>`p.status <> 'pending'`)
      .where("p.settled_position", "<", value("cursor"))
      .orderBy("p.settled_position", "desc")
      .limit(value("limit"));
    return hasMethod ? settled.where(sql<SqlBool>`p.method = ${value("method")}`) : settled;
  },
);

/** A page, the one that was settled last first. */
export async function readSettled(
  reads: Reads,
  people: People,
  query: {
    readonly status: SettledStatus;
    readonly method: PayoutMethodName | undefined;
    readonly cursor: string | undefined;
    readonly limit: number;
  },
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
    nextCursor: rows.length > limit && last != null ? String(last) : null,
  };
}

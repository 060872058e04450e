// What screens read of payouts: what waits to be paid, one consignor's history, and what was paid in total.
import type { Sql } from "#db/connect.ts";
import type { KeptHandle, PayoutHandles } from "#identity/payout-handles.ts";
import type { Profiles } from "#identity/profiles.ts";
import type {
  PayoutHistoryResponse,
  PayoutMethodName,
  PayoutView,
  PendingResponse,
} from "#features/payouts/contract.ts";
import { HANDLE_PREFIX } from "#features/payouts/contract.ts";
import { money } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";

type PayoutRow = {
  readonly payout_id: string;
  readonly consignor_uid: string;
  readonly amount_cents: number;
  readonly method: PayoutMethodName;
  readonly handle_id: string;
  readonly status: "pending" | "paid" | "deleted";
  readonly requested_at: Date;
  readonly position: number;
  readonly settled_at: Date | null;
};

/** Where names and handles are looked up: personal data is joined when it is read, never copied. */
export type People = {
  readonly profiles: Profiles;
  readonly payoutHandles: PayoutHandles;
  readonly readEvent: ReadEvent;
};

type Paging = { readonly cursor: string | undefined; readonly limit: number };

const COLUMNS = `payout_id, consignor_uid, amount_cents, method, handle_id, status, requested_at, position,
  settled_at`;

/** A link that opens CashApp with the amount filled in. */
function cashAppLinkFor(handle: string, amountCents: number): string {
  return `https://cash.app/${encodeURIComponent(handle)}/${toDollars(amountCents).toFixed(2)}`;
}

/** A link that opens Venmo to pay; the note carries the payout's id, so that both books can be matched. */
function venmoLinkFor(handle: string, amountCents: number, payoutId: string): string {
  const query = new URLSearchParams({
    txn: "pay",
    amount: toDollars(amountCents).toFixed(2),
    note: `Payout ${payoutId}`,
  });
  return `https://venmo.com/${encodeURIComponent(handle.slice(HANDLE_PREFIX.venmo.length))}?${query.toString()}`;
}

/** The hash that each request's event has for its handle; older requests have none. */
async function readHandleHashes(
  sql: Sql,
  readEvent: ReadEvent,
  rows: readonly PayoutRow[],
): Promise<ReadonlyMap<number, string>> {
  const found = await sql<(StoredFact & { position: number })[]>`
    select position, type, schema_version, data from log.events
    where position = any (${`{${rows.map(({ position }) => position).join(",")}}`}::bigint[])`;
  return new Map(
    found.flatMap((row) => {
      const { handleHash } = fieldsOf(readEvent(row));
      return typeof handleHash === "string" ? [[row.position, handleHash] as const] : [];
    }),
  );
}

/** Whether the kept handle is not the one that was requested: money sent to it would go to somebody else. */
function isTurned(row: PayoutRow, kept: KeptHandle, hash: string | undefined): boolean {
  return (
    kept.uid !== row.consignor_uid ||
    kept.method !== row.method ||
    (hash !== undefined && kept.hash !== hash)
  );
}

function viewOf(
  row: PayoutRow,
  displayName: string,
  kept: KeptHandle | undefined,
  hash: string | undefined,
): PayoutView {
  const isVenmo = row.method === "venmo";
  const handleChanged = kept !== undefined && isTurned(row, kept, hash);
  const handle = kept === undefined || handleChanged ? null : kept.handle;
  return {
    id: row.payout_id,
    consignorID: row.consignor_uid,
    displayName,
    amount: toDollars(row.amount_cents),
    method: row.method,
    paid: row.status === "paid",
    status: row.status,
    date: row.requested_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
    handle,
    handleChanged,
    cashAppLink: isVenmo || handle === null ? null : cashAppLinkFor(handle, row.amount_cents),
    venmoUsername: isVenmo ? handle : null,
    venmoLink:
      isVenmo && handle !== null ? venmoLinkFor(handle, row.amount_cents, row.payout_id) : null,
  };
}

async function viewsOf(
  sql: Sql,
  people: People,
  rows: readonly PayoutRow[],
): Promise<PayoutView[]> {
  const [hashes, names, handles] = await Promise.all([
    readHandleHashes(sql, people.readEvent, rows),
    people.profiles.displayNames(new Set(rows.map((row) => row.consignor_uid))),
    people.payoutHandles.findMany(rows.map((row) => row.handle_id)),
  ]);
  return rows.map((row) =>
    viewOf(
      row,
      names.get(row.consignor_uid) ?? row.consignor_uid,
      handles.get(row.handle_id),
      hashes.get(row.position),
    ),
  );
}

/** A page and the cursor of the next one; rows come with one more than the limit. */
function page(rows: readonly PayoutRow[], limit: number) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    shown,
    nextCursor: rows.length > limit && last !== undefined ? String(last.position) : null,
  };
}

async function readTotals(sql: Sql): Promise<PendingResponse["totals"]> {
  const [row] = await sql<
    { count: number; amount: number; cashapp: number; venmo: number; oldest: Date | null }[]
  >`
    select count(*) as count, coalesce(sum(amount_cents), 0)::bigint as amount,
      coalesce(sum(amount_cents) filter (where method = 'cashapp'), 0)::bigint as cashapp,
      coalesce(sum(amount_cents) filter (where method = 'venmo'), 0)::bigint as venmo,
      min(requested_at) as oldest
    from read.payouts where status = 'pending'`;
  return {
    count: row?.count ?? 0,
    amount: toDollars(row?.amount ?? 0),
    cashapp: toDollars(row?.cashapp ?? 0),
    venmo: toDollars(row?.venmo ?? 0),
    oldest: row?.oldest?.toISOString() ?? null,
  };
}

type PendingFilters = {
  readonly method: PayoutMethodName | undefined;
  readonly consignor: string | undefined;
};

/** The requests that wait, oldest first, each with what its consignor has left now. */
export async function readPending(
  sql: Sql,
  people: People,
  now: Date,
  wish: Paging & PendingFilters,
): Promise<PendingResponse> {
  const [rows, totals] = await Promise.all([
    sql<(PayoutRow & { readonly available_cents: number })[]>`
      select ${sql.unsafe(COLUMNS.replaceAll("position", "p.position"))},
        coalesce(b.balance_cents, 0) as available_cents
      from read.payouts p
      left join read.balances b on b.account = 'consignor:' || p.consignor_uid || ':available'
      where p.status = 'pending' and p.position > ${wish.cursor ?? "0"}::bigint
        and (${wish.method ?? null}::text is null or p.method = ${wish.method ?? null})
        and (${wish.consignor ?? null}::text is null or p.consignor_uid = ${wish.consignor ?? null})
      order by p.position limit ${wish.limit + 1}`,
    readTotals(sql),
  ]);
  const { shown, nextCursor } = page(rows, wish.limit);
  const views = await viewsOf(sql, people, shown);
  return {
    payouts: views.map((view, index) => ({
      ...view,
      ageSeconds: Math.max(0, Math.floor((now.getTime() - Date.parse(view.date)) / 1000)),
      balanceAfter: toDollars(rows[index]?.available_cents ?? 0),
    })),
    totals,
    nextCursor,
  };
}

const EXPORT_BATCH = 1000;

export const PENDING_CSV_HEAD = [
  "Requested at",
  "Consignor",
  "Consignor id",
  "Amount",
  "Method",
  "Handle",
  "Balance after",
  "Payout id",
] as const;

/** Every request that waits, oldest first, batch by batch as lines of a file. */
export async function* exportPending(
  sql: Sql,
  people: People,
  now: Date,
  filters: PendingFilters,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  let cursor: string | undefined;
  do {
    const { payouts, nextCursor } = await readPending(sql, people, now, {
      ...filters,
      cursor,
      limit: EXPORT_BATCH,
    });
    yield payouts.map((payout) => [
      payout.date,
      payout.displayName,
      payout.consignorID,
      money(payout.amount),
      payout.method,
      payout.handle,
      money(payout.balanceAfter),
      payout.id,
    ]);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** One consignor's payouts, newest first. */
export async function readHistory(
  sql: Sql,
  people: People,
  uid: string,
  wish: Paging & { readonly status: PayoutRow["status"] | undefined },
): Promise<PayoutHistoryResponse> {
  const rows = await sql<PayoutRow[]>`
    select ${sql.unsafe(COLUMNS)} from read.payouts
    where consignor_uid = ${uid}
      and (${wish.cursor ?? null}::bigint is null or position < ${wish.cursor ?? null}::bigint)
      and (${wish.status ?? null}::text is null or status = ${wish.status ?? null})
    order by position desc limit ${wish.limit + 1}`;
  const { shown, nextCursor } = page(rows, wish.limit);
  return { payouts: await viewsOf(sql, people, shown), nextCursor };
}

export const HISTORY_CSV_HEAD = [
  "Requested at",
  "Status",
  "Settled at",
  "Method",
  "Handle",
  "Amount",
  "Payout id",
] as const;

/** All of one consignor's payouts of a status, newest first, batch by batch as lines of a file. */
export async function* exportHistory(
  sql: Sql,
  people: People,
  uid: string,
  status: PayoutRow["status"] | undefined,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  let cursor: string | undefined;
  do {
    const wish = { status, cursor, limit: EXPORT_BATCH };
    const { payouts, nextCursor } = await readHistory(sql, people, uid, wish);
    yield payouts.map((payout) => [
      payout.date,
      payout.status,
      payout.settledAt,
      payout.method,
      payout.handle,
      money(payout.amount),
      payout.id,
    ]);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** What was paid to a consignor so far, in dollars. */
export async function readTotalPaid(sql: Sql, uid: string): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from read.payouts
    where consignor_uid = ${uid} and status = 'paid'`;
  return toDollars(row?.cents ?? 0);
}

// What screens read of payouts: the pending ones, one consignor's history, and the total paid.
import { sql } from "kysely";
import type { KeptHandle, PayoutHandles } from "#identity/payout-handles.ts";
import type { Notes } from "#identity/notes.ts";
import { nameOf } from "#identity/profiles.ts";
import type { Profiles, Role } from "#identity/profiles.ts";
import type {
  PayoutHistoryResponse,
  PayoutView,
  PendingResponse,
} from "#features/payouts/contract.ts";
import { HANDLE_PREFIX, withPrefix } from "#features/payouts/contract.ts";
import { money, pagesOf } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import type { HistoryQuery, PayoutRow, PendingQuery } from "#features/payouts/search.ts";
import { readLastReturns } from "#features/payouts/queries-returned.ts";
import { searchHistory, searchPending, sumUpPaid, sumUpPending } from "#features/payouts/search.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";

/** Names and handles are joined when they are read: personal data is never copied. */
export type People = {
  readonly profiles: Profiles;
  readonly payoutHandles: PayoutHandles;
  readonly notes: Notes;
  readonly readEvent: ReadEvent;
  /** Who reads it: only admins learn which admin did something. */
  readonly reader?: Role;
  /** Their uid, where it matters which of the admins they are. */
  readonly readerUid?: string;
};

/** A link that opens CashApp with the amount filled in. */
function cashAppLinkFor(handle: string, amountCents: number): string {
  return `https://cash.app/${encodeURIComponent(withPrefix("cashapp", handle))}/${toDollars(amountCents).toFixed(2)}`;
}

/** A link that opens Venmo to pay; the note carries the payout's id, so that both books can be matched. */
function venmoLinkFor(handle: string, amountCents: number, payoutId: string): string {
  const name = withPrefix("venmo", handle).slice(HANDLE_PREFIX.venmo.length);
  const query = new URLSearchParams({
    txn: "pay",
    amount: toDollars(amountCents).toFixed(2),
    note: `Payout ${payoutId}`,
  });
  return `https://venmo.com/${encodeURIComponent(name)}?${query.toString()}`;
}

const requestsAt = statement((reads, value: ValueOf<{ readonly positions: string }>) =>
  reads
    .selectFrom("log.events")
    .select(["position", "type", "schema_version", "actor", "data"])
    .where("position", "=", sql<number>`any (${value("positions")}::bigint[])`),
);

type Naming = {
  readonly payoutId: unknown;
  readonly actor: string;
  readonly handleId: unknown;
  /** Requests of version 1 have none. */
  readonly handleHash: unknown;
};

/** The events that name where payouts go or went, by their positions. */
async function readRequests(
  reads: Reads,
  readEvent: ReadEvent,
  rows: readonly PayoutRow[],
): Promise<ReadonlyMap<number, Naming>> {
  const positions = `{${rows.flatMap((row) => [row.position, row.handle_position]).join(",")}}`;
  const found = await requestsAt(reads, { positions });
  return new Map(
    found.map((row) => {
      const { payoutId, handleId, handleHash } = fieldsOf(readEvent(row));
      return [row.position, { payoutId, actor: row.actor, handleId, handleHash }];
    }),
  );
}

/**
 * Whether the stored handle is not the one that this payout's own event names, so that the money would go to somebody
 * else. The row says which event that is, and could be changed too.
 */
function isTurned(row: PayoutRow, kept: KeptHandle, naming: Naming | undefined): boolean {
  return (
    naming?.payoutId !== row.payout_id ||
    naming.handleId !== row.handle_id ||
    kept.uid !== row.consignor_uid ||
    kept.method !== row.method ||
    (naming.handleHash !== null && kept.hash !== naming.handleHash)
  );
}

function viewOf(
  row: PayoutRow,
  people: Pick<PayoutView, "displayName" | "isConsignorDeleted" | "requestedBy" | "claim">,
  returnReason: string | null,
  kept: KeptHandle | undefined,
  naming: Naming | undefined,
): PayoutView {
  const isVenmo = row.method === "venmo";
  const handleChanged = kept !== undefined && isTurned(row, kept, naming);
  const handle = kept === undefined || handleChanged ? null : kept.handle;
  const payable = handle === "" ? null : handle;
  return {
    id: row.payout_id,
    consignorID: row.consignor_uid,
    ...people,
    amount: toDollars(row.amount_cents),
    method: row.method,
    paid: row.status === "paid",
    status: row.status,
    date: row.requested_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
    reference: row.reference,
    withdrawn: row.withdrawn,
    returnedAt: row.returned_at?.toISOString() ?? null,
    returnReason,
    handle,
    handleId: row.handle_id,
    handleChanged,
    cashAppLink: isVenmo || payable === null ? null : cashAppLinkFor(payable, row.amount_cents),
    venmoUsername: isVenmo ? payable : null,
    venmoLink:
      isVenmo && payable !== null ? venmoLinkFor(payable, row.amount_cents, row.payout_id) : null,
  };
}

/** The names of those who requested in a consignor's place or began to pay, for admins. Mostly nothing is read. */
async function staffNames(
  { profiles, reader }: People,
  rows: readonly PayoutRow[],
  requests: ReadonlyMap<number, Naming>,
): Promise<ReadonlyMap<string, string>> {
  if (reader !== "admin") {
    return new Map();
  }
  const actors = rows.flatMap((row) => {
    const { position, consignor_uid: uid, claimed_by: claimedBy } = row;
    const actor = requests.get(position)?.actor ?? uid;
    return [...(actor === uid ? [] : [actor]), ...(claimedBy === null ? [] : [claimedBy])];
  });
  const found = await profiles.findMany(actors);
  return new Map([...found].map(([uid, profile]) => [uid, nameOf(uid, profile)]));
}

/** Who is paying a pending request. */
function claimOf(
  { status, claimed_by: uid, claimed_until: until }: PayoutRow,
  { readerUid }: People,
  staff: ReadonlyMap<string, string>,
): PayoutView["claim"] {
  return status !== "pending" || uid === null || until === null
    ? null
    : {
        by: staff.get(uid) ?? "the store",
        isOwn: uid === readerUid,
        until: until.toISOString(),
      };
}

/** Payouts with names, handles and reasons. */
export async function viewsOf(
  reads: Reads,
  people: People,
  rows: readonly PayoutRow[],
): Promise<PayoutView[]> {
  const uids = new Set(rows.map((row) => row.consignor_uid));
  const [requests, names, profiles, handles, reasons] = await Promise.all([
    readRequests(reads, people.readEvent, rows),
    people.profiles.displayNames(uids),
    people.profiles.findMany(uids),
    people.payoutHandles.findMany(rows.map((row) => row.handle_id)),
    people.notes.findMany(rows.flatMap((row) => row.return_note_id ?? [])),
  ]);
  const staff = await staffNames(people, rows, requests);
  return rows.map((row) => {
    const actor = requests.get(row.position)?.actor ?? row.consignor_uid;
    return viewOf(
      row,
      {
        displayName: names.get(row.consignor_uid) ?? row.consignor_uid,
        isConsignorDeleted: (profiles.get(row.consignor_uid)?.deactivatedAt ?? null) !== null,
        requestedBy: actor === row.consignor_uid ? null : (staff.get(actor) ?? "the store"),
        claim: claimOf(row, people, staff),
      },
      reasons.get(row.return_note_id ?? "") ?? null,
      handles.get(row.handle_id),
      requests.get(row.handle_position),
    );
  });
}

/** A page and the cursor of the next one; `rows` has one more than the limit. */
function page(rows: readonly PayoutRow[], limit: number) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    shown,
    nextCursor: rows.length > limit && last !== undefined ? String(last.position) : null,
  };
}

async function readTotals(reads: Reads): Promise<PendingResponse["totals"]> {
  const row = await sumUpPending(reads);
  return {
    count: row?.count ?? 0,
    amount: toDollars(row?.amount ?? 0),
    cashapp: toDollars(row?.cashapp ?? 0),
    venmo: toDollars(row?.venmo ?? 0),
    oldest: row?.oldest?.toISOString() ?? null,
  };
}

/** Pending requests with their consignor's current balance; oldest first unless sorted. */
export async function readPending(
  reads: Reads,
  people: People,
  now: Date,
  query: PendingQuery,
): Promise<PendingResponse> {
  const [rows, totals] = await Promise.all([searchPending(reads, query), readTotals(reads)]);
  const { shown, nextCursor } = page(rows, query.limit);
  const [views, lastReturns] = await Promise.all([
    viewsOf(reads, { ...people, reader: "admin" }, shown),
    readLastReturns(
      reads,
      shown.map((row) => row.payout_id),
    ),
  ]);
  return {
    payouts: views.map((view, index) => ({
      ...view,
      ageSeconds: Math.max(0, Math.floor((now.getTime() - Date.parse(view.date)) / 1000)),
      balanceAfter: toDollars(rows[index]?.available_cents ?? 0),
      lastReturn: lastReturns.get(view.id) ?? null,
    })),
    totals,
    nextCursor,
  };
}

/** How many rows of a file are read at a time. */
export const EXPORT_BATCH = 1000;

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

/** All pending requests, oldest first, in batches as lines of a file. */
export async function* exportPending(
  reads: Reads,
  people: People,
  now: Date,
  filters: Pick<PendingQuery, "q" | "method" | "consignor">,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const page = { ...filters, sort: undefined, order: "asc", limit: EXPORT_BATCH } as const;
  const pages = pagesOf((cursor) => readPending(reads, people, now, { ...page, cursor }));
  for await (const { payouts } of pages) {
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
  }
}

/** One consignor's payouts, newest first unless sorted. */
export async function readHistory(
  reads: Reads,
  people: People,
  uid: string,
  query: HistoryQuery,
): Promise<PayoutHistoryResponse> {
  const rows = await searchHistory(reads, uid, query);
  const { shown, nextCursor } = page(rows, query.limit);
  return { payouts: await viewsOf(reads, people, shown), nextCursor };
}

export const HISTORY_CSV_HEAD = [
  "Requested at",
  "Status",
  "Settled at",
  "Method",
  "Handle",
  "Amount",
  "Payout id",
  "Returned at",
  "Return reason",
  "Reference",
] as const;

/** All of one consignor's payouts of a status, newest first, in batches as lines of a file. */
export async function* exportHistory(
  reads: Reads,
  people: People,
  uid: string,
  status: PayoutRow["status"] | undefined,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const page = { status, sort: undefined, order: "asc", limit: EXPORT_BATCH } as const;
  const pages = pagesOf((cursor) => readHistory(reads, people, uid, { ...page, cursor }));
  for await (const { payouts } of pages) {
    yield payouts.map((payout) => [
      payout.date,
      payout.status,
      payout.settledAt,
      payout.method,
      payout.handle,
      money(payout.amount),
      payout.id,
      payout.returnedAt,
      payout.returnReason,
      payout.reference,
    ]);
  }
}

/** The total paid to a consignor, in dollars. */
export async function readTotalPaid(reads: Reads, uid: string): Promise<number> {
  const row = await sumUpPaid(reads, uid);
  return toDollars(row?.cents ?? 0);
}

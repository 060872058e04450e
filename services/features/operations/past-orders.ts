// What operators ordered about read tables, from the log, and what came of each order, as far as that was kept.
import type { Sql } from "#db/connect.ts";
import type { Notes } from "#identity/notes.ts";
import type { ReadEvent, ReadFact, StoredFact } from "#ledger/log/read-event.ts";
import type { OrderOutcome, RebuildOrder } from "#ledger/projection/orders.ts";
import { readOrders, readOutcomes } from "#ledger/projection/orders.ts";
import type { TableOrder } from "#features/operations/contract.ts";
import { OPERATIONS } from "#features/operations/streams.ts";
import type { TableAct } from "#features/operations/table-acts.ts";
import { tableActIn } from "#features/operations/table-acts.ts";

/** The most orders of each projection. */
const MOST = 50;
const READ_AT_ONCE = 500;
/** The most events that are read; among them are the acts on other projections, and on jobs and held rows. */
const READ_AT_MOST = 10_000;

/** An order without the names of people. */
export type PastOrder = Omit<TableOrder, "actor"> & { readonly actor: string };

type Said = Omit<TableAct, "noteId"> & { readonly orderId: string };

type Ordered = Said & {
  readonly position: number;
  readonly actor: string;
  readonly recordedAt: Date;
};

type Row = StoredFact & {
  readonly position: number;
  readonly version: number;
  readonly actor: string;
  readonly recorded_at: Date;
};

/** Null for other acts, and for events that this program cannot read. */
function orderIn(fact: ReadFact): Said | null {
  if (fact.kind === "unreadable") {
    return null;
  }
  // None of them posts or moves anything.
  const act = tableActIn({ ...fact, postings: [], movements: [], happenedAt: "" });
  if (act === null) {
    return null;
  }
  const { noteId: orderId, ...said } = act;
  return { ...said, orderId };
}

/** The last orders of these projections, newest first. */
async function readOrdered(
  { sql, readEvent }: { readonly sql: Sql; readonly readEvent: ReadEvent },
  names: readonly string[],
): Promise<ReadonlyMap<string, Ordered[]>> {
  const found = new Map<string, Ordered[]>(names.map((name) => [name, []]));
  let before = Number.MAX_SAFE_INTEGER;
  let read = 0;
  while (read < READ_AT_MOST && [...found.values()].some(({ length }) => length < MOST)) {
    const rows = await sql<Row[]>`
      select s.version, e.position, e.type, e.schema_version, e.data, e.actor, e.recorded_at
      from log.event_streams s join log.events e on e.position = s.position
      where s.stream_id = ${OPERATIONS} and s.version < ${before}
      order by s.version desc limit ${READ_AT_ONCE}`;
    for (const row of rows) {
      const said = orderIn(readEvent(row));
      const own = said === null ? undefined : found.get(said.projection);
      if (said !== null && own !== undefined && own.length < MOST) {
        own.push({
          ...said,
          position: row.position,
          actor: row.actor,
          recordedAt: row.recorded_at,
        });
      }
    }
    if (rows.length < READ_AT_ONCE) {
      break;
    }
    before = rows.at(-1)?.version ?? 0;
    read += rows.length;
  }
  return found;
}

type Ended = Pick<TableOrder, "outcome" | "error" | "endedAt" | "seconds">;

const withoutTimes = (outcome: Ended["outcome"], error: string | null = null): Ended => ({
  outcome,
  error,
  endedAt: null,
  seconds: null,
});

/** What came of a rebuild, by the next order: only one that is ready can be switched to. */
const byNext: Readonly<Partial<Record<TableOrder["act"], Ended["outcome"]>>> = {
  pause: "paused",
  cancel: "canceled",
  flip: "done",
};

/** `last` is the projection's last order, if this is it. */
function endedOf(
  order: Ordered,
  next: Ordered | undefined,
  kept: OrderOutcome | undefined,
  last: RebuildOrder | undefined,
): Ended {
  if (order.act === "pause") {
    // The event itself pauses: nothing is left to do.
    return withoutTimes("done");
  }
  const builds = order.act === "rebuild" || order.act === "resume";
  const phase = last?.phase ?? kept?.phase;
  if (phase === undefined) {
    const known = builds && next !== undefined ? byNext[next.act] : undefined;
    return withoutTimes(known ?? "unknown");
  }
  const isDone = phase === "done" || (phase === "ready" && builds);
  if (!isDone && phase !== "failed") {
    return withoutTimes("waiting");
  }
  return {
    outcome: isDone ? "done" : "failed",
    error: phase === "failed" ? (last?.error ?? kept?.error ?? null) : null,
    endedAt: kept?.endedAt.toISOString() ?? null,
    seconds: kept === undefined ? null : (kept.endedAt.getTime() - kept.orderedAt.getTime()) / 1000,
  };
}

/** Of each of these projections the last orders, newest first. */
export async function readPastOrders(
  parts: { readonly sql: Sql; readonly readEvent: ReadEvent; readonly notes: Notes },
  names: readonly string[],
): Promise<readonly PastOrder[]> {
  const { sql, notes } = parts;
  // The log first: an order that is written after it is not in the list yet, and its row is that of no order in it.
  const found = await readOrdered(parts, names);
  const ids = [...found.values()].flat().map(({ orderId }) => orderId);
  const [outcomes, current, reasons] = await Promise.all([
    readOutcomes(sql, ids),
    readOrders(sql),
    notes.findMany(ids),
  ]);
  return [...found.values()].flatMap((own) => {
    const versions = new Map(own.map(({ rebuildId, version }) => [rebuildId, version]));
    return own.map((order, index): PastOrder => {
      const { orderId, recordedAt, rebuildId, ...shown } = order;
      const last = current.find(
        (entry) =>
          entry.projection === order.projection &&
          (entry.orderId === null
            ? index === 0 && entry.rebuildId === rebuildId
            : entry.orderId === orderId),
      );
      return {
        ...shown,
        rebuildId,
        version: versions.get(rebuildId) ?? null,
        ...endedOf(order, own[index - 1], outcomes.get(orderId), last),
        why: reasons.get(orderId) ?? null,
        at: recordedAt.toISOString(),
      };
    });
  });
}

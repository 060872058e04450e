// What operators want of read tables: one row for each projection, written with its event and carried out by a worker.
import type { Sql, TransactionSql } from "postgres";
import type { Difference } from "#ledger/projection/compare.ts";

/**
 * `built`: the new tables are filled, compared, and wait · `paused` · `shown`: flipped to · `canceled`: what the
 * rebuild made is dropped · `taken-back`: the tables from before the last flip are shown.
 */
export type Wanted = "built" | "paused" | "shown" | "canceled" | "taken-back";

export type RebuildPhase =
  | "waiting"
  | "filling"
  | "indexing"
  | "comparing"
  | "ready"
  | "done"
  | "failed";

/** A comparison without its rows, which may be large. */
export type Preview = Omit<Difference, "samples">;

/** The last order about a projection, and how far it was carried out. */
export type RebuildOrder = {
  readonly projection: string;
  readonly rebuildId: string;
  /** The note that its event names. Null for an order from before this was kept. */
  readonly orderId: string | null;
  readonly wanted: Wanted;
  readonly acceptHeld: boolean;
  readonly phase: RebuildPhase;
  /** The tables that the rebuild fills; null before it made them. */
  readonly generation: number | null;
  /** Why it failed, or why tables that are ready could not be compared. */
  readonly error: string | null;
  /** What a flip would change; null while that is not known. */
  readonly differences: readonly Preview[] | null;
  readonly eventsPerSecond: number | null;
  readonly startedAt: Date;
  readonly orderedAt: Date;
  /** The last sign of life of the process that carries it out. */
  readonly seenAt: Date | null;
};

/** Every projection's last order. */
export async function readOrders(sql: Sql | TransactionSql): Promise<RebuildOrder[]> {
  return sql<RebuildOrder[]>`
    select projection, rebuild_id as "rebuildId", order_id as "orderId", wanted, accept_held as "acceptHeld", phase, generation,
      error, differences, events_per_second as "eventsPerSecond", started_at as "startedAt",
      ordered_at as "orderedAt", seen_at as "seenAt"
    from read.rebuilds order by projection`;
}

export async function readOrder(sql: Sql, projection: string): Promise<RebuildOrder | undefined> {
  return (await readOrders(sql)).find((order) => order.projection === projection);
}

/**
 * Writes an order, in the transaction that appends its event. One of the same rebuild continues what is there; a
 * failure is tried again.
 */
export async function writeOrder(
  sql: Sql | TransactionSql,
  order: Pick<RebuildOrder, "projection" | "rebuildId" | "orderId" | "wanted" | "acceptHeld">,
): Promise<void> {
  const { projection, rebuildId, orderId, wanted, acceptHeld } = order;
  await sql`
    insert into read.rebuilds as r (projection, rebuild_id, order_id, wanted, accept_held, phase)
    values (${projection}, ${rebuildId}, ${orderId}, ${wanted}, ${acceptHeld}, 'waiting')
    on conflict (projection) do update set
      rebuild_id = excluded.rebuild_id, order_id = excluded.order_id, wanted = excluded.wanted, accept_held = excluded.accept_held,
      ordered_at = now(), seen_at = null,
      -- Tables that are ready wait with the reason why they could not be compared.
      error = case when r.rebuild_id = excluded.rebuild_id and r.phase = 'ready' then r.error end,
      phase = case when r.rebuild_id = excluded.rebuild_id and r.phase <> 'failed' then r.phase else 'waiting' end,
      generation = case when r.rebuild_id = excluded.rebuild_id then r.generation end,
      differences = case when r.rebuild_id = excluded.rebuild_id then r.differences end,
      events_per_second = case when r.rebuild_id = excluded.rebuild_id then r.events_per_second end,
      started_at = case when r.rebuild_id = excluded.rebuild_id then r.started_at else now() end`;
}

/** Whether somebody still has to do something for it. */
export function isOpenOrder({ wanted, phase }: Pick<RebuildOrder, "wanted" | "phase">): boolean {
  if (phase === "done" || phase === "failed" || wanted === "paused") {
    return false;
  }
  return !(wanted === "built" && phase === "ready");
}

type Noted = {
  readonly phase?: RebuildPhase;
  readonly generation?: number;
  readonly error?: string;
  readonly differences?: readonly Preview[];
  readonly eventsPerSecond?: number;
};

/**
 * Notes how far an order is, and keeps what came of it once it has ended. Returns what is wanted now; undefined if
 * another order took its place.
 */
export async function noteOrder(
  sql: Sql | TransactionSql,
  { projection, rebuildId }: Pick<RebuildOrder, "projection" | "rebuildId">,
  noted: Noted,
): Promise<Wanted | undefined> {
  const { phase = null, generation = null, error = null, eventsPerSecond = null } = noted;
  const differences = noted.differences === undefined ? null : JSON.stringify(noted.differences);
  const [row] = await sql<{ wanted: Wanted }[]>`
    with noted as (
    update read.rebuilds set
      phase = coalesce(${phase}::text, phase), generation = coalesce(${generation}::integer, generation),
      error = coalesce(${error}::text, error),
      differences = coalesce(${differences}::text::jsonb, differences),
      events_per_second = coalesce(${eventsPerSecond}::float8, events_per_second), seen_at = now()
    where projection = ${projection} and rebuild_id = ${rebuildId}
    returning wanted, order_id, projection, phase, error, generation, ordered_at
    ), ended as (
      insert into read.order_outcomes as o (order_id, projection, phase, error, generation, ordered_at, ended_at)
      select order_id, projection, phase, error, generation, ordered_at, clock_timestamp() from noted
      where order_id is not null and (phase in ('done', 'failed') or phase = 'ready' and wanted = 'built')
      on conflict (order_id) do update set
        phase = excluded.phase, error = excluded.error, generation = excluded.generation,
        ended_at = excluded.ended_at
    )
    select wanted from noted`;
  return row?.wanted;
}

/** What came of an order. */
export type OrderOutcome = {
  readonly orderId: string;
  readonly phase: "ready" | "done" | "failed";
  readonly error: string | null;
  readonly orderedAt: Date;
  readonly endedAt: Date;
};

/** By the order; those that have not ended, and those of which nothing is kept, are missing. */
export async function readOutcomes(
  sql: Sql,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, OrderOutcome>> {
  const rows = await sql<OrderOutcome[]>`
    select order_id as "orderId", phase, error, ordered_at as "orderedAt", ended_at as "endedAt"
    from read.order_outcomes where order_id = any(${[...orderIds]}::uuid[])`;
  return new Map(rows.map((row) => [row.orderId, row]));
}

/** A start that made newer tables has dropped those that an order was waiting to show: there is nothing left to switch to. */
export async function endOrdersWithoutTables(sql: Sql): Promise<void> {
  const ready = (await readOrders(sql)).filter(({ phase }) => phase === "ready");
  // A number is given again once its tables are dropped.
  const made = await sql<{ name: string; generation: number }[]>`
    select name, generation from read.projections where state = 'ready'`;
  for (const order of ready) {
    const isThere = made.some(
      ({ name, generation }) => name === order.projection && generation === order.generation,
    );
    if (!isThere) {
      const error = "The program was upgraded, and made its own new tables instead of these";
      await noteOrder(sql, order, { phase: "failed", error });
    }
  }
}

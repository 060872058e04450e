// Starts, pauses, resumes and ends the backfill. There is one at a time, in tables, so that it outlives every process.
import type { Sql } from "#db/connect.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { type BackfillResponse, COULD_NOT_EXTRACT } from "#features/images/contract-backfill.ts";
import { LINKS_TO_PRODUCTS, searchableLinks } from "#features/images/searchable-links.ts";

export type RunDeps = {
  /** The primary. */
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly newId: () => string;
};

const FAILURES_LISTED = 200;

type RunRow = {
  readonly id: string;
  readonly state: "running" | "paused" | "finished";
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly total: number;
  readonly updated: number;
  readonly failed: number;
  readonly skipped: number;
  readonly current_item: string | null;
};

type ItemRow = {
  readonly id: string;
  readonly owner_uid: string | null;
  readonly item_name: string;
  readonly barcode1: string;
  readonly link: string;
};

/** The newest backfill. */
export async function readBackfill(sql: Sql): Promise<BackfillResponse> {
  const [run] = await sql<RunRow[]>`
    select b.id, b.state, b.started_at, b.finished_at, b.current_item, c.*
    from store.image_backfills b cross join lateral (
      select count(*) as total, count(*) filter (where i.outcome = 'updated') as updated,
        count(*) filter (where i.outcome = 'failed') as failed,
        count(*) filter (where i.outcome = 'skipped') as skipped
      from store.image_backfill_items i where i.backfill_id = b.id) c
    order by b.started_at desc limit 1`;
  if (run === undefined) {
    return { backfill: null, failures: [] };
  }
  const items = sql(`read.${inventoryItemsTable.name}`);
  const failures = await sql<ItemRow[]>`
    select t.id, t.owner_uid, t.item_name, t.barcode1, t.link
    from store.image_backfill_items i join ${items} t on t.id = i.item_id
    where i.backfill_id = ${run.id} and i.outcome = 'failed' order by i.number limit ${FAILURES_LISTED}`;
  const [current] =
    run.current_item === null
      ? []
      : await sql<ItemRow[]>`
          select id, owner_uid, item_name, barcode1, link from ${items} where id = ${run.current_item}`;
  const { state, total, updated, failed, skipped } = run;
  return {
    backfill: {
      state,
      startedAt: run.started_at.toISOString(),
      finishedAt: run.finished_at?.toISOString() ?? null,
      total,
      updated,
      failed,
      skipped,
      current: current === undefined ? null : shownItem(current),
    },
    failures: failures.map((row) => ({ ...shownItem(row), message: COULD_NOT_EXTRACT })),
  };
}

function shownItem(row: ItemRow) {
  return {
    itemUID: row.id,
    consignorUID: row.owner_uid,
    itemName: row.item_name,
    barcode1: row.barcode1,
    link: row.link,
  };
}

/**
 * Notes all items without a picture whose product is known, the newest first, in place of the last backfill. One that
 * is not finished goes on instead: two admins who press Start at once start one.
 */
export async function startBackfill(
  { sql, clock, newId }: RunDeps,
  hosts: ReadonlySet<string>,
): Promise<void> {
  const id = newId();
  const now = clock();
  await sql.begin(async (transaction) => {
    const { count } = await transaction`
      insert into store.image_backfills (id, state, started_at) values (${id}, 'running', ${now})
      on conflict do nothing`;
    if (count === 0) {
      return;
    }
    await transaction`delete from store.image_backfills where id <> ${id}`;
    const noted = await transaction`
      insert into store.image_backfill_items (backfill_id, number, item_id)
      select ${id}, row_number() over (order by added_position desc), id
      from ${transaction(`read.${inventoryItemsTable.name}`)},
        (select ${searchableLinks(hosts)}::text as pattern) p
      where image_url = '' and not archived and ${transaction.unsafe(LINKS_TO_PRODUCTS)}`;
    if (noted.count === 0) {
      await transaction`
        update store.image_backfills set state = 'finished', finished_at = ${now} where id = ${id}`;
    }
  });
}

/** An item that is being looked for is still finished. */
export async function pauseBackfill({ sql }: RunDeps): Promise<void> {
  await sql`update store.image_backfills set state = 'paused' where state = 'running'`;
}

export async function resumeBackfill({ sql }: RunDeps): Promise<void> {
  await sql`update store.image_backfills set state = 'running' where state = 'paused'`;
}

/** Ends it before all items were looked for. */
export async function finishBackfill({ sql, clock }: RunDeps): Promise<void> {
  await sql`
    update store.image_backfills set state = 'finished', finished_at = ${clock()}
    where state <> 'finished'`;
}

/** Failed items are looked for again, by the same backfill, also if it was finished. A paused one stays paused. */
export async function retryBackfill({ sql }: RunDeps, itemId: string | null): Promise<void> {
  await sql.begin(async (transaction) => {
    const only = itemId === null ? transaction`` : transaction`and item_id = ${itemId}`;
    const { count } = await transaction`
      update store.image_backfill_items set outcome = null, tries = tries + 1
      where outcome = 'failed' ${only}`;
    if (count > 0) {
      await transaction`
        update store.image_backfills set state = 'running', finished_at = null where state = 'finished'`;
    }
  });
}

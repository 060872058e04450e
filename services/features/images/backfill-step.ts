// One step of the backfill: takes the next item, looks for its picture, and gives it to the item by an event.
import { createHash } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { keepImages } from "#http/stored-images.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { storedImageId } from "#ledger/fields.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { changeImage } from "#features/images/decider.ts";
import type { FindPicture } from "#features/images/find-picture.ts";
import { isAsin, type ProductLink, productOf } from "#features/images/product-page.ts";

export type StepDeps = {
  /** The primary. */
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly clock: () => Date;
  readonly hosts: ReadonlySet<string>;
  readonly findPicture: FindPicture;
};

/** Longer than a search and a command take. After that, the worker that took the item has died. */
const HELD_MS = 30_000;
/** The specification's pace: one item every two seconds. */
const PACE_MS = 2_000;

const ACTOR = "system:image-backfill";

type Taken = {
  readonly backfillId: string;
  readonly itemId: string;
  readonly tries: number;
  readonly takenAt: Date;
};

type Outcome = "updated" | "failed" | "skipped";

/**
 * False if there is nothing to do now. Several workers may step at once, and one may die in the middle: an item that
 * is done twice is the same command, so the log has it once.
 */
export async function stepBackfill(deps: StepDeps): Promise<boolean> {
  const taken = await takeItem(deps);
  if (taken === null) {
    return false;
  }
  const outcome = await updateItem(deps, taken);
  await settle(deps, taken, outcome);
  return true;
}

/** Whether a step would find something to do now, or soon. */
export async function nextStepOf(sql: Sql, now: Date): Promise<"due" | "later" | "none"> {
  const [run] = await sql<{ is_due: boolean }[]>`
    select held_until is null or held_until <= ${now} as is_due
    from store.image_backfills where state = 'running' limit 1`;
  if (run === undefined) {
    return "none";
  }
  return run.is_due ? "due" : "later";
}

async function takeItem({ sql, clock }: StepDeps): Promise<Taken | null> {
  const takenAt = clock();
  const heldUntil = new Date(takenAt.getTime() + HELD_MS);
  const [row] = await sql<{ backfill_id: string; item_id: string; tries: number }[]>`
    with due as (
      select id from store.image_backfills
      where state = 'running' and (held_until is null or held_until <= ${takenAt})
      for update skip locked),
    next as (
      select i.backfill_id, i.item_id, i.tries
      from due join store.image_backfill_items i on i.backfill_id = due.id and i.outcome is null
      order by i.number limit 1)
    update store.image_backfills b set held_until = ${heldUntil}, current_item = next.item_id
    from next where b.id = next.backfill_id
    returning next.backfill_id, next.item_id, next.tries`;
  return row === undefined
    ? null
    : { backfillId: row.backfill_id, itemId: row.item_id, tries: row.tries, takenAt };
}

type ItemRow = {
  readonly owner_uid: string | null;
  readonly link: string;
  readonly asin: string;
  readonly image_url: string;
  readonly archived: boolean;
};

async function updateItem(deps: StepDeps, taken: Taken): Promise<Outcome> {
  const { sql, ledger, clock } = deps;
  const { itemId, tries, backfillId } = taken;
  const [item] = await sql<ItemRow[]>`
    select owner_uid, link, asin, image_url, archived
    from ${sql(`read.${inventoryItemsTable.name}`)} where id = ${itemId}`;
  if (item === undefined || item.archived) {
    return "skipped";
  }
  const product = productOfItem(item, deps.hosts);
  const imageUrl =
    product === null ? null : await deps.findPicture(product, { isAgain: tries > 0 });
  const imageId = storedImageId(imageUrl ?? "");
  if (product === null || imageUrl === null || imageId === null) {
    return item.image_url === "" ? "failed" : "skipped";
  }
  const key = `image-backfill:${backfillId}:${itemId}:${tries}`;
  const outcome = await ledger.execute(
    changeImage,
    {
      itemId,
      ownerUid: item.owner_uid,
      imageUrl,
      asin: product.asin,
      isOnlyIfMissing: true,
      happenedAt: clock().toISOString(),
    },
    {
      actor: ACTOR,
      // Not the store's scope, where an admin's key could collide.
      scope: ACTOR,
      key,
      requestHash: createHash("sha256").update(key).digest("hex"),
      inSameTransaction: (transaction) => keepImages(transaction, [imageId], clock()),
    },
  );
  if (outcome.kind === "accepted") {
    return outcome.answer.isChanged ? "updated" : "skipped";
  }
  if (outcome.kind === "rejected") {
    return "skipped";
  }
  throw new Error(`The picture of item ${itemId} was not recorded: ${outcome.kind}`);
}

/** The retailer's number alone is enough: its first host has the page. */
function productOfItem({ link, asin }: ItemRow, hosts: ReadonlySet<string>): ProductLink | null {
  const [host] = hosts;
  const byNumber = isAsin(asin) && host !== undefined ? { host, asin } : null;
  return productOf(link, hosts) ?? byNumber;
}

/** The next item may be taken two seconds after this one was. Without a next one the backfill is finished. */
async function settle(deps: StepDeps, taken: Taken, outcome: Outcome): Promise<void> {
  const { sql, clock } = deps;
  const { backfillId, itemId, takenAt, tries } = taken;
  const nextAt = new Date(takenAt.getTime() + PACE_MS);
  await sql.begin(async (transaction) => {
    await transaction`
      update store.image_backfill_items set outcome = ${outcome}
      where backfill_id = ${backfillId} and item_id = ${itemId} and tries = ${tries} and outcome is null`;
    await transaction`
      update store.image_backfills set held_until = ${nextAt}, current_item = null
      where id = ${backfillId} and current_item = ${itemId}`;
    await transaction`
      update store.image_backfills set state = 'finished', finished_at = ${clock()}
      where id = ${backfillId} and state = 'running' and not exists (
        select from store.image_backfill_items where backfill_id = ${backfillId} and outcome is null)`;
  });
}

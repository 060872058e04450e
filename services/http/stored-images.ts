// The pictures of items that this store keeps itself: written, served, and kept from the day an event names them.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import type { RowInSameTransaction } from "#http/command.ts";
import { badRequest } from "#http/errors.ts";
import { checkImage, type ImageType } from "#http/image-check.ts";
import { withoutMetadata } from "#http/image-metadata.ts";
import { imageAddress, storedImageId } from "#ledger/fields.ts";

export const MAX_IMAGE_BYTES = 2_097_152;
export const MAX_THUMBNAIL_BYTES = 131_072;

export type Picture = { readonly type: ImageType; readonly bytes: Uint8Array };
/** One that was read: its bytes can be an answer as they are. */
export type StoredPicture = Picture & { readonly bytes: Uint8Array<ArrayBuffer> };

/** Larger than a pixel, of a known type, and without what a camera writes into it; null for anything else. */
export function cleanPicture(bytes: Uint8Array, maxBytes: number): Picture | null {
  const checked = checkImage(bytes);
  if (checked.kind === "refused" || (checked.width <= 1 && checked.height <= 1)) {
    return null;
  }
  const clean = withoutMetadata(checked.type, bytes);
  return clean === null || clean.byteLength > maxBytes
    ? null
    : { type: checked.type, bytes: clean };
}

export type NewImage = {
  readonly id: string;
  readonly picture: Picture;
  readonly thumbnail: Picture | null;
};

/** Returns the picture's address. Nobody has it yet: `keptImages` says that an item does. */
export async function writeImage(
  sql: Sql | TransactionSql,
  { id, picture, thumbnail }: NewImage,
  now: Date,
): Promise<string> {
  await sql`
    insert into files.images (id, media_type, image, thumbnail_type, thumbnail, stored_at)
    values (${id}, ${picture.type}, ${Buffer.from(picture.bytes)}, ${thumbnail?.type ?? null},
      ${thumbnail === null ? null : Buffer.from(thumbnail.bytes)}, ${now})`;
  return imageAddress(id);
}

export async function readImage(
  sql: Sql,
  id: string,
  size: "full" | "thumbnail",
): Promise<StoredPicture | undefined> {
  const [row] = await (size === "full"
    ? sql<{ type: ImageType; bytes: Buffer }[]>`
        select media_type as type, image as bytes from files.images where id = ${id}`
    : sql<{ type: ImageType; bytes: Buffer }[]>`
        select coalesce(thumbnail_type, media_type) as type, coalesce(thumbnail, image) as bytes
        from files.images where id = ${id}`);
  return row === undefined ? undefined : { type: row.type, bytes: new Uint8Array(row.bytes) };
}

/**
 * For a command whose event names these pictures: the row that keeps them. Null if none of them is stored here. Throws
 * 400 `image_not_found` for one that is not there, such as a photo that was uploaded days ago and never saved.
 */
export async function keptImages(
  { sql, clock }: { readonly sql: Sql; readonly clock: () => Date },
  addresses: readonly (string | undefined)[],
): Promise<RowInSameTransaction | null> {
  const ids = [...new Set(addresses.flatMap((address) => storedImageId(address ?? "") ?? []))];
  const [first] = ids;
  if (first === undefined) {
    return null;
  }
  const [found] = await sql<{ count: number }[]>`
    select count(*) as count from files.images where id = any(${ids}::uuid[])`;
  if (found?.count !== ids.length) {
    throw badRequest("image_not_found", "This photo is no longer here. Add it again", "imageUrl");
  }
  return { id: first, write: (transaction) => keepImages(transaction, ids, clock()) };
}

/** From now on they are never deleted. */
export async function keepImages(
  transaction: TransactionSql,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await transaction`
    update files.images set kept_at = ${now} where id = any(${ids}::uuid[]) and kept_at is null`;
}

/** Longer than anybody leaves a form open. */
const NOT_KEPT_MS = 86_400_000;
const DELETED_AT_ONCE = 1_000;

/** Deletes pictures that no item ever got, and forgets what was found long ago; returns the number of pictures. */
export async function sweepImages(sql: Sql, now: Date): Promise<number> {
  const storedBefore = new Date(now.getTime() - NOT_KEPT_MS);
  const { count } = await sql`
    delete from files.images where id in (
      select id from files.images where kept_at is null and stored_at < ${storedBefore}
      order by stored_at limit ${DELETED_AT_ONCE})`;
  await sql`
    delete from files.image_lookups where asin in (
      select asin from files.image_lookups where expires_at < ${now}
      order by expires_at limit ${DELETED_AT_ONCE})`;
  return count;
}

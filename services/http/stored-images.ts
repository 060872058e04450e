// The pictures of items that this store keeps itself: written, served, and kept from the day an event names them.
import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import type { RowInSameTransaction } from "#http/command.ts";
import { badRequest } from "#http/errors.ts";
import { checkImage, imageProblemTexts, type ImageType } from "#http/image-check.ts";
import { withoutMetadata } from "#http/image-metadata.ts";
import { storedImageId } from "#ledger/fields.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export const MAX_IMAGE_BYTES = 2_097_152;
export const MAX_THUMBNAIL_BYTES = 131_072;

export type Picture = { readonly type: ImageType; readonly bytes: Uint8Array };
/** A picture that was read. Its bytes can be sent as they are. */
export type StoredPicture = Picture & { readonly bytes: Uint8Array<ArrayBuffer> };

/** Larger than a pixel, of a known type, and without what a camera writes into it; null for anything else. */
export function cleanPicture(bytes: Uint8Array, maxBytes: number): Picture | null {
  const checked = checkImage(bytes);
  if (checked.kind === "refused" || (checked.width <= 1 && checked.height <= 1)) {
    return null;
  }
  const clean = bareImage(bytes);
  return clean === null || clean.bytes.byteLength > maxBytes ? null : clean;
}

/** Of a known type, and without what cameras and programs write into it; null for anything else. */
export function bareImage(bytes: Uint8Array): Picture | null {
  const checked = checkImage(bytes);
  const clean = checked.kind === "refused" ? null : withoutMetadata(checked.type, bytes);
  return checked.kind === "refused" || clean === null ? null : { type: checked.type, bytes: clean };
}

/** Why an uploaded file is not an image that could be stored; null for one. */
export function imageProblem(
  bytes: Uint8Array,
): { readonly code: string; readonly message: string } | null {
  const checked = checkImage(bytes);
  const code =
    checked.kind === "refused"
      ? checked.problem
      : bareImage(bytes) === null
        ? "not_an_image"
        : null;
  return code === null ? null : { code, message: imageProblemTexts[code] };
}

export type NewImage = {
  /** Random; a uuid. */
  readonly salt: string;
  readonly picture: Picture;
  readonly thumbnail: Picture | null;
};

/**
 * The id of a picture follows from its bytes, so an event that names it binds the picture, and from something random,
 * so nobody can guess it. A uuid of version 8 whose variant is `b`: no other ids look like that. Verify makes the same.
 */
function pictureId({ salt, picture, thumbnail }: NewImage): string {
  const hex = createHash("sha256")
    .update(Buffer.from(salt.replaceAll("-", ""), "hex"))
    .update(`${picture.type} ${thumbnail?.type ?? "none"} ${picture.bytes.byteLength}\n`)
    .update(picture.bytes)
    .update(thumbnail?.bytes ?? new Uint8Array())
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-b${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the picture's id. Nobody has it yet: `keptImages` says that an item does. */
export async function writeImage(
  sql: Sql | TransactionSql,
  image: NewImage,
  now: Date,
): Promise<string> {
  const id = pictureId(image);
  await insertImage(sql, { ...image, id }, now);
  return id;
}

/** With an id of its own, which binds nothing: for the pictures of the sample. */
export async function insertImage(
  sql: Sql | TransactionSql,
  image: Omit<NewImage, "salt"> & { readonly id: string; readonly salt: string | null },
  now: Date,
): Promise<void> {
  const { id, salt, picture, thumbnail } = image;
  await sql`
    insert into files.images (id, salt, media_type, image, thumbnail_type, thumbnail, stored_at)
    values (${id}, ${salt}, ${picture.type}, ${Buffer.from(picture.bytes)}, ${thumbnail?.type ?? null},
      ${thumbnail === null ? null : Buffer.from(thumbnail.bytes)}, ${now})`;
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
const NOT_KEPT_MS = DAY_MS;
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

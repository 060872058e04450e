// The requests and responses of the calls about pictures of items. The routes are in routes.ts and routes-backfill.ts.
import * as z from "zod/mini";
import { storedImageId, uid, uuid } from "#ledger/fields.ts";

/** POST /images/find, admins only: the picture of the product that a link leads to. */
export const findImageRequest = z.strictObject({
  link: z.string().check(z.trim(), z.maxLength(2000, "At most 2,000 characters")),
});

/** Null where the link is not on the retailer's hosts, names no product, or no picture was found. */
export const findImageResponse = z.object({
  /** The address of the store's own copy. */
  imageUrl: z.nullable(z.string()),
  asin: z.nullable(z.string()),
});

/** The largest photo and the largest small one that are taken. The browser makes them much smaller. */
export const MAX_PHOTO_BYTES = 2_097_152;
export const MAX_SMALL_PHOTO_BYTES = 131_072;

/** POST /images, admins only: a form with a PNG, JPEG or WebP photo, and the same one for lists. */
export const uploadImageForm = z.strictObject({
  photo: z.file("Choose a photo"),
  thumbnail: z.optional(
    z.file().check(z.maxSize(MAX_SMALL_PHOTO_BYTES, "A small picture is at most 128 kB")),
  ),
});

/** Save an item with this address within a day, or the photo is deleted. */
export const uploadImageResponse = z.object({ imageUrl: z.string() });

/** GET /images/{id} and GET /images/{id}/thumbnail */
export const imageParam = z.strictObject({ id: uuid });

/** GET /admin/items-missing-images, admins only: items without a picture whose product is known, newest first. */
export const missingImagesResponse = z.object({
  items: z.array(
    z.object({
      itemUID: z.string(),
      /** Null for an item of the store. */
      consignorUID: z.nullable(z.string()),
      itemName: z.string(),
      barcode1: z.string(),
      link: z.string(),
      asin: z.string(),
    }),
  ),
  /** Counts stop at 2,000, so that the answer takes little time. */
  debug: z.object({
    /** Items without a picture. */
    missingImages: z.int(),
    /** How many of them have a link or a product number of the retailer, so that they can be searched for. */
    searchable: z.int(),
    /** `items` has at most this many. */
    listed: z.int(),
    /** True if a count stopped. */
    capped: z.boolean(),
  }),
});

/** POST /admin/update-item-image, admins only. An empty address takes the picture away. */
export const updateItemImageRequest = z.strictObject({
  /** Null or left out for an item of the store. */
  consignorUID: z.optional(z.nullable(uid)),
  itemUID: uuid,
  imageUrl: z.string().check(
    z.trim(),
    z.maxLength(2000, "At most 2,000 characters"),
    z.refine(
      (address) => address === "" || storedImageId(address) !== null || isWebAddress(address),
      "Please enter a valid link (http or https)",
    ),
  ),
});

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

export const updateItemImageResponse = z.object({ message: z.string(), version: z.int() });

export type FindImageRequest = z.input<typeof findImageRequest>;
export type FindImageResponse = z.output<typeof findImageResponse>;
export type MissingImagesResponse = z.output<typeof missingImagesResponse>;
export type UpdateItemImageResponse = z.output<typeof updateItemImageResponse>;

// The calls about pictures of items: finding one at the retailer, uploading one, showing one, and giving one to an item.
import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { admin, open, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { type FileRules, fileForm } from "#http/file-form.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { imageProblemTexts } from "#http/image-check.ts";
import { requireProfile } from "#http/known-person.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import {
  cleanPicture,
  imageProblem,
  keptImages,
  readImage,
  writeImage,
} from "#http/stored-images.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { imageAddress } from "#ledger/fields.ts";
import {
  findImageRequest,
  type FindImageResponse,
  findImageResponse,
  imageParam,
  MAX_PHOTO_BYTES,
  MAX_SMALL_PHOTO_BYTES,
  missingImagesResponse,
  updateItemImageRequest,
  type UpdateItemImageResponse,
  updateItemImageResponse,
  uploadImageForm,
  uploadImageResponse,
} from "#features/images/contract.ts";
import { addBackfill } from "#features/images/routes-backfill.ts";
import { changeImage } from "#features/images/decider.ts";
import { createFindPicture } from "#features/images/find-picture.ts";
import { productOf } from "#features/images/product-page.ts";
import { createPictureReads } from "#features/images/picture-reads.ts";
import { readMissingImages } from "#features/images/queries.ts";

const tag = "images";

/** A person fills in far fewer forms; the backfill is not counted. */
const SEARCHES = { attempts: 60, perSeconds: 60 };
const UPLOADS = { attempts: 300, perSeconds: 3_600 };

export function imageRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addSearch(routes, deps);
  addUpload(routes, deps);
  addPictures(routes, deps);
  addItems(routes, deps);
  addBackfill(routes, deps);
  return routes;
}

function addSearch(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const findPicture = createFindPicture(deps);
  const searches = createRateLimits(deps.sql, deps.clock)("image-searches", SEARCHES);
  routes.post(
    "/images/find",
    admin,
    documented({ summary: "Find the picture of a link", tag, answer: findImageResponse }),
    jsonBody(findImageRequest),
    async (c) => {
      const product = productOf(c.req.valid("json").link, deps.retailer.hosts);
      if (product === null) {
        return c.json({ imageUrl: null, asin: null } satisfies FindImageResponse);
      }
      await searches.consume(c.var.person.uid);
      const imageUrl = await findPicture(product);
      return c.json({ imageUrl, asin: product.asin } satisfies FindImageResponse);
    },
  );
}

function addUpload(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const uploads = createRateLimits(deps.sql, deps.clock)("image-uploads", UPLOADS);
  const rules: FileRules = {
    maxBytes: MAX_PHOTO_BYTES + MAX_SMALL_PHOTO_BYTES,
    tooLarge: "A photo is at most 2 MB",
    admit: ({ uid }) => uploads.consume(uid),
    check: (bytes) => Promise.resolve(problemOf(bytes)),
  };
  routes.post(
    "/images",
    admin,
    documented({ summary: "Upload a photo of an item", tag, answer: uploadImageResponse }),
    fileForm(rules, uploadImageForm),
    async (c) => {
      const { photo, thumbnail } = c.req.valid("form");
      const picture = await cleanFile(photo, MAX_PHOTO_BYTES);
      if (picture === null) {
        throw new HttpError(413, "file_too_large", rules.tooLarge);
      }
      const small =
        thumbnail === undefined ? null : await cleanFile(thumbnail, MAX_SMALL_PHOTO_BYTES);
      const image = { salt: randomUUID(), picture, thumbnail: small };
      const id = await writeImage(deps.sql, image, deps.clock());
      return c.json({ imageUrl: imageAddress(id) });
    },
  );
}

/** A single pixel is not a photo either. */
function problemOf(bytes: Uint8Array): { readonly code: string; readonly message: string } | null {
  const isPhoto = cleanPicture(bytes, bytes.byteLength) !== null;
  const none = { code: "not_an_image", message: imageProblemTexts.not_an_image };
  return imageProblem(bytes) ?? (isPhoto ? null : none);
}

async function cleanFile(file: File, maxBytes: number) {
  return cleanPicture(new Uint8Array(await file.arrayBuffer()), maxBytes);
}

/**
 * Open: a browser sends no token for a picture. The address is random, and only those who may see the item are told
 * it: its consignor, admins, and everybody while it is offered on the marketplace.
 */
function addPictures(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { sql, clock } = deps;
  const read = createPictureReads((id, size) => readImage(sql, id, size), clock);
  for (const size of ["full", "thumbnail"] as const) {
    routes.get(
      size === "full" ? "/images/:id" : "/images/:id/thumbnail",
      open,
      documentedFile({
        summary: size === "full" ? "Load a picture of an item" : "Load a small picture of an item",
        tag,
        types: ["image/png", "image/jpeg", "image/webp"],
      }),
      pathParams(imageParam),
      async (c) => {
        const { id } = c.req.valid("param");
        const from = { address: c.get("clientAddress"), signal: c.req.raw.signal };
        const picture = await read({ id, size }, from);
        if (picture === undefined) {
          throw new HttpError(404, "image_not_found", "There is no such picture");
        }
        const [, extension = ""] = picture.type.split("/");
        return c.body(picture.bytes, 200, {
          "Content-Type": picture.type,
          // Opened by itself it is saved, and never runs: pages show it all the same.
          "Content-Disposition": `attachment; filename="item.${extension}"`,
          "Cache-Control": "private, max-age=31536000, immutable",
        });
      },
    );
  }
}

function addItems(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/admin/items-missing-images",
    admin,
    documented({ summary: "List items without a picture", tag, answer: missingImagesResponse }),
    readsFrom("inventory"),
    async (c) => respondFresh(c, await readMissingImages(deps.searches, deps.retailer.hosts)),
  );
  routes.post(
    "/admin/update-item-image",
    rehearsable(admin),
    documented({ summary: "Give an item a picture", tag, answer: updateItemImageResponse }),
    jsonBody(updateItemImageRequest),
    async (c) => {
      const { consignorUID: ownerUid = null, itemUID: itemId, imageUrl } = c.req.valid("json");
      if (ownerUid !== null) {
        await requireProfile(deps, ownerUid);
      }
      const happenedAt = deps.clock().toISOString();
      const changed = await runCommand(
        c,
        deps.ledger,
        changeImage,
        { itemId, ownerUid, imageUrl, asin: null, isOnlyIfMissing: false, happenedAt },
        await keptImages(deps, [imageUrl]),
      );
      const message = "Image updated successfully";
      return c.json({ message, version: changed.version } satisfies UpdateItemImageResponse);
    },
  );
}

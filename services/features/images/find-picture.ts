// Finds the picture of a retailer's product and stores a copy: cached, else from its page, else by its number.
import { randomUUID } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { untilAborted } from "#http/outgoing.ts";
import type { Retailer } from "#http/retailer.ts";
import type { Fetched, FetchRules } from "#http/safe-fetch.ts";
import {
  cleanPicture,
  MAX_IMAGE_BYTES,
  MAX_THUMBNAIL_BYTES,
  type Picture,
  writeImage,
} from "#http/stored-images.ts";
import { imageAddress } from "#ledger/fields.ts";
import {
  pageOf,
  pictureByNumber,
  picturesOn,
  type ProductLink,
  smallerPicture,
} from "#features/images/product-page.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type FindDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly retailer: Retailer;
};

/** `isAgain`: a failure that is remembered is not an answer. Returns the address of our copy; null for none. */
export type FindPicture = (
  product: ProductLink,
  options?: { readonly isAgain?: boolean },
) => Promise<string | null>;

/** The specification's limit for everything together. */
const TIME_LIMIT_MS = 10_000;
/** For the page alone, so that there is time for the picture, or for the one by its number. */
const PAGE_LIMIT_MS = 6_000;
const MAX_PAGE_BYTES = 4_194_304;
const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp"];

const FOUND_FOR_MS = 30 * DAY_MS;
/** The retailer may only have been busy. */
const NOT_FOUND_FOR_MS = 3_600_000;

/** Two who ask for the same product at once wait for one search. */
export function createFindPicture(deps: FindDeps): FindPicture {
  const running = new Map<string, Promise<string | null>>();
  return async (product, { isAgain = false } = {}) => {
    const known = await readLookup(deps, product.asin);
    if (known !== undefined && (known !== null || !isAgain)) {
      return known;
    }
    const others = running.get(product.asin);
    if (others !== undefined) {
      return others;
    }
    const search = searchAndStore(deps, product).finally(() => running.delete(product.asin));
    running.set(product.asin, search);
    return search;
  };
}

/** Undefined if it is not known; null if nothing was found lately. */
async function readLookup(
  { sql, clock }: FindDeps,
  asin: string,
): Promise<string | null | undefined> {
  const [row] = await sql<{ image_id: string | null }[]>`
    select image_id from files.image_lookups where asin = ${asin} and expires_at > ${clock()}`;
  if (row === undefined) {
    return undefined;
  }
  return row.image_id === null ? null : imageAddress(row.image_id);
}

async function searchAndStore(deps: FindDeps, product: ProductLink): Promise<string | null> {
  const { sql, clock, retailer } = deps;
  const found = await search(retailer, product, AbortSignal.timeout(TIME_LIMIT_MS));
  const now = clock();
  const expiresAt = new Date(now.getTime() + (found === null ? NOT_FOUND_FOR_MS : FOUND_FOR_MS));
  return sql.begin(async (transaction) => {
    const id =
      found === null ? null : await writeImage(transaction, { salt: randomUUID(), ...found }, now);
    await transaction`
      insert into files.image_lookups as l (asin, image_id, expires_at)
      values (${product.asin}, ${id}, ${expiresAt})
      on conflict (asin) do update set image_id = excluded.image_id, expires_at = excluded.expires_at`;
    return id === null ? null : imageAddress(id);
  });
}

type FoundPicture = { readonly picture: Picture; readonly thumbnail: Picture | null };

async function search(
  retailer: Retailer,
  product: ProductLink,
  signal: AbortSignal,
): Promise<FoundPicture | null> {
  const page = await fetchInTime(retailer, pageOf(product), {
    hosts: retailer.hosts,
    types: ["text/html"],
    maxBytes: MAX_PAGE_BYTES,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_LIMIT_MS)]),
  });
  const onPage = page.kind === "fetched" ? picturesOn(new TextDecoder().decode(page.bytes)) : [];
  for (const address of [...onPage, pictureByNumber(product.asin)]) {
    const picture = await load(retailer, address, MAX_IMAGE_BYTES, signal);
    if (picture !== null) {
      const small = smallerPicture(address);
      const thumbnail =
        small === null ? null : await load(retailer, small, MAX_THUMBNAIL_BYTES, signal);
      return { picture, thumbnail };
    }
  }
  return null;
}

/** Ends with its time limit whatever the connection does: until then everybody with this product waits for it. */
async function fetchInTime(
  retailer: Retailer,
  address: string,
  rules: FetchRules,
): Promise<Fetched> {
  try {
    return await untilAborted(retailer.fetch(address, rules), rules.signal);
  } catch (error) {
    if (rules.signal.aborted) {
      return { kind: "refused", why: "timed_out" };
    }
    throw error;
  }
}

/** Null for what is not a picture, and for the single pixel that the retailer sends where it has none. */
async function load(
  retailer: Retailer,
  address: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Picture | null> {
  const rules = { hosts: retailer.imageHosts, types: IMAGE_TYPES, maxBytes, signal };
  const loaded = await fetchInTime(retailer, address, rules);
  return loaded.kind === "fetched" ? cleanPicture(loaded.bytes, maxBytes) : null;
}

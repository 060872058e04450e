// The requests and responses of the inventory's calls: the one file of this feature that screens import.
import * as z from "zod/mini";

const maxNameLength = 200;
const maxBarcodeLength = 128;
const maxUrlLength = 2000;
export const maxQuantity = 1_000_000;
export const maxMassInputBarcodes = 1000;

/** The database cannot store NUL or half a surrogate pair, and all fields here are one line. */
function isPlainText(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  return value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value);
}

const plainText = z.refine<string>(isPlainText, "Please use one line of plain text");

function atMostLong(maxLength: number) {
  return z.maxLength(maxLength, `At most ${maxLength.toLocaleString("en-US")} characters`);
}

function text(maxLength: number) {
  return z.string().check(z.trim(), atMostLong(maxLength), plainText);
}

function requiredText(maxLength: number, message: string) {
  return z.string().check(z.trim(), z.minLength(1, message), atMostLong(maxLength), plainText);
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** An http or https address, or the empty string for none. */
const optionalUrl = z.string().check(
  z.trim(),
  atMostLong(maxUrlLength),
  plainText,
  z.refine(
    (value) => value === "" || isHttpUrl(value),
    "Please enter a valid link (http or https)",
  ),
);

/** A uid has at least 20 characters, no @ and no colon; anything else was typed, not selected from the list. */
const consignorId = z
  .string()
  .check(
    z.minLength(1, "Please select a consignor"),
    z.regex(/^[^@:\s]{20,128}$/, "Please select a user from the dropdown"),
    plainText,
  );

const uuid = z
  .string()
  .check(
    z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, "This is no item id"),
  );

const barcode1 = requiredText(maxBarcodeLength, "Please enter a barcode");
const atMostMax = z.lte(maxQuantity, "Quantity must be at most 1,000,000");
const quantity = z
  .int("Quantity must be a whole number")
  .check(z.gte(0, "Quantity must be at least 0"), atMostMax);
const movedQuantity = z
  .int("Quantity must be a whole number")
  .check(z.gte(1, "Quantity must be greater than 0"), atMostMax);

/** Optional fields: by default empty in a new item, and unchanged in an edit. */
const optionalFields = {
  listingTitle: z.optional(text(maxNameLength)),
  barcode2: z.optional(text(maxBarcodeLength)),
  location: z.optional(text(maxNameLength)),
  link: z.optional(optionalUrl),
  imageUrl: z.optional(optionalUrl),
  asin: z.optional(text(20)),
};

const requiredFields = {
  itemName: requiredText(maxNameLength, "Please enter an item name"),
  barcode1,
  quantity,
};

/** POST /inventory/master */
export const addMasterItemRequest = z.strictObject({ ...requiredFields, ...optionalFields });

/** POST /inventory/consignor */
export const addConsignorItemRequest = z.strictObject({
  consignorID: consignorId,
  ...requiredFields,
  ...optionalFields,
});

/**
 * PUT /inventory/master/{id} and PUT /inventory/consignor/{consignorId}/{itemId}. A field that is left out
 * keeps its value; the empty string clears it. `consignorID` may be repeated but not changed.
 * `expectedVersion` is the version the form was loaded with: 409 `item_changed` if the item has changed since.
 */
export const editItemRequest = z.strictObject({
  consignorID: z.optional(consignorId),
  ...requiredFields,
  ...optionalFields,
  expectedVersion: z.optional(z.int().check(z.gte(1))),
  /** Why the quantity changed; by default "Manual edit". */
  reason: z.optional(text(maxNameLength)),
});

/** POST /inventory/allocate. `location` moves an existing item, unless it is empty. */
export const allocateRequest = z.strictObject({
  masterItemID: uuid,
  consignorID: consignorId,
  quantity: movedQuantity,
  location: z.optional(text(maxNameLength)),
});

/** POST /inventory/copy-to-consignor */
export const copyToConsignorRequest = z.strictObject({
  sourceConsignorID: consignorId,
  sourceItemUID: uuid,
  targetConsignorID: consignorId,
  quantity: movedQuantity,
  location: z.optional(text(maxNameLength)),
});

/** The barcodes of a mass input, one per line; blank lines are skipped and repeated ones are kept. */
export function barcodeLines(barcodes: string | readonly string[]): string[] {
  const lines = typeof barcodes === "string" ? barcodes.split(/\r\n|\r|\n/) : barcodes;
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

const barcodes = z.union([z.string(), z.array(z.string())]).check(
  z.check(({ value, issues }) => {
    const lines = barcodeLines(value);
    const fault = (message: string) =>
      issues.push({ code: "custom", message, input: value, path: [] });
    if (lines.length === 0) {
      fault("Please enter at least one barcode");
    } else if (lines.length > maxMassInputBarcodes) {
      fault(`Please enter at most ${maxMassInputBarcodes.toLocaleString("en-US")} barcodes`);
    } else if (lines.some((line) => line.length > maxBarcodeLength || !isPlainText(line))) {
      fault(`Each barcode is one line of plain text of at most ${maxBarcodeLength} characters`);
    }
  }),
);

/** POST /inventory/consignor/mass-input: `barcodes` is a list, or text with one barcode a line. */
export const massInputRequest = z
  .strictObject({
    /** Optional only for a shipment of an unknown sender: its goods become the store's own. */
    consignorID: z.optional(consignorId),
    itemName: requiredText(maxNameLength, "Please enter an item name"),
    location: z.optional(text(maxNameLength)),
    barcodes,
    /** The shipment that all of it came out of. */
    shipmentId: z.optional(uuid),
  })
  .check(
    z.refine(
      ({ consignorID, shipmentId }) => consignorID !== undefined || shipmentId !== undefined,
      { path: ["consignorID"], message: "Please select a consignor" },
    ),
  );

export const itemSourceName = z.enum(["MasterInventory", "ConsignorInventory"]);
export const ownerFilter = z.enum(["all", "master", "consignor"]);
export const searchPreset = z.enum(["zero-stock", "no-image", "no-location"]);

const searchFilters = {
  /** Part of a name, listing title or barcode, ignoring case; an exact barcode comes first. */
  searchTerm: z.optional(text(maxNameLength)),
  /** The beginning of the location, ignoring case. */
  location: z.optional(text(maxNameLength)),
  /** A consignor's uid; empty for all. Without admin rights it is always the caller's own. */
  consignor: z.optional(z.union([z.literal(""), consignorId])),
  filter: z.optional(ownerFilter),
  preset: z.optional(searchPreset),
};

/** A number in a query string; an empty one is read as 0 and is therefore out of range. */
function queryNumber(max: number, absent: number) {
  // oxlint-disable-next-line no-underscore-dangle -- this is what zod/mini calls a default
  return z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(max)), absent);
}

export const maxSearchLimit = 200;
export const defaultSearchLimit = 50;
const maxCatalogueLimit = 1000;

const paging = {
  limit: queryNumber(maxSearchLimit, defaultSearchLimit),
  page: queryNumber(20_000, 1),
};

/**
 * What items can be sorted by. `source` is the consignor's name; the store's own items come before all names. Ties
 * are sorted by when the item was added, in the same direction.
 */
export const itemSort = z.enum([
  "added",
  "itemName",
  "barcode1",
  "barcode2",
  "location",
  "source",
  "quantity",
]);
export type ItemSort = z.infer<typeof itemSort>;

/** More matching items than this cannot be sorted by quantity: 400 `too_many_to_sort`. */
export const MOST_SORTED_BY_QUANTITY = 10_000;

/** GET /inventory/search */
export const searchQuery = z.strictObject({
  ...searchFilters,
  /** Without it, an item whose barcode is the term comes first, then the newest, regardless of `order`. */
  sort: z.optional(itemSort),
  // oxlint-disable-next-line no-underscore-dangle -- this is what zod/mini calls a default
  order: z._default(z.enum(["asc", "desc"]), "asc"),
  ...paging,
});

/** GET /inventory/search/count, and GET /inventory/search/export, which returns a CSV file. */
export const searchCountQuery = z.strictObject(searchFilters);

/** GET /inventory/items/{id}/timeline: newest first. */
export const timelineQuery = z.strictObject(paging);

export const itemParam = z.strictObject({ id: uuid });
export const consignorItemParam = z.strictObject({ consignorId, itemId: uuid });

/** An item as screens show it; an empty field is "". `consignorID` is null for a master item. */
export const inventoryItem = z.strictObject({
  id: z.string(),
  source: itemSourceName,
  consignorID: z.nullable(z.string()),
  /** Null for a master item, or if the consignor has no name. */
  consignorDisplayName: z.nullable(z.string()),
  itemName: z.string(),
  listingTitle: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  quantity: z.int(),
  /** Units of it that trades hold; they are not in `quantity`. */
  unitsInTrades: z.int(),
  link: z.string(),
  imageUrl: z.string(),
  asin: z.string(),
  /** Send it back as `expectedVersion`. */
  version: z.int(),
  archived: z.boolean(),
  /** ISO 8601. */
  addedAt: z.string(),
});

export const searchResponse = z.strictObject({
  items: z.array(inventoryItem),
  hasMore: z.boolean(),
});

/** How many items match; `capped` says that there are more than `count` ("10,000+"). */
export const searchCountResponse = z.strictObject({ count: z.int(), capped: z.boolean() });

/** GET /inventory/items/{id}: also for an archived item, so that its history stays readable. */
export const itemResponse = z.strictObject({ item: inventoryItem });

/** One line of an item's history; `line` counts up from 1, the oldest. */
export const timelineLine = z.strictObject({
  line: z.int(),
  position: z.int(),
  /** The event's type, for example `SaleRecorded`. */
  type: z.string(),
  /** ISO 8601. */
  happenedAt: z.string(),
  recordedAt: z.string(),
  unitsDelta: z.int(),
  unitsAfter: z.int(),
  /** The kind of event, for icons. */
  kind: z.enum(["in", "out", "sold", "traded", "back", "moved", "edited", "counted", "removed"]),
  /** "Counted 5, was 3" */
  title: z.string(),
  /** What changed and why, one sentence each; empty for anyone who is not an admin. */
  notes: z.array(z.string()),
  /** Added to the title: who got the units. Null if nobody is named, and for anyone who is not an admin. */
  consignorID: z.nullable(z.string()),
  /** Added to the title: the units' price in dollars. Null without a price, and for anyone who is not an admin. */
  price: z.nullable(z.number()),
  /** The sale it is about; null without one, and for anyone who is not an admin. */
  saleID: z.nullable(z.string()),
  /** Who did it: a uid or `system:<name>`; null for anyone who is not an admin. */
  actor: z.nullable(z.string()),
  actorDisplayName: z.nullable(z.string()),
  /** The event's data; null for anyone who is not an admin. */
  data: z.nullable(z.record(z.string(), z.unknown())),
});

/** GET /inventory/catalogue: items in stock, newest first; admins only. `before` is the previous page's `nextBefore`. */
export const catalogueQuery = z.strictObject({
  before: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
  limit: queryNumber(maxCatalogueLimit, maxCatalogueLimit),
});

/** GET /inventory/catalogue/changes: the items that changed after the position `since`, as they are now. */
export const catalogueChangesQuery = z.strictObject({
  since: z.coerce.number().check(z.int(), z.gte(0)),
});

/** What a point of sale needs to know about an item. */
export const catalogueItem = z.strictObject({
  id: z.string(),
  consignorID: z.nullable(z.string()),
  consignorDisplayName: z.nullable(z.string()),
  itemName: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  imageUrl: z.string(),
  quantity: z.int(),
  archived: z.boolean(),
});

export const catalogueResponse = z.strictObject({
  items: z.array(catalogueItem),
  /** Null at the end. */
  nextBefore: z.nullable(z.int()),
});

/** `through` is the next `since`. If it is below the `since` that was sent, the log is not the same as before. */
export const catalogueChangesResponse = z.strictObject({
  items: z.array(catalogueItem),
  through: z.int(),
  hasMore: z.boolean(),
});

export const timelineResponse = z.strictObject({
  lines: z.array(timelineLine),
  hasMore: z.boolean(),
});

/** The response to every change of one item: its current name and quantity. */
export const itemChangedResponse = z.strictObject({
  message: z.string(),
  id: z.string(),
  version: z.int(),
  quantity: z.int(),
});

/** The response to an allocation or a copy: the consignor's item, and whether it is new. */
export const itemFilledResponse = z.strictObject({
  message: z.string(),
  id: z.string(),
  version: z.int(),
  quantity: z.int(),
  created: z.boolean(),
});

export const massInputResponse = z.strictObject({
  message: z.string(),
  unitsAdded: z.int(),
  itemsCreated: z.int(),
  items: z.array(
    z.strictObject({
      id: z.string(),
      barcode1: z.string(),
      unitsAdded: z.int(),
      version: z.int(),
      created: z.boolean(),
    }),
  ),
});

/** `current` of a 409 `item_changed`: the item as it is now. */
export const itemChangedCurrent = z.strictObject({
  id: z.string(),
  version: z.int(),
  itemName: z.string(),
  listingTitle: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  quantity: z.int(),
  link: z.string(),
  imageUrl: z.string(),
  asin: z.string(),
});

/** `current` of a 409 `duplicate_barcode`: the item that has the barcode. */
export const duplicateBarcodeCurrent = z.strictObject({ id: z.string(), barcode1: z.string() });

export type AddMasterItemRequest = z.input<typeof addMasterItemRequest>;
export type AddMasterItemOutput = z.output<typeof addMasterItemRequest>;
export type AddConsignorItemRequest = z.input<typeof addConsignorItemRequest>;
export type EditItemRequest = z.input<typeof editItemRequest>;
export type EditItemOutput = z.output<typeof editItemRequest>;
export type AllocateRequest = z.input<typeof allocateRequest>;
export type CopyToConsignorRequest = z.input<typeof copyToConsignorRequest>;
export type MassInputRequest = z.input<typeof massInputRequest>;
export type SearchQuery = z.output<typeof searchQuery>;
export type SearchCountQuery = z.output<typeof searchCountQuery>;
export type InventoryItem = z.output<typeof inventoryItem>;
export type SearchResponse = z.output<typeof searchResponse>;
export type SearchCountResponse = z.output<typeof searchCountResponse>;
export type ItemResponse = z.output<typeof itemResponse>;
export type TimelineLine = z.output<typeof timelineLine>;
export type TimelineResponse = z.output<typeof timelineResponse>;
export type ItemChangedResponse = z.output<typeof itemChangedResponse>;
export type ItemFilledResponse = z.output<typeof itemFilledResponse>;
export type MassInputResponse = z.output<typeof massInputResponse>;
export type ItemChangedCurrent = z.output<typeof itemChangedCurrent>;
export type DuplicateBarcodeCurrent = z.output<typeof duplicateBarcodeCurrent>;
export type CatalogueItem = z.output<typeof catalogueItem>;

// The requests and responses of the calls that change items.
import * as z from "zod/mini";
import { storedImageId } from "#ledger/fields.ts";
import {
  atMostLong,
  consignorId,
  itemPriceCents,
  isPlainText,
  maxBarcodeLength,
  maxNameLength,
  maxQuantity,
  plainText,
  requiredText,
  text,
  uuid,
} from "#features/inventory/contract-fields.ts";

const maxUrlLength = 2000;
export const maxMassInputBarcodes = 1000;

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

/** The same, or a picture that this store keeps. */
const optionalImageUrl = z.string().check(
  z.trim(),
  atMostLong(maxUrlLength),
  plainText,
  z.refine(
    (value) => value === "" || storedImageId(value) !== null || isHttpUrl(value),
    "Please enter a valid link (http or https)",
  ),
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
  imageUrl: z.optional(optionalImageUrl),
  asin: z.optional(text(20)),
  /** What one unit costs, tax included; null is none. */
  tagPriceCents: z.optional(z.nullable(itemPriceCents)),
};

const requiredFields = {
  itemName: requiredText(maxNameLength, "Please enter an item name"),
  barcode1,
  quantity,
};

/** A form's field that is empty where the path names the owner. */
const ownerInBody = z.optional(z.nullable(z.union([z.literal(""), consignorId])));

/** POST /inventory/master. `consignorID` is empty: 400 `owner_differs` for a consignor's. */
export const addMasterItemRequest = z.strictObject({
  consignorID: ownerInBody,
  ...requiredFields,
  ...optionalFields,
});

/** POST /inventory/consignor */
export const addConsignorItemRequest = z.strictObject({
  consignorID: consignorId,
  ...requiredFields,
  ...optionalFields,
});

/**
 * PUT /inventory/master/{id} and PUT /inventory/consignor/{consignorId}/{itemId}. A field that is left out
 * keeps its value; the empty string clears it. `consignorID` may be repeated or empty: an edit never changes it.
 * `expectedVersion` is the version the form was loaded with: 409 `item_changed` if the item has changed since.
 */
export const editItemRequest = z.strictObject({
  consignorID: ownerInBody,
  ...requiredFields,
  ...optionalFields,
  expectedVersion: z.optional(z.int().check(z.gte(1))),
  /** Why the quantity changed; by default "Manual edit". */
  reason: z.optional(text(maxNameLength)),
});

/** Why units leave without a sale; their consignor sees it. */
export const removalReason = z.enum(
  ["returned_to_consignor", "lost", "damaged", "donated", "miscount"],
  "Please select a reason",
);

/** POST /inventory/remove: units leave without a sale, and the item stays. */
export const removeUnitsRequest = z.strictObject({
  itemID: uuid,
  quantity: movedQuantity,
  reason: removalReason,
});

/** DELETE of an item: why its units leave. */
export const archiveQuery = z.strictObject({ reason: z.optional(removalReason) });

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

/** What a new item of one barcode is, in place of the common name. */
const massInputItem = z.strictObject({
  barcode1,
  itemName: requiredText(maxNameLength, "Please enter an item name"),
  listingTitle: z.optional(text(maxNameLength)),
  link: z.optional(optionalUrl),
  imageUrl: z.optional(optionalImageUrl),
});

/** POST /inventory/consignor/mass-input: `barcodes` is a list, or text with one barcode a line. */
export const massInputRequest = z
  .strictObject({
    /** Optional only for a shipment of an unknown sender: its goods become the store's own. */
    consignorID: z.optional(consignorId),
    /** The name of new items that `items` does not describe; it may be empty only with `items`. */
    itemName: z.optional(text(maxNameLength)),
    /** New items, each with its own name; existing ones keep theirs. */
    items: z.optional(z.array(massInputItem).check(z.maxLength(maxMassInputBarcodes))),
    location: z.optional(text(maxNameLength)),
    barcodes,
    /** The shipment that all of it came out of. */
    shipmentId: z.optional(uuid),
  })
  .check(
    z.refine(({ itemName = "", items }) => itemName !== "" || items !== undefined, {
      path: ["itemName"],
      message: "Please enter an item name",
    }),
    z.refine(
      ({ consignorID, shipmentId }) => consignorID !== undefined || shipmentId !== undefined,
      { path: ["consignorID"], message: "Please select a consignor" },
    ),
  );

/** POST /inventory/known, which changes nothing: what is known of scanned barcodes. */
export const knownBarcodesRequest = z.strictObject({
  /** Whose items get units; null is the store. */
  consignorID: z.nullable(consignorId),
  barcodes: z.array(barcode1).check(z.minLength(1), z.maxLength(maxMassInputBarcodes)),
});

export const knownBarcodesResponse = z.object({
  /** Barcodes that no item has are left out. */
  known: z.array(
    z.object({
      barcode1: z.string(),
      /** The owner's own item with its units; null if only others have the barcode. */
      own: z.nullable(z.object({ id: z.string(), quantity: z.int() })),
      itemName: z.string(),
      listingTitle: z.string(),
      link: z.string(),
      imageUrl: z.string(),
    }),
  ),
});

/** The response to every change of one item: its current name and quantity. */
export const itemChangedResponse = z.object({
  message: z.string(),
  id: z.string(),
  version: z.int(),
  quantity: z.int(),
});

/** The response to an allocation or a copy: the consignor's item, and whether it is new. */
export const itemFilledResponse = z.object({
  message: z.string(),
  id: z.string(),
  version: z.int(),
  quantity: z.int(),
  created: z.boolean(),
});

export const massInputResponse = z.object({
  message: z.string(),
  unitsAdded: z.int(),
  itemsCreated: z.int(),
  items: z.array(
    z.object({
      id: z.string(),
      barcode1: z.string(),
      unitsAdded: z.int(),
      version: z.int(),
      created: z.boolean(),
    }),
  ),
});

/** `current` of a 409 `item_changed`: the item as it is now. */
export const itemChangedCurrent = z.object({
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
  tagPriceCents: z.nullable(z.int()),
});

/** `current` of a 409 `duplicate_barcode`: the item that has the barcode. */
export const duplicateBarcodeCurrent = z.object({ id: z.string(), barcode1: z.string() });

export type AddMasterItemRequest = z.input<typeof addMasterItemRequest>;
export type AddMasterItemOutput = z.output<typeof addMasterItemRequest>;
export type AddConsignorItemRequest = z.input<typeof addConsignorItemRequest>;
export type EditItemRequest = z.input<typeof editItemRequest>;
export type EditItemOutput = z.output<typeof editItemRequest>;
export type KnownBarcodesRequest = z.input<typeof knownBarcodesRequest>;
export type KnownBarcodesResponse = z.output<typeof knownBarcodesResponse>;
export type KnownBarcode = KnownBarcodesResponse["known"][number];
export type RemovalReason = z.output<typeof removalReason>;
export type RemoveUnitsRequest = z.input<typeof removeUnitsRequest>;
export type AllocateRequest = z.input<typeof allocateRequest>;
export type CopyToConsignorRequest = z.input<typeof copyToConsignorRequest>;
export type MassInputRequest = z.input<typeof massInputRequest>;
export type ItemChangedResponse = z.output<typeof itemChangedResponse>;
export type ItemFilledResponse = z.output<typeof itemFilledResponse>;
export type MassInputResponse = z.output<typeof massInputResponse>;
export type ItemChangedCurrent = z.output<typeof itemChangedCurrent>;
export type DuplicateBarcodeCurrent = z.output<typeof duplicateBarcodeCurrent>;

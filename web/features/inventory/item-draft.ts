// An item while it is edited: from the item to text fields, from those to requests, and through a conflict with another edit.
import type { InventoryItem } from "#features/inventory/contract.ts";
import type {
  AddMasterItemRequest,
  EditItemRequest,
  ItemChangedCurrent,
  KnownBarcode,
} from "#features/inventory/contract-commands.ts";
import { dollarsText, dollarsToSend, wholeToSend } from "#web/lib/amount.ts";

/** The form's fields as text. `quantity` is text too, so that half-typed input is not read as another number. */
export type ItemDraft = {
  readonly itemName: string;
  readonly listingTitle: string;
  readonly barcode1: string;
  readonly barcode2: string;
  readonly location: string;
  readonly quantity: string;
  /** Dollars; empty for none. */
  readonly tagPrice: string;
  readonly link: string;
  readonly imageUrl: string;
  /** The retailer's number of the product; it comes with the link. */
  readonly asin: string;
};

export type DraftField = keyof ItemDraft;

export const draftLabels: Readonly<Record<DraftField, string>> = {
  itemName: "Item name",
  listingTitle: "Listing title",
  barcode1: "Barcode 1",
  barcode2: "Barcode 2",
  location: "Location",
  quantity: "Quantity",
  tagPrice: "Tag price",
  link: "Link",
  imageUrl: "Image URL",
  asin: "ASIN",
};

export const draftFields: readonly DraftField[] = [
  "itemName",
  "listingTitle",
  "barcode1",
  "barcode2",
  "location",
  "quantity",
  "tagPrice",
  "link",
  "imageUrl",
  "asin",
];

export const emptyDraft: ItemDraft = {
  itemName: "",
  listingTitle: "",
  barcode1: "",
  barcode2: "",
  location: "",
  quantity: "1",
  tagPrice: "",
  link: "",
  imageUrl: "",
  asin: "",
};

export function draftOf(item: InventoryItem | ItemChangedCurrent): ItemDraft {
  const { itemName, listingTitle, barcode1, barcode2, location, quantity, link, imageUrl } = item;
  const { tagPriceCents, asin } = item;
  return {
    itemName,
    listingTitle,
    barcode1,
    barcode2,
    location,
    quantity: String(quantity),
    tagPrice: tagPriceCents === null ? "" : dollarsText(tagPriceCents),
    link,
    imageUrl,
    asin,
  };
}

/**
 * The request body for adding. A quantity or price that is not a number becomes NaN, which the contract refuses at its
 * field.
 */
export function requestOf(draft: ItemDraft): AddMasterItemRequest {
  const { quantity, tagPrice, ...text } = draft;
  return { ...text, quantity: wholeToSend(quantity), tagPriceCents: centsToSend(tagPrice) };
}

/** Null for an empty field. Fractions of a cent stay, so that the contract refuses them. */
function centsToSend(tagPrice: string): number | null {
  if (tagPrice.trim() === "") {
    return null;
  }
  // 19.99 × 100 is not a whole number.
  return Number((dollarsToSend(tagPrice) * 100).toFixed(6));
}

/** The request body for editing. The form was loaded with `version`. */
export function editRequestOf(draft: ItemDraft, version: number, reason: string): EditItemRequest {
  return {
    ...requestOf(draft),
    expectedVersion: version,
    ...(reason.trim() === "" ? {} : { reason }),
  };
}

/**
 * The draft with what another item with its barcode tells: fields that are empty, or were filled in from the one
 * before. What somebody typed stays.
 */
export function filledFrom(
  draft: ItemDraft,
  like: KnownBarcode,
  before: KnownBarcode | undefined,
): ItemDraft {
  const fields = ["itemName", "listingTitle", "link", "imageUrl"] as const;
  const free = fields.filter((field) => draft[field] === "" || draft[field] === before?.[field]);
  return { ...draft, ...Object.fromEntries(free.map((field) => [field, like[field]])) };
}

/**
 * The draft of the next item: empty but for the location, and for what was typed since this one was sent. A picture of
 * this one's link that only came then is too late, and so is this one's photo, `latePhoto`.
 */
export function draftAfter(sent: ItemDraft, now: ItemDraft, latePhoto?: string): ItemDraft {
  const ofLink: readonly DraftField[] =
    (sent.link !== "" && now.link === sent.link) || now.imageUrl === latePhoto
      ? ["imageUrl", "asin"]
      : [];
  const typed = draftFields.filter(
    (field) => now[field] !== sent[field] && !ofLink.includes(field),
  );
  return {
    ...emptyDraft,
    location: sent.location,
    ...Object.fromEntries(typed.map((field) => [field, now[field]])),
  };
}

/** A picture that came while the form was open; empty where there is none. `link` is null for a photo. */
export type FoundPicture = {
  readonly link: string | null;
  readonly imageUrl: string;
  readonly asin: string;
};

/**
 * The draft with that picture. A link's picture and number take the place of those of the link before, but never of a
 * picture that somebody chose; and they are too late if the link is another one by now.
 */
export function withPicture(
  draft: ItemDraft,
  { link, imageUrl, asin }: FoundPicture,
  before: FoundPicture | undefined,
): ItemDraft {
  if (link === null) {
    return { ...draft, imageUrl };
  }
  if (link !== draft.link.trim()) {
    return draft;
  }
  const isOfLinkBefore = before?.link !== null && draft.imageUrl === before?.imageUrl;
  const isFree = draft.imageUrl === "" || isOfLinkBefore;
  return { ...draft, asin, imageUrl: isFree ? imageUrl : draft.imageUrl };
}

export function isSameDraft(a: ItemDraft, b: ItemDraft): boolean {
  return draftFields.every((field) => a[field].trim() === b[field].trim());
}

/** One field that somebody else changed while the form was open. */
export type Conflict = {
  readonly field: DraftField;
  readonly before: string;
  readonly theirs: string;
  readonly yours: string;
  /** True if both changed it, so a person has to choose. */
  readonly isContested: boolean;
};

/** What somebody else changed between `base`, which the form was loaded with, and `theirs`. */
export function conflictsOf(base: ItemDraft, theirs: ItemDraft, yours: ItemDraft): Conflict[] {
  return draftFields.flatMap((field) =>
    theirs[field] === base[field]
      ? []
      : [
          {
            field,
            before: base[field],
            theirs: theirs[field],
            yours: yours[field],
            isContested:
              yours[field].trim() !== base[field] && yours[field].trim() !== theirs[field],
          },
        ],
  );
}

export type Side = "theirs" | "yours";

/** Your draft, with the other person's value in each field where theirs was chosen. */
export function mergedDraft(
  yours: ItemDraft,
  conflicts: readonly Conflict[],
  taken: Readonly<Partial<Record<DraftField, Side>>>,
): ItemDraft {
  const overrides = conflicts.flatMap(({ field, theirs, isContested }) =>
    (taken[field] ?? (isContested ? "yours" : "theirs")) === "theirs" ? [[field, theirs]] : [],
  );
  return { ...yours, ...Object.fromEntries(overrides) };
}

/** Refusals that belong to a field of the item, by code. */
export const itemErrorFields = { duplicate_barcode: "barcode1" };

/** After an item was saved without a photo that was still on its way. */
export function latePhotoText({ itemName }: ItemDraft): string {
  return `The photo of ${itemName.trim()} came too late. Add it again by editing the item`;
}

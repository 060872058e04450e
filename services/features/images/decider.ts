// Decides another picture of an item: an edit of the item, like any other.
import { accept, type Decider } from "#ledger/decider.ts";
import { findItem, itemEdited, sameDetails } from "#features/inventory/decider.ts";
import { itemStreamId, type OwnerUid } from "#features/inventory/streams.ts";

export type ChangeImage = {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  /** Empty for none. */
  readonly imageUrl: string;
  /** The retailer's number of the product; null keeps the item's. */
  readonly asin: string | null;
  /** An item that has a picture by now keeps it. */
  readonly isOnlyIfMissing: boolean;
  readonly happenedAt: string;
};

export type ImageChanged = { readonly version: number; readonly isChanged: boolean };

/** Rejects 404 `item_not_found` and 409 `item_archived`. Appends nothing if the item stays as it is. */
export const changeImage: Decider<ChangeImage, ImageChanged> = {
  type: "ChangeImage",
  streams: ({ itemId }) => [itemStreamId(itemId)],
  decide: (command, states) => {
    const { itemId, ownerUid, imageUrl, isOnlyIfMissing, happenedAt } = command;
    const found = findItem(states, itemId, ownerUid);
    if (found.kind === "refused") {
      return found.rejection;
    }
    const { version, state } = found;
    const before = state.details;
    const after = { ...before, imageUrl, asin: command.asin ?? before.asin };
    if (sameDetails(before, after) || (isOnlyIfMissing && before.imageUrl !== "")) {
      return accept([], { version, isChanged: false });
    }
    const event = itemEdited({ itemId, ownerUid, before, after, happenedAt });
    return accept([event], { version: version + 1, isChanged: true });
  },
};

// Tests that two people's edits of one item are compared field by field, and that nothing is lost silently.
import { describe, expect, it } from "vitest";
import { addMasterItemRequest } from "#features/inventory/contract-commands.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import {
  conflictsOf,
  draftAfter,
  emptyDraft,
  filledFrom,
  mergedDraft,
  requestOf,
  type ItemDraft,
} from "./item-draft.ts";

const base: ItemDraft = { ...emptyDraft, itemName: "Desk lamp", barcode1: "LAMP-1", quantity: "5" };

describe("an item edited by two people", () => {
  it("lists only what the other person changed", () => {
    const theirs = { ...base, location: "A-2", quantity: "4" };
    const yours = { ...base, itemName: "Desk lamp, brass" };
    expect(conflictsOf(base, theirs, yours)).toEqual([
      { field: "location", before: "", theirs: "A-2", yours: "", isContested: false },
      { field: "quantity", before: "5", theirs: "4", yours: "5", isContested: false },
    ]);
  });

  it("takes what only the other person changed and keeps what only you changed", () => {
    const theirs = { ...base, quantity: "4" };
    const yours = { ...base, itemName: "Desk lamp, brass" };
    const conflicts = conflictsOf(base, theirs, yours);
    expect(mergedDraft(yours, conflicts, {})).toEqual({ ...yours, quantity: "4" });
  });

  it("keeps your value of a contested field until you choose theirs", () => {
    const theirs = { ...base, quantity: "4" };
    const yours = { ...base, quantity: "9" };
    const conflicts = conflictsOf(base, theirs, yours);
    expect(conflicts[0]?.isContested).toBe(true);
    expect(mergedDraft(yours, conflicts, {}).quantity).toBe("9");
    expect(mergedDraft(yours, conflicts, { quantity: "theirs" }).quantity).toBe("4");
  });

  it("does not contest a field that both changed to the same value", () => {
    const both = { ...base, location: "A-2" };
    expect(conflictsOf(base, both, both)[0]?.isContested).toBe(false);
  });
});

describe("a draft", () => {
  it("is refused at the quantity while it is empty or not a number", () => {
    for (const quantity of ["", "two", "1.5", "-1"]) {
      const errors = errorsIn(addMasterItemRequest, requestOf({ ...base, quantity }));
      expect(Object.keys(errors)).toEqual(["quantity"]);
    }
  });

  it("begins with the location and what was typed while the item before was on its way", () => {
    const sent = { ...base, location: "A-2", link: "https://example.com/lamp" };
    expect(draftAfter(sent, sent)).toEqual({ ...emptyDraft, location: "A-2" });
    const now = { ...sent, itemName: "Desk clock", imageUrl: "lamp.png", asin: "B0" };
    expect(draftAfter(sent, now)).toEqual({
      ...emptyDraft,
      location: "A-2",
      itemName: "Desk clock",
    });
  });

  it("leaves the next one what was typed meanwhile and its own photo, but not a photo of this one", () => {
    const now = { ...base, itemName: "Desk clock", imageUrl: "/api/images/lamp" };
    const next = { ...emptyDraft, itemName: "Desk clock" };
    expect(draftAfter(base, now, "/api/images/lamp")).toEqual(next);
    const own = { ...next, imageUrl: "/api/images/lamp" };
    expect(draftAfter(base, now, "/api/images/another")).toEqual(own);
    expect(draftAfter(base, now)).toEqual(own);
  });

  it("accepts a quantity of zero", () => {
    expect(errorsIn(addMasterItemRequest, requestOf({ ...base, quantity: "0" }))).toEqual({});
  });
});

describe("a known barcode", () => {
  const like = {
    barcode1: "LAMP-1",
    own: null,
    itemName: "Brass lamp",
    listingTitle: "Brass lamp, tested",
    link: "",
    imageUrl: "https://img.example/lamp",
  };

  it("fills what is empty, and what it filled for the code before, but nothing that was typed", () => {
    const draft = { ...emptyDraft, listingTitle: "My title" };
    const filled = filledFrom(draft, like, undefined);
    expect(filled).toEqual({
      ...draft,
      itemName: "Brass lamp",
      imageUrl: "https://img.example/lamp",
    });
    const other = { ...like, itemName: "Radio", imageUrl: "" };
    expect(filledFrom(filled, other, like)).toEqual({ ...draft, itemName: "Radio" });
  });
});

describe("what a request cannot carry", () => {
  it.each([
    ["1e3", "Quantity must be a whole number"],
    ["0x10", "Quantity must be a whole number"],
    ["1.5", "Quantity must be a whole number"],
    ["", "Quantity must be a whole number"],
    ["-1", "Quantity must be at least 0"],
    ["1000000000", "Quantity must be at most 1,000,000"],
  ])("calls the quantity %j by its fault", (quantity, message) => {
    expect(errorsIn(addMasterItemRequest, requestOf({ ...base, quantity }))).toEqual({
      quantity: message,
    });
  });

  it("names the limit if a value is too long", () => {
    const long = { ...base, itemName: "x".repeat(201), link: `https://a.test/${"x".repeat(2000)}` };
    expect(errorsIn(addMasterItemRequest, requestOf(long))).toEqual({
      itemName: "At most 200 characters",
      link: "At most 2,000 characters",
    });
  });
});

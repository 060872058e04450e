// The cost of a trade request, and its validation.
import { describe, expect, it } from "vitest";
import type { MarketplaceItem } from "#features/marketplace/contract.ts";
import { costOf, emptyRequest, requestErrors, requestOf, tooDearFor } from "./request-draft.ts";

const item: MarketplaceItem = {
  itemName: "Desk lamp",
  barcode1: "LAMP-1",
  totalQuantity: 3,
  consignorCount: 2,
  link: "",
  imageUrl: "",
  asin: "",
  lastTradedPriceCents: null,
  openRequests: 0,
  unitsWanted: 0,
};
const address = {
  name: "Avery",
  street: "1 Main St",
  city: "Austin",
  state: "TX",
  zip: "78701",
  country: "USA",
};
const draft = { ...emptyRequest, quantity: "2", price: "12.50" };

describe("a trade request", () => {
  it("costs price times units and the shipping fee, which an own label saves", () => {
    expect(costOf(draft, 400)).toEqual({
      quantity: 2,
      priceCents: 1250,
      itemsCents: 2500,
      feeCents: 400,
      totalCents: 2900,
    });
    expect(costOf({ ...draft, hasOwnLabel: true }, 400)?.totalCents).toBe(2500);
    expect(costOf({ ...draft, price: "" }, 400)).toBeUndefined();
  });

  it("is sent in cents", () => {
    expect(requestOf(item, draft, address)).toMatchObject({ pricePerItem: 1250, quantity: 2 });
  });

  it("needs a price above 0, 1 to as many units as there are, and a whole address", () => {
    const wrong = (changes: object, to = address) =>
      requestErrors(item, requestOf(item, { ...draft, ...changes }, to), undefined);
    expect(wrong({})).toEqual({});
    expect(wrong({ price: "0" })).toEqual({ pricePerItem: "Price must be greater than 0" });
    expect(wrong({ quantity: "4" })).toEqual({ quantity: "Only 3 available" });
    expect(wrong({ quantity: "0" })).toEqual({ quantity: "Quantity must be at least 1" });
    expect(wrong({}, { ...address, city: " " })).toEqual({
      "shippingAddress.city": "Please fill in all shipping address fields",
    });
  });

  it("that costs more than is available is refused at its price, unless the price itself is wrong", () => {
    const wrong = (price: string, availableCents: number | undefined) => {
      const typed = { ...draft, price };
      const request = requestOf(item, typed, address);
      return requestErrors(item, request, tooDearFor(availableCents, costOf(typed, 400)));
    };
    expect(wrong("12.50", 2_900)).toEqual({});
    expect(wrong("12.50", undefined)).toEqual({});
    expect(wrong("12.50", 2_899)).toEqual({
      pricePerItem: "This needs $29.00, and you have $28.99 available",
    });
    expect(wrong("0", 0)).toEqual({ pricePerItem: "Price must be greater than 0" });
  });
});

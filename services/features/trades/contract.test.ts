// The contract's schemas make the API's document, and say what a person did wrong.
import { expect, it } from "vitest";
import { z } from "zod";
import * as contract from "#features/trades/contract.ts";
import { offerIdOf, tradeIdOfOffer } from "#features/trades/streams.ts";

const address = {
  name: "Avery Stone",
  street: "1 Main",
  city: "Austin",
  state: "TX",
  zip: "78701",
};
const request = {
  itemName: "Desk lamp",
  itemBarcode: "B-1",
  quantity: 1,
  pricePerItem: 500,
  shippingAddress: address,
};
const tradeId = "11111111-1111-4111-8111-111111111111";

it.each(
  Object.entries(contract).flatMap(([name, value]) =>
    typeof value === "object" && "_zod" in value ? [[name, value] as const] : [],
  ),
)("%s can be described", (_name, schema) => {
  expect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })).toBeTypeOf("object");
});

it("an address without a country is in the USA, and the store ships unless the buyer says otherwise", () => {
  expect(contract.requestTradeRequest.parse(request)).toMatchObject({
    shippingAddress: { country: "USA" },
    providesOwnShipping: false,
  });
});

it.each([
  [{ quantity: 0 }, "Quantity must be at least 1"],
  [{ itemName: "x\r\nBcc: a@b.c" }, "An item's name is one line of visible characters"],
  [{ pricePerItem: 0 }, "Price must be greater than 0"],
  [{ pricePerItem: 1.5 }, "A price is whole cents"],
  [{ shippingAddress: { ...address, zip: " " } }, "Please fill in all shipping address fields"],
  [{ shippingAddress: {} }, "Please fill in all shipping address fields"],
  [{ shippingAddress: undefined }, "Please fill in all shipping address fields"],
])("a request with %j is refused", (wrong, message) => {
  const result = contract.requestTradeRequest.safeParse({ ...request, ...wrong });
  expect(result.error?.issues[0]?.message).toBe(message);
});

it("an offer's id begins with its trade's", () => {
  const id = offerIdOf(tradeId, 12);
  expect(contract.offerId.safeParse(id).success).toBe(true);
  expect(tradeIdOfOffer(id)).toBe(tradeId);
  expect(contract.offerId.safeParse(tradeId).success).toBe(false);
});

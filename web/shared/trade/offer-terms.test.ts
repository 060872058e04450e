// What an answer to an offer leads to, as its seller and its buyer read it.
import { expect, it } from "vitest";
import { ApiError } from "#web/lib/api-error.ts";
import { acceptedText, offerAfter, type AnswerableOffer } from "./offer-terms.ts";

const seller: AnswerableOffer = {
  offerId: "1",
  tradeId: "00000000-0000-4000-8000-00000000f001",
  itemName: "Desk lamp",
  quantity: 3,
  priceCents: 500,
  countersLeft: 5,
  commissionPercentage: 10,
  shippingFeeCents: undefined,
};
const buyer = { ...seller, commissionPercentage: undefined, shippingFeeCents: 400 };

it("an acceptance of fewer units than were asked for says how many and for how much", () => {
  const one = { acceptedQuantity: 1, totalValue: 500 };
  expect(acceptedText(seller, 3, one)).toBe(
    "Only 1 of 3 units could still be accepted: you receive $4.50",
  );
  expect(acceptedText(buyer, 3, one)).toBe(
    "Only 1 of 3 units could still be accepted: you pay $9.00",
  );
  expect(acceptedText(seller, 1, one)).toBe("Offer accepted successfully!");
});

it("after a refusal an offer has the price and the units that are on the table now", () => {
  const refused = (code: string, current: unknown) => new ApiError(409, code, "No", { current });
  expect(offerAfter(seller, refused("price_changed", { pricePerItem: 800 }))).toEqual({
    ...seller,
    priceCents: 800,
  });
  expect(offerAfter(seller, refused("more_than_offered", { quantity: 2 }))).toEqual({
    ...seller,
    quantity: 2,
  });
  expect(offerAfter(seller, refused("offer_closed", { status: "declined" }))).toBe(seller);
});

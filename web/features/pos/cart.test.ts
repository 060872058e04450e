// Tests the cart's rules: stock, prices, quantities, and which line is asked about next.
import { expect, test } from "vitest";
import {
  addUnit,
  emptyCart,
  isValidPrice,
  removeLine,
  setPrice,
  setUnits,
  unpricedLine,
  withCertificate,
  type Cart,
} from "./cart.ts";

function item(id: string) {
  return {
    id,
    consignorID: null,
    consignorDisplayName: null,
    itemName: id,
    barcode1: id,
    imageUrl: "",
  };
}

function scanned(...ids: readonly string[]): Cart {
  return ids.reduce((cart, id) => {
    const added = addUnit(cart, item(id), 9);
    return added.kind === "changed" ? added.cart : cart;
  }, emptyCart());
}

test("adds a unit when an item is scanned again, and moves its line to the top", () => {
  const cart = scanned("a", "b", "a");
  expect(cart.lines.map(({ item, units }) => [item.id, units])).toEqual([
    ["b", 1],
    ["a", 2],
  ]);
});

test("does not sell more than is in stock", () => {
  const cart = scanned("a", "a");
  expect(addUnit(cart, item("a"), 2)).toEqual({
    kind: "short",
    message: "Only 2 available in inventory",
  });
  expect(setUnits(cart, 1, 3, 2)).toMatchObject({ message: "Only 2 available in inventory" });
  expect(addUnit(emptyCart(), item("a"), -1)).toMatchObject({
    message: "Only 0 available in inventory",
  });
});

test("rejects a price of zero and one above what the ledger books", () => {
  expect([undefined, 0, -1].map((cents) => isValidPrice(cents, 1))).toEqual([false, false, false]);
  expect(isValidPrice(1_000_000_000, 1)).toBe(true);
  expect(isValidPrice(1_000_000_000, 2)).toBe(false);
  expect(setUnits(scanned("a"), 1, 0, 9)).toBeUndefined();
});

test("asks for the newest missing price", () => {
  const cart = scanned("a", "b");
  expect(unpricedLine(cart)?.item.id).toBe("b");
  expect(unpricedLine(setPrice(cart, 2, 500) ?? cart)?.item.id).toBe("a");
});

test("a tax exemption ends with the cart's last line, so that the next customer pays tax", () => {
  const exempt = withCertificate(scanned("a", "b"), "TX-1");
  const one = removeLine(exempt, 1);
  expect(one.certificate).toBe("TX-1");
  expect(removeLine(one, 2)).not.toHaveProperty("certificate");
});

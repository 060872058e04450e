// Tests how a line can be settled whose units a trade holds: never by a count, and with exactly the units that are missing.
import { describe, expect, it } from "vitest";
import type { HoldingAcceptance } from "#features/trades/contract-held.ts";
import { usualTerms } from "#web/shared/sale/selling-terms.ts";
import { addUnit, emptyCart, setPrice } from "./cart.ts";
import {
  acceptanceName,
  cancellationKey,
  cancellationsFor,
  cancellationText,
  mayBeHeld,
  waysToSettle,
} from "./held-by-trades.ts";
import { queuedLines, takeSale, type RefusedLine } from "./taken-sale.ts";

const lamp = {
  id: "3d1f0a52-0000-4000-8000-000000000002",
  consignorID: "avery-000000000000001",
  consignorDisplayName: "Avery",
  itemName: "Lamp",
  barcode1: "L-1",
  imageUrl: "",
};

function refused(code = "not_enough_stock", consignorID: string | null = lamp.consignorID) {
  const added = addUnit(emptyCart("3d1f0a52-0000-4000-8000-000000000001", 60), lamp, 1);
  const cart = added.kind === "changed" ? setPrice(added.cart, 1, 1000) : undefined;
  const exact = { tender: "cash", cashCents: null } as const;
  const [waiting] =
    cart === undefined
      ? []
      : queuedLines(takeSale(cart, usualTerms, "2026-11-21T10:00:00Z", exact));
  if (waiting === undefined) {
    throw new Error("the cart has no line");
  }
  const { problem: _, ...line } = waiting;
  const target = { ...lamp, consignorID };
  const refusal = { code, message: "Only 0 available in inventory" };
  return { ...line, target, status: "refused", ...refusal } satisfies RefusedLine;
}

function acceptance(given: Partial<HoldingAcceptance> = {}): HoldingAcceptance {
  return {
    tradeId: "5e2f0a52-0000-4000-8000-000000000001",
    offerId: "5e2f0a52-0000-4000-8000-000000000001-1",
    buyer: { uid: "blake-000000000000001", displayName: "Blake Rivers" },
    status: "awaiting_shipping",
    units: 1,
    price: 2000,
    tradeUnits: 1,
    heldCents: 2400,
    ...given,
  };
}

describe("a refused line", () => {
  const line = refused();

  it("of units that trades hold is sold out of a trade, and never counted in", () => {
    expect(waysToSettle(line, { quantity: 0, acceptances: [acceptance()] }, false)).toEqual([
      "cancel",
      "another",
      "refund",
    ]);
  });

  it("of units that trades do not hold, or that are there again, is counted in", () => {
    for (const held of [
      { quantity: 0, acceptances: [] },
      { quantity: 1, acceptances: [acceptance()] },
      undefined,
    ]) {
      expect(waysToSettle(line, held, false)).toEqual(["counted", "another", "refund"]);
    }
    const many = { ...line, line: { ...line.line, units: 3 } };
    const held = { quantity: 0, acceptances: [acceptance()] };
    expect(waysToSettle(many, held, false)).toEqual(["counted", "another", "refund"]);
  });

  it("of a trade that was shipped in the meantime, or of a deleted item, is another item or paid back", () => {
    const held = { quantity: 0, acceptances: [] };
    expect(waysToSettle(line, held, true)).toEqual(["another", "refund"]);
    expect(waysToSettle(line, { ...held, quantity: 1 }, true)).toContain("counted");
    expect(waysToSettle(refused("item_archived"), held, false)).toEqual(["another", "refund"]);
  });

  it("of the store's own item is in no trade", () => {
    expect(mayBeHeld(line)).toBe(true);
    expect(mayBeHeld(refused("not_enough_stock", null))).toBe(false);
    expect(mayBeHeld(refused("item_archived"))).toBe(false);
  });
});

describe("what is cancelled for the customer", () => {
  const one = acceptance();
  const three = acceptance({ offerId: "three", units: 3, tradeUnits: 5, heldCents: 10_400 });

  it("is exactly what is missing: of the chosen acceptance, then of the others", () => {
    expect(cancellationsFor(1, [one, three], undefined)).toEqual([{ acceptance: one, units: 1 }]);
    expect(cancellationsFor(2, [one, three], "three")).toEqual([{ acceptance: three, units: 2 }]);
    expect(cancellationsFor(3, [one, three], one.offerId)).toEqual([
      { acceptance: one, units: 1 },
      { acceptance: three, units: 2 },
    ]);
  });

  it("says who gets what back, with the fee once nothing of the order is left", () => {
    expect(acceptanceName(three)).toBe("Order 5e2f0a52 of Blake Rivers: 3 units");
    expect(cancellationText({ acceptance: one, units: 1 })).toBe(
      "1 unit of order 5e2f0a52 is cancelled: $24.00 goes back to Blake Rivers. Nothing of the order is left.",
    );
    const labelled = { ...three, status: "shipping_uploaded" } as const;
    expect(cancellationText({ acceptance: labelled, units: 2 })).toBe(
      "2 units of order 5e2f0a52 are cancelled: $40.00 goes back to Blake Rivers. 3 units of the order stay. It has its label already: make sure it is not sent.",
    );
  });

  it("has one key for each refusal and number of units, so that a retry cancels nothing twice", () => {
    const line = refused();
    const key = cancellationKey(line, one.offerId, 1);
    expect(cancellationKey({ ...line }, one.offerId, 1)).toBe(key);
    expect(cancellationKey({ ...line, round: 2 }, one.offerId, 1)).not.toBe(key);
    expect(cancellationKey(line, one.offerId, 2)).not.toBe(key);
    expect(key).toMatch(/^[\x21-\x7e]{1,200}$/u);
  });
});

// Tests the delivery of a line: booked once, kept while the result is unknown, refused, settled under a new key.
import { describe, expect, it } from "vitest";
import { ApiError } from "#web/lib/api-error.ts";
import { addUnit, emptyCart, setPrice } from "./cart.ts";
import { afterOutcome, asAnotherItem, asCounted, asRefunded, canBeCounted } from "./delivery.ts";
import {
  queuedLines,
  requestOf,
  takeSale,
  type RefusedLine,
  type WaitingLine,
} from "./taken-sale.ts";

const saleId = "3d1f0a52-0000-4000-8000-000000000001";
const lamp = {
  id: "3d1f0a52-0000-4000-8000-000000000002",
  consignorID: "avery-000000000000001",
  consignorDisplayName: "Avery",
  itemName: "Lamp",
  barcode1: "L-1",
  imageUrl: "",
};

function waitingLine(): WaitingLine {
  const added = addUnit(emptyCart(saleId, 60), lamp, 1);
  const cart = added.kind === "changed" ? setPrice(added.cart, 1, 1000) : undefined;
  const [line] =
    cart === undefined ? [] : queuedLines(takeSale(cart, "2026-11-21T10:00:00Z", null));
  if (line === undefined) {
    throw new Error("the cart has no line");
  }
  return line;
}

function refused(code = "not_enough_stock"): RefusedLine {
  const { line } = afterOutcome(waitingLine(), {
    kind: "failed",
    error: new ApiError(409, code, "Only 0 available in inventory"),
  });
  if (line.status !== "refused") {
    throw new Error("the line was not refused");
  }
  return line;
}

describe("a line on its way", () => {
  it("requests the pre-tax price under the key of its sale and number", () => {
    expect(waitingLine().sendKey).toBe(`posSale:${saleId}:1`);
    expect(requestOf(waitingLine())).toEqual({
      path: "/sales/record",
      body: {
        consignorID: lamp.consignorID,
        itemUID: lamp.id,
        barcode1: "L-1",
        consignorPercentage: 60,
        quantitySold: 1,
        salePrice: 9.24,
        salesTax: 0.76,
        channel: "pos",
        soldAt: "2026-11-21T10:00:00Z",
      },
    });
  });

  it.each([
    [0, "unreachable", "stop"],
    [401, "unauthorized", "stop"],
    [403, "forbidden", "stop"],
    [429, "too_many_requests", "stop"],
    [503, "internal", "later"],
    [409, "contended", "later"],
    [404, "not_found", "later"],
    [404, "unreadable_answer", "later"],
    [200, "unexpected_answer", "later"],
  ] as const)("waits after a %i %s, which is no refusal of the ledger", (status, code, next) => {
    const after = afterOutcome(waitingLine(), {
      kind: "failed",
      error: new ApiError(status, code, "No"),
    });
    expect(after).toMatchObject({
      next,
      line: { status: "waiting", sendKey: waitingLine().sendKey },
    });
  });

  it("uses the server's clock if the till's is ahead", () => {
    const error = new ApiError(400, "sold_in_future", "A sale cannot be in the future");
    const { line } = afterOutcome(waitingLine(), { kind: "failed", error });
    expect(line).toMatchObject({ status: "waiting", soldAt: null });
    expect(requestOf(line).body).not.toHaveProperty("soldAt");
  });
});

describe("a line that was taken but not booked", () => {
  it("shows the reason and continues with the next one", () => {
    expect(refused()).toMatchObject({ message: "Only 0 available in inventory" });
    const error = new ApiError(404, "item_not_found", "There is no such item");
    expect(afterOutcome(waitingLine(), { kind: "failed", error }).next).toBe("go-on");
  });

  it("is settled under a new key each time, as the same item or another one", () => {
    const counted = asCounted(refused());
    expect(counted).toMatchObject({ status: "waiting", sendKey: `posSale:${saleId}:1:2` });
    const again = afterOutcome(counted, {
      kind: "failed",
      error: new ApiError(409, "item_archived", "This item was deleted"),
    }).line;
    expect(again.status === "refused" && canBeCounted(again)).toBe(false);
    const master = { ...lamp, id: "3d1f0a52-0000-4000-8000-000000000003", consignorID: null };
    const other = asAnotherItem({ ...refused(), round: 2 }, master);
    expect(other.sendKey).toBe(`posSale:${saleId}:1:3`);
    expect(requestOf(other)).toMatchObject({
      path: "/inventory/master/sale",
      body: { masterItemID: master.id, salePrice: 9.24, salesTax: 0.76 },
    });
  });

  it("is finished when the customer has the money back", () => {
    const line = asRefunded(refused(), "2026-11-21T11:00:00Z");
    expect(line).toMatchObject({ status: "refunded", lineKey: `posSale:${saleId}:1` });
  });
});

// Tests the delivery of a line: booked once, kept while the result is unknown, refused, settled under a new key.
import { describe, expect, it } from "vitest";
import { ApiError } from "#web/lib/api-error.ts";
import { usualTerms, type SellingTerms } from "#web/shared/sale/selling-terms.ts";
import { addUnit, emptyCart, setPrice, withCertificate } from "./cart.ts";
import {
  afterOutcome,
  afterRestore,
  asAnotherItem,
  asSentAgain,
  asRefunded,
  canBeCounted,
  shareOfTarget,
} from "./delivery.ts";
import {
  queuedLines,
  sealed,
  takeSale,
  type QueuedLine,
  type RefusedLine,
  type SealedLine,
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

const exact = { tender: "cash", cashCents: null } as const;

function waitingLine(certificate?: string): SealedLine {
  const added = addUnit(withCertificate(emptyCart(saleId, 60), certificate), lamp, 1);
  const cart = added.kind === "changed" ? setPrice(added.cart, 1, 1000) : undefined;
  const [line] =
    cart === undefined
      ? []
      : queuedLines(takeSale(cart, usualTerms, "2026-11-21T10:00:00Z", exact));
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

/** What is sent for a line, with its body read. */
function requestOf({ request }: QueuedLine) {
  return { path: request?.path, body: JSON.parse(request?.body ?? "{}") as unknown };
}

/** A line as a version of this app left it in the queue that kept neither rates nor requests. */
function olderLine(): WaitingLine {
  const {
    request: _request,
    taxRateBasisPoints: _rate,
    receipt: _receipt,
    ...line
  } = waitingLine();
  return line;
}

describe("what is sent for a line", () => {
  it("stays word for word what it was when the sale was taken, whatever goes wrong on the way", () => {
    const line = waitingLine();
    const error = new ApiError(503, "internal", "No");
    expect(afterOutcome(line, { kind: "failed", error }).line.request).toBe(line.request);
    expect(refused().request).toEqual(line.request);
  });

  it("names the cart as its receipt and says how it was paid, without tax for a certificate", () => {
    expect(requestOf(waitingLine())).toMatchObject({
      body: { receiptID: saleId, tender: "cash", salesTax: 0.76 },
    });
    expect(requestOf(waitingLine("TX-1"))).toMatchObject({
      body: { salePrice: 9.24, salesTax: 0, taxExempt: { certificate: "TX-1" } },
    });
    const counted = refused();
    expect(requestOf(asSentAgain(counted))).toEqual(requestOf(counted));
  });

  it("of an older version is what that version would have sent", () => {
    expect(sealed(olderLine()).request).toEqual({
      path: "/sales/record",
      body: `{"consignorID":"${lamp.consignorID}","itemUID":"${lamp.id}","barcode1":"L-1","consignorPercentage":60,"quantitySold":1,"salePrice":9.24,"salesTax":0.76,"channel":"pos","soldAt":"2026-11-21T10:00:00Z"}`,
    });
  });
});

describe("the terms of a sale", () => {
  const terms: SellingTerms = {
    ...usualTerms,
    taxRateBasisPoints: 1000,
    agreedShares: [{ uid: lamp.consignorID, percentage: 75 }],
  };

  it("are those that counted when it was taken: an agreed share moves no slider, and no slider moves it", () => {
    const added = addUnit(emptyCart(saleId, 60), lamp, 1);
    const other = { ...lamp, id: "3d1f0a52-0000-4000-8000-000000000004", consignorID: "blake" };
    const both = added.kind === "changed" ? addUnit(added.cart, other, 1) : added;
    const priced = both.kind === "changed" ? setPrice(both.cart, 1, 1100) : undefined;
    const cart = priced === undefined ? undefined : setPrice(priced, 2, 1100);
    const sale =
      cart === undefined ? undefined : takeSale(cart, terms, "2026-11-21T10:00:00Z", exact);
    expect(sale).toMatchObject({
      taxRateBasisPoints: 1000,
      consignorShare: 60,
      taxCents: 200,
      lines: [
        { consignorShare: 75, payoutCents: 750 },
        { consignorShare: 60, payoutCents: 600 },
      ],
    });
    expect(sale === undefined ? [] : queuedLines(sale).map(requestOf)).toMatchObject([
      { body: { consignorPercentage: 75, taxRateBasisPoints: 1000, salePrice: 10 } },
      { body: { consignorPercentage: 60, taxRateBasisPoints: 1000, salePrice: 10 } },
    ]);
  });
});

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
        taxRateBasisPoints: 825,
        channel: "pos",
        receiptID: saleId,
        tender: "cash",
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
  ] as const)("waits after a %i %s, which is not a refusal of the ledger", (status, code, next) => {
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
    const counted = asSentAgain(refused());
    expect(counted).toMatchObject({ status: "waiting", sendKey: `posSale:${saleId}:1:2` });
    const again = afterOutcome(counted, {
      kind: "failed",
      error: new ApiError(409, "item_archived", "This item was deleted"),
    }).line;
    expect(again.status === "refused" && canBeCounted(again)).toBe(false);
    const master = { ...lamp, id: "3d1f0a52-0000-4000-8000-000000000003", consignorID: null };
    const other = asAnotherItem({ ...refused(), round: 2 }, master, 50);
    expect(other.sendKey).toBe(`posSale:${saleId}:1:3`);
    expect(requestOf(other)).toMatchObject({
      path: "/inventory/master/sale",
      body: { masterItemID: master.id, salePrice: 9.24, salesTax: 0.76 },
    });
  });

  it("pays the consignor whose item it was after all by their own share, and the same one as it was sold", () => {
    const { consignorID: averyUid } = lamp;
    const terms: SellingTerms = {
      ...usualTerms,
      agreedShares: [
        { uid: averyUid, percentage: 90 },
        { uid: "blake", percentage: 75 },
      ],
    };
    const line = refused();
    const settledAs = (consignorID: string | null) => {
      const target = { ...lamp, id: "3d1f0a52-0000-4000-8000-000000000005", consignorID };
      return asAnotherItem(line, target, shareOfTarget(line, target, terms, 40));
    };
    expect(requestOf(settledAs("blake"))).toMatchObject({ body: { consignorPercentage: 75 } });
    expect(requestOf(settledAs("casey"))).toMatchObject({ body: { consignorPercentage: 40 } });
    expect(requestOf(settledAs(averyUid))).toMatchObject({ body: { consignorPercentage: 60 } });
  });

  it("is finished when the customer has the money back", () => {
    const line = asRefunded(refused(), "2026-11-21T11:00:00Z");
    expect(line).toMatchObject({ status: "refunded", lineKey: `posSale:${saleId}:1` });
  });
});

describe("after the store was restored from a back-up", () => {
  const now = new Date("2026-11-22T10:00:00Z");
  const booked = (line: WaitingLine) =>
    afterOutcome(line, { kind: "booked", ledgerSaleId: "sale-1" }).line;

  it("a booked line of the last seven days waits again, word for word under its key", () => {
    const line = waitingLine();
    expect(afterRestore(booked(line), now)).toEqual(line);
    const settled = asSentAgain(refused());
    expect(afterRestore(booked(settled), now)).toEqual(settled);
  });

  it("older lines, and lines that the ledger never had, stay as they are", () => {
    const older = { ...waitingLine(), takenAtMs: now.getTime() - 7 * 86_400_000 - 1 };
    expect(afterRestore(booked(older), now)).toBeNull();
    expect(afterRestore(waitingLine(), now)).toBeNull();
    expect(afterRestore(refused(), now)).toBeNull();
    expect(afterRestore(asRefunded(refused(), "2026-11-22T09:00:00Z"), now)).toBeNull();
  });
});

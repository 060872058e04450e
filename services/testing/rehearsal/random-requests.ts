// The random requests of a rush, sent to an app in this process one after the other: money, goods and trades.
import { seededNumbers } from "#testing/jar/jar-rush.ts";
import type { RehearsedCall } from "#testing/rehearsal/call.ts";
import type { RushGround, RushRequest } from "#testing/rush/draft.ts";
import { nextRequest } from "#testing/rush/request.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import type { TestAnswer, TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";

export type RandomRequests = {
  readonly next: () => RehearsedCall & Pick<RushRequest, "kind" | "subject">;
  /** Remembers the sales, payouts and trades that were made, so that later requests are about them. */
  readonly learn: (request: Pick<RushRequest, "kind" | "subject">, answer: TestAnswer) => void;
};

/** Four people who trade and sell, each with two items and $90. */
export async function openRandomRequests(store: TradeShop, seed: number): Promise<RandomRequests> {
  const { shop, admin } = store;
  const barcodes = ["T-0", "T-1"];
  const people = new Map<string, TestPerson>();
  const items: { itemId: string; uid: string }[] = [];
  for (let index = 0; index < 4; index += 1) {
    const person = await store.buyerWith(9_000);
    people.set(person.uid, person);
    for (const barcode1 of barcodes) {
      const body = { consignorID: person.uid, itemName: "Rush item", barcode1, quantity: 12 };
      const path = "/api/inventory/consignor";
      const added = await shop.call("POST", path, { as: admin, body });
      items.push({ itemId: String(field(added, "id")), uid: person.uid });
    }
  }
  const master = { itemName: "Rush master", barcode1: "R-0", quantity: 400 };
  const added = await shop.call("POST", "/api/inventory/master", { as: admin, body: master });
  const uids = [...people.keys()];
  const ground: RushGround = {
    consignors: uids,
    items,
    masters: [{ itemId: String(field(added, "id")) }],
    sales: [],
    payouts: [],
    traders: uids,
    tradedBarcodes: barcodes,
    trades: [],
  };
  const random = seededNumbers(seed);
  return {
    next() {
      const { kind, subject, caller, method, path, body } = nextRequest(random, ground, "");
      const as = caller === null ? admin : (people.get(caller) ?? admin);
      const sent = { kind, subject, call: `${method} ${path}`, as, path };
      if (kind === "upload-label") {
        const label = new File([labelPdf()], "label.pdf", { type: "application/pdf" });
        return { ...sent, form: { label, trackingNumber: "9400-RUSH", carrier: "USPS" } };
      }
      return body === null ? sent : { ...sent, body };
    },
    learn({ kind, subject }, answer) {
      const [saleID, payoutId, tradeId] = ["saleID", "payoutId", "tradeId"].map((name) =>
        field(answer, name),
      );
      if (typeof saleID === "string" && kind.startsWith("sell")) {
        ground.sales.push(saleID);
      }
      if (typeof payoutId === "string" && kind === "request-payout") {
        ground.payouts.push({ payoutId, uid: subject });
      }
      if (typeof tradeId === "string" && kind === "request-trade") {
        // Everybody else is asked, oldest item first.
        const sellerUids = uids.filter((uid) => uid !== subject);
        ground.trades.push({ tradeId, buyerUid: subject, sellerUids });
      }
    },
  };
}

function field({ body }: TestAnswer, name: string): unknown {
  return Reflect.get(Object(body), name);
}

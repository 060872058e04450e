// A shop over HTTP with an admin, buyers with money and sellers with items, for tests of trades and of what follows from them.
import { bookChecks, events, projections, streams } from "../../features.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { addItem } from "#features/inventory/decider.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import type { TestAppOptions } from "#testing/service/test-app-parts.ts";
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";
import { unexplainedEvents } from "#testing/shop/unexplained-events.ts";

export const LONG_AGO = "2026-11-20T10:00:00.000Z";

export const address = {
  name: "Zoe Quill",
  street: "77 Quillfeather Lane",
  city: "Marfa",
  state: "TX",
  zip: "79843",
} as const;

export type Requested = {
  readonly buyer: TestPerson;
  readonly seller: TestPerson & { readonly itemId: string };
  readonly barcode: string;
  readonly answer: TestAnswer;
  readonly tradeId: string;
};

export type TradeShop = {
  readonly shop: TestApp;
  readonly admin: TestPerson;
  /** A person with this much available. */
  readonly buyerWith: (cents: number) => Promise<TestPerson>;
  /** A person with this many units under a barcode; the item's id too. */
  readonly sellerWith: (
    barcode: string,
    quantity: number,
  ) => Promise<TestPerson & { readonly itemId: string }>;
  readonly request: (
    buyer: TestPerson,
    barcode: string,
    given?: Readonly<Record<string, unknown>>,
  ) => Promise<TestAnswer>;
  /** Sends a command about a trade or an offer: `post(buyer, "<id>/confirm")`. */
  readonly post: (
    as: TestPerson,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<TestAnswer>;
  readonly newBarcode: () => string;
  /** A buyer with $100, a seller with 3 units, and the buyer's request of 2 of them at $5.00. */
  readonly requested: (given?: Readonly<Record<string, unknown>>) => Promise<Requested>;
  /** The same, accepted by the seller. */
  readonly accepted: (given?: Readonly<Record<string, unknown>>) => Promise<Requested>;
  /** What verify finds wrong, and events that appear where their explanation says that they never do. */
  readonly wrongInBooks: (options?: {
    /** Folding every read table again is most of the proof's work. */
    readonly withoutReplay?: true;
  }) => Promise<readonly unknown[]>;
  readonly upload: (
    as: TestPerson,
    tradeId: string,
    given?: Readonly<Record<string, string | File>>,
  ) => Promise<TestAnswer>;
  readonly available: (person: TestPerson) => Promise<number>;
  readonly close: () => Promise<void>;
};

export function tradeIdIn(answer: TestAnswer): string {
  return String(Reflect.get(Object(answer.body), "tradeId"));
}

/** "offers/<id>/accept" of a trade's nth offer. */
export function offerPath(tradeId: string, nth: number, what: string): string {
  return `offers/${offerIdOf(tradeId, nth)}/${what}`;
}

type Desk = Pick<
  TradeShop,
  "shop" | "newBarcode" | "buyerWith" | "sellerWith" | "request" | "post" | "upload"
>;

function deskOf(shop: TestApp, admin: TestPerson): Desk {
  let made = 0;
  const newPerson = () => shop.person(`Trader-${(made += 1)}`);
  const under = () => ({
    actor: admin.uid,
    scope: "store",
    key: `given-${(made += 1)}`,
    requestHash: "00",
  });
  const post: TradeShop["post"] = (as, path, body, headers = {}) =>
    shop.call("POST", `/api/trades/${path}`, { as, body, headers });
  return {
    shop,
    newBarcode: () => `T-${(made += 1)}`,
    async buyerWith(balanceCents) {
      const person = await newPerson();
      const given = { uid: person.uid, balanceCents, expectedCents: null, noteId: null };
      await shop.deps.ledger.execute(setBalance, { ...given, happenedAt: LONG_AGO }, under());
      return person;
    },
    async sellerWith(barcode, quantity) {
      const person = await newPerson();
      const itemId = shop.deps.newId();
      const details = detailsOf(barcode, { itemName: "Desk lamp" });
      const item = { itemId, ownerUid: person.uid, details, quantity, source: "manual" as const };
      await shop.deps.ledger.execute(addItem, { ...item, happenedAt: LONG_AGO }, under());
      return { ...person, itemId };
    },
    request: (buyer, itemBarcode, given = {}) =>
      post(buyer, "request", {
        itemName: "Desk lamp",
        itemBarcode,
        quantity: 1,
        pricePerItem: 500,
        shippingAddress: address,
        ...given,
      }),
    post,
    upload: (as, tradeId, given) => upload(shop, as, tradeId, given),
  };
}

export async function openTradeShop(options: TestAppOptions = {}): Promise<TradeShop> {
  const shop = await openTestApp(options);
  const admin = await shop.person("Trade-admin", "admin");
  const desk = deskOf(shop, admin);
  const requested: TradeShop["requested"] = async (given = {}) => {
    const barcode = desk.newBarcode();
    const buyer = await desk.buyerWith(10_000);
    const seller = await desk.sellerWith(barcode, 3);
    const answer = await desk.request(buyer, barcode, { quantity: 2, ...given });
    return { buyer, seller, barcode, answer, tradeId: tradeIdIn(answer) };
  };
  return {
    ...desk,
    admin,
    requested,
    async accepted(given) {
      const all = await requested(given);
      await desk.post(all.seller, offerPath(all.tradeId, 1, "accept"), {});
      return all;
    },
    async available(person) {
      const answer = await shop.call("GET", `/api/sales/balance/${person.uid}`, { as: person });
      return Math.round(Number(Reflect.get(Object(answer.body), "balance")) * 100);
    },
    async wrongInBooks(options = {}) {
      const { sql } = shop.database;
      await shop.runner.catchUp();
      const books = { sql, streams, events, projections, heads: [], checks: bookChecks };
      const { problems } = await verifyBooks({ ...books, ...options });
      return [...problems, ...(await unexplainedEvents(sql))];
    },
    close: shop.close,
  };
}

async function upload(
  shop: TestApp,
  as: TestPerson,
  tradeId: string,
  given: Readonly<Record<string, string | File>> = {},
): Promise<TestAnswer> {
  const form = new FormData();
  const label = new File([labelPdf()], "label.pdf", { type: "application/pdf" });
  const fields = { label, trackingNumber: "9400-QUILL-1", carrier: "USPS", ...given };
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value);
  }
  const response = await shop.app.request(`http://app.test/api/trades/${tradeId}/shipping-label`, {
    method: "POST",
    headers: { Authorization: `Bearer ${as.token}` },
    body: form,
  });
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

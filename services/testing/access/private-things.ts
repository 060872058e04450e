// One of everything that belongs to a single consignor, the store's logo and a picture, and the words that nobody else may read.
import { z } from "zod";
import { offerIdOf } from "#features/trades/streams.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import { pngOf } from "#testing/service/tiny-images.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";

export type PrivateThings = Readonly<
  Record<"item" | "sale" | "event" | "shipment" | "payout" | "trade" | "logo" | "image", string>
> & {
  /** None of them appears in an answer to another consignor. */
  readonly words: readonly string[];
};

const TRACKING = "9400-URSULA-1";
const HANDLE = "$UrsulaMarker";
const STREET = "77 Ursula Lane";

const idOf = {
  item: z.object({ id: z.string() }).transform(({ id }) => id),
  sale: z.object({ saleID: z.string() }).transform(({ saleID }) => saleID),
  payout: z.object({ payoutId: z.string() }).transform(({ payoutId }) => payoutId),
  trade: z.object({ tradeId: z.string() }).transform(({ tradeId }) => tradeId),
};

type Desk = {
  readonly shop: TestApp;
  readonly owner: TestPerson;
  readonly seller: TestPerson;
  readonly admin: TestPerson;
};

/** An item, a sale, a payout, a shipment with a label, and a trade with a label that the owner bought. */
export async function makePrivateThings(desk: Desk): Promise<PrivateThings> {
  const { owner, admin } = desk;
  const item = await post(desk, admin, "/inventory/consignor", {
    consignorID: owner.uid,
    itemName: "Lamp",
    barcode1: "1",
    quantity: 1,
  });
  const sale = await post(desk, admin, "/sales/custom", {
    consignorID: owner.uid,
    itemName: "Thing",
    amount: 50,
  });
  const payout = await post(desk, owner, `/payouts/${owner.uid}/request`, {
    amount: 10,
    method: "cashapp",
    paymentUsername: HANDLE,
  });
  const ids = {
    item: idOf.item.parse(item.body),
    sale: idOf.sale.parse(sale.body),
    event: item.headers.get("Ledger-Position") ?? "",
    payout: idOf.payout.parse(payout.body),
    shipment: await shipWithLabel(desk),
    trade: await buyWithLabel(desk),
  };
  const { event, ...named } = ids;
  return {
    ...named,
    event,
    logo: await uploadLogo(desk),
    image: await uploadImage(desk),
    words: [owner.uid, owner.email, TRACKING, HANDLE, STREET, ...Object.values(named)],
  };
}

async function shipWithLabel(desk: Desk): Promise<string> {
  const { owner } = desk;
  const shipment = await post(desk, owner, `/shipments/${owner.uid}`, { needsLabel: true });
  const id = idOf.item.parse(shipment.body);
  await uploadLabel(desk, `/shipments/admin/${id}/label`);
  return id;
}

async function buyWithLabel(desk: Desk): Promise<string> {
  const { owner, seller, admin } = desk;
  await post(desk, admin, "/inventory/consignor", {
    consignorID: seller.uid,
    itemName: "Chair",
    barcode1: "2",
    quantity: 1,
  });
  const asked = await post(desk, owner, "/trades/request", {
    itemName: "Chair",
    itemBarcode: "2",
    quantity: 1,
    pricePerItem: 500,
    shippingAddress: { name: "U", street: STREET, city: "Marfa", state: "TX", zip: "79843" },
  });
  const id = idOf.trade.parse(asked.body);
  await post(desk, seller, `/trades/offers/${offerIdOf(id, 1)}/accept`, {});
  await uploadLabel(desk, `/trades/${id}/shipping-label`);
  return id;
}

async function post({ shop }: Desk, as: TestPerson, path: string, body: object) {
  const answer = await shop.call("POST", `/api${path}`, { as, body });
  if (answer.status !== 200) {
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer;
}

async function uploadLabel(desk: Desk, path: string): Promise<void> {
  await upload(desk, "POST", path, {
    label: new File([labelPdf()], "label.pdf", { type: "application/pdf" }),
    trackingNumber: TRACKING,
    carrier: "USPS",
  });
}

async function uploadLogo(desk: Desk): Promise<string> {
  await upload(desk, "PUT", "/settings/logo", { file: new File([pngOf(2, 2)], "logo.png") });
  const answer = await desk.shop.call("GET", "/api/settings/public");
  const { logo } = z.object({ logo: z.string() }).parse(answer.body);
  return logo.slice(logo.lastIndexOf("/") + 1);
}

async function uploadImage(desk: Desk): Promise<string> {
  const photo = new File([pngOf(2, 2)], "photo.png");
  const answer = await upload(desk, "POST", "/images", { photo });
  const { imageUrl } = z.object({ imageUrl: z.string() }).parse(await answer.json());
  return imageUrl.slice(imageUrl.lastIndexOf("/") + 1);
}

async function upload(
  { shop, admin }: Desk,
  method: string,
  path: string,
  fields: Readonly<Record<string, string | File>>,
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    body.set(name, value);
  }
  const headers = { Authorization: `Bearer ${admin.token}` };
  const response = await shop.app.request(`http://app.test/api${path}`, { method, headers, body });
  if (response.status !== 200) {
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  }
  return response;
}

// Fills a new store through its HTTP API with one of everything that somebody may tamper with.
import { randomUUID } from "node:crypto";
import { writeImage } from "#http/stored-images.ts";
import { imageAddress } from "#ledger/fields.ts";
import { pngOf } from "#testing/service/tiny-images.ts";
import { createInvited } from "#identity/invitations.ts";
import { createSetupLink } from "#identity/setup-link.ts";
import type { Store } from "#process/open-store.ts";

type Person = { readonly uid: string; readonly token: string };

type Call = (
  method: string,
  path: string,
  as: Person | null,
  body?: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

function callerOf(url: string): Call {
  let count = 0;
  // As the app does: what needs the read tables waits until they have what was written before.
  let position = "0";
  return async (method, path, as, body) => {
    count += 1;
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": `call-${count}`,
        "Ledger-Position": position,
        ...(as === null ? {} : { Authorization: `Bearer ${as.token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    position = answer.headers.get("Ledger-Position") ?? position;
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    }
    const isJson = answer.headers.get("Content-Type")?.startsWith("application/json") === true;
    const parsed: unknown = isJson ? JSON.parse(text) : {};
    return Object.fromEntries(Object.entries(Object(parsed)));
  };
}

function textOf(answer: Readonly<Record<string, unknown>>, name: string): string {
  const value = answer[name];
  if (typeof value !== "string") {
    throw new Error(`The answer has no ${name}: ${JSON.stringify(answer)}`);
  }
  return value;
}

/**
 * People with roles and usernames, a deleted one, goods, sales of each kind, a correction, refunds, payouts, a trade, a
 * shipment, lost goods, an erased certificate, a till day and a signed statement.
 */
export async function fillStore(store: Store, url: string): Promise<void> {
  const call = callerOf(url);
  const robin = await signUp(call, "robin");
  const link = await createSetupLink(store.sql, store.clock, url);
  await call("POST", "/identity/setup", robin, { token: link?.split("#setup=")[1] ?? "" });
  const [avery, blake, casey, drew] = [
    await signUp(call, "avery"),
    await signUp(call, "blake"),
    await signUp(call, "casey"),
    await signUp(call, "drew"),
  ];
  await call("PUT", `/auth/users/${casey.uid}`, robin, { role: "admin" });
  await addPictured(store, call, robin);
  for (const consignor of [avery, blake]) {
    await sellFor(call, robin, consignor);
  }
  await tradeBetween(call, blake, avery);
  await takeIn(call, robin, avery);
  await call("POST", `/payouts/${avery.uid}/request`, avery, payout(20, "cashapp", "$AveryStone"));
  const paid = await call(
    "POST",
    `/payouts/${blake.uid}/request`,
    blake,
    payout(10, "venmo", "@Blake-Rivers"),
  );
  await call("PATCH", `/payouts/${blake.uid}/${textOf(paid, "payoutId")}/paid`, robin);
  await call("DELETE", `/auth/users/${drew.uid}`, robin);
  // Not over HTTP, which would print the letter.
  await createInvited(store.sql, store.clock(), {
    email: "ida@example.test",
    invitedBy: robin.uid,
    displayName: "Ida",
  });
  await closeTillToday(call, robin);
  // The first one makes the key that signs them.
  await call(
    "GET",
    `/accounts/${avery.uid}/statement?from=2026-01-01&to=2026-01-31&format=csv`,
    avery,
  );
  // The last event is a sale, so that a cut tail removes it.
  await call("POST", "/sales/custom", robin, {
    consignorID: avery.uid,
    itemName: "Lot of cables",
    amount: 5,
  });
}

async function addPictured({ sql, clock }: Store, call: Call, admin: Person): Promise<void> {
  const bytes = pngOf(20, 20);
  const picture = { type: "image/png", bytes } as const;
  const id = await writeImage(sql, { salt: randomUUID(), picture, thumbnail: null }, clock());
  const goods = { itemName: "Mirror", barcode1: "B-MIRROR", quantity: 1 };
  await call("POST", "/inventory/master", admin, { ...goods, imageUrl: imageAddress(id) });
}

async function signUp(call: Call, name: string): Promise<Person> {
  const answer = await call("POST", "/identity/sign-up", null, {
    email: `${name}@example.test`,
    password: `the-password-of-${name}`,
    displayName: name,
  });
  const person = { uid: textOf(answer, "uid"), token: textOf(answer, "idToken") };
  await call("POST", "/auth/set-username", person, { username: name });
  return person;
}

function payout(amount: number, method: string, paymentUsername: string) {
  return { amount, method, paymentUsername };
}

async function sellFor(call: Call, admin: Person, consignor: Person): Promise<void> {
  const goods = { itemName: "Desk lamp", barcode1: barcodeOf(consignor), quantity: 9 };
  const item = await call("POST", "/inventory/consignor", admin, {
    consignorID: consignor.uid,
    ...goods,
    tagPriceCents: 9_000,
  });
  const own = await call("POST", "/inventory/master", admin, { ...goods, itemName: "Shelf" });
  const sell = (salePrice: number) =>
    call("POST", "/sales/record", admin, {
      consignorID: consignor.uid,
      itemUID: idIn(item),
      salePrice,
      quantitySold: 1,
      shippingCost: 2.5,
      channel: "pos",
      receiptID: randomUUID(),
      tender: "cash",
    });
  const first = await sell(80);
  const second = await sell(45.5);
  await sell(120);
  const exempt = await call("POST", "/sales/record", admin, {
    consignorID: consignor.uid,
    itemUID: idIn(item),
    salePrice: 10,
    quantitySold: 1,
    taxExempt: { certificate: "TX-1" },
  });
  await call("POST", `/sales/${textOf(exempt, "saleID")}/erase-certificate`, admin, {});
  await call("POST", "/inventory/remove", admin, {
    itemID: idIn(item),
    quantity: 1,
    reason: "lost",
  });
  await call("POST", "/inventory/master/sale", admin, {
    masterItemID: idIn(own),
    quantitySold: 2,
    salePrice: 30,
    salesTax: 2.4,
  });
  // Without a price: it only moves stock, and its report waits for one.
  await call("POST", "/inventory/master/sale", admin, { masterItemID: idIn(own), quantitySold: 1 });
  await call("PUT", `/sales/${textOf(first, "saleID")}`, admin, {
    salePrice: 84,
    reason: "The price was typed wrong",
  });
  await call("POST", `/sales/${textOf(second, "saleID")}/refund`, admin, {
    quantity: 1,
    restock: true,
    reason: "It came back",
    tender: "card",
  });
}

/** A trade that its buyer asks for and nobody answers. */
async function tradeBetween(call: Call, buyer: Person, seller: Person): Promise<void> {
  await call("POST", "/trades/request", buyer, {
    itemName: "Desk lamp",
    itemBarcode: barcodeOf(seller),
    quantity: 1,
    pricePerItem: 100,
    shippingAddress: { name: "Blake", street: "1 Lane", city: "Town", state: "OH", zip: "43004" },
  });
}

/** A shipment with the goods that came out of it. */
async function takeIn(call: Call, admin: Person, consignor: Person): Promise<void> {
  const shipment = await call("POST", `/shipments/${consignor.uid}`, consignor, {
    carrier: "OTHER",
    carrierName: "Drop-off",
    trackingNumber: "TAMPER-1",
    contents: "Vases",
  });
  await call("POST", "/inventory/consignor/mass-input", admin, {
    consignorID: consignor.uid,
    itemName: "Vase",
    barcodes: "V-1\nV-2",
    shipmentId: textOf(shipment, "id"),
  });
}

function barcodeOf({ uid }: Person): string {
  return `B-${uid.slice(0, 6)}`;
}

async function closeTillToday(call: Call, admin: Person): Promise<void> {
  const { today } = await call("GET", "/till/day", admin);
  await call("POST", "/till/days", admin, {
    day: today,
    openingAmount: 100,
    countedAmount: 250,
    note: "Twice counted",
  });
}

/** The id of an item, at the top of the answer or in the item within it. */
function idIn(answer: Readonly<Record<string, unknown>>): string {
  const within: unknown = answer["item"] ?? answer;
  return textOf(Object.fromEntries(Object.entries(Object(within))), "id");
}

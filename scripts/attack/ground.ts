// The store under attack, with an attacker and a victim in it: two consignors who signed up for this.
import { randomUUID } from "node:crypto";
import { offerIdOf } from "#features/trades/streams.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import { formOf } from "./form.ts";
import { createSend, done, type Reply, type Send, type Sender, signUp, textIn } from "./send.ts";

export type Person = Sender & {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  /** The session's cookie, as in `refresh_token=…`. */
  readonly cookie: string;
  /** What makes the person's browser known. */
  readonly browser: string;
};

/** What belongs to the victim. */
export type Things = Readonly<
  Record<"item" | "sale" | "payout" | "shipment" | "trade" | "offer" | "event", string>
> & {
  /** None of them appears in an answer to the attacker. */
  readonly words: readonly string[];
  /** The key under which the victim asked for the payout, and its body. */
  readonly payoutKey: string;
  readonly payoutBody: object;
};

export type Ground = {
  readonly url: string;
  readonly send: Send;
  /** Whether attacks run at full size; the short form takes seconds. */
  readonly isThorough: boolean;
  /** Whether this program stands where the store's own proxy would, and so chooses the addresses it reports. */
  readonly hasProxy: boolean;
  readonly attacker: Person;
  readonly victim: Person;
  /** Signs up somebody new, with an address of their own. */
  readonly newPerson: () => Promise<Person>;
  /** With an admin's help. Null without one. */
  readonly admin: Sender | null;
  readonly things: Things | null;
  /** The letters to an address, newest last; null if they cannot be read from here. */
  readonly lettersTo: ((email: string) => Promise<readonly string[]>) | null;
  readonly close: () => void;
};

export type GroundOptions = {
  readonly url: string;
  readonly isThorough: boolean;
  readonly hasProxy: boolean;
  readonly lettersTo: Ground["lettersTo"];
  /** Makes or finds an admin; null if there is none. */
  readonly admin: ((send: Send) => Promise<Sender>) | null;
};

export async function openGround(options: GroundOptions): Promise<Ground> {
  const send = createSend(options.url, options.hasProxy);
  let people = 0;
  const newPerson = (): Promise<Person> => {
    people += 1;
    return signUpNth(send, people);
  };
  const attacker = await newPerson();
  const victim = await newPerson();
  const admin = options.admin === null ? null : await options.admin(send);
  const things = admin === null ? null : await makeThings(send, admin, victim, await newPerson());
  return { ...options, send, attacker, victim, newPerson, admin, things, close: send.close };
}

/** The `nth` address of its own network. */
export function addressOf(nth: number): string {
  return `198.51.${100 + Math.floor(nth / 250)}.${1 + (nth % 250)}`;
}

async function signUpNth(send: Send, nth: number): Promise<Person> {
  const id = randomUUID().slice(0, 8);
  const [email, password] = [`attack-${id}@example.test`, `attack password ${id}`];
  const address = addressOf(nth);
  const reply = await signUp(send, { email, password, displayName: `Attack ${id}` }, address);
  return {
    uid: textIn(reply, "uid"),
    token: textIn(reply, "idToken"),
    cookie: sessionCookie(reply) ?? "",
    browser: cookieOf(reply, "known_browser") ?? "",
    email,
    password,
    address,
  };
}

/** The session's cookie that an answer sets, without its attributes. */
export function sessionCookie(reply: Reply): string | undefined {
  return cookieOf(reply, "refresh_token");
}

/** Over https, names have a prefix. */
function cookieOf(reply: Reply, name: string): string | undefined {
  return reply.headers["set-cookie"]
    ?.map((line) => line.split(";")[0] ?? "")
    .find((pair) => new RegExp(`^(?:__\\w+-)?${name}=.`).test(pair));
}

const TRACKING = "ATTACK-9400-1";
const STREET = "77 Attack Lane";

/** An item, a sale, a payout, a shipment with a label, and a trade in which the victim buys. */
async function makeThings(
  send: Send,
  admin: Sender,
  victim: Person,
  seller: Person,
): Promise<Things> {
  const handle = `$Victim${victim.uid.slice(0, 8).replaceAll(/\W/g, "")}`;
  const id = async (asked: Promise<Reply>, name = "id") => textIn(await done(asked), name);
  const post = (as: Sender, path: string, body: object, headers: Record<string, string> = {}) =>
    send(`POST /api${path}`, { as, body, headers });
  const barcode = `A${victim.uid.slice(0, 10)}`;
  const item = { itemName: "Lamp", barcode1: barcode, quantity: 3, consignorID: victim.uid };
  const added = await done(post(admin, "/inventory/consignor", item));
  const sale = { consignorID: victim.uid, itemName: "Thing", amount: 80 };
  const saleId = await id(post(admin, "/sales/custom", sale), "saleID");
  const payoutBody = { amount: 10, method: "cashapp", paymentUsername: handle };
  const payoutKey = randomUUID();
  const key = { "Idempotency-Key": payoutKey };
  const payout = await id(
    post(victim, `/payouts/${victim.uid}/request`, payoutBody, key),
    "payoutId",
  );
  const shipment = await id(post(victim, `/shipments/${victim.uid}`, { needsLabel: true }));
  const label = formOf({ trackingNumber: TRACKING, carrier: "USPS" }, { label: labelPdf() });
  await done(send(`POST /api/shipments/admin/${shipment}/label`, { as: admin, ...label }));
  const wanted = { ...item, itemName: "Chair", barcode1: `${barcode}C`, consignorID: seller.uid };
  await done(post(admin, "/inventory/consignor", wanted));
  const request = {
    itemName: "Chair",
    itemBarcode: `${barcode}C`,
    providesOwnShipping: true,
    quantity: 1,
    pricePerItem: 500,
    shippingAddress: { name: "V", street: STREET, city: "Marfa", state: "TX", zip: "79843" },
  };
  const trade = await id(post(victim, "/trades/request", request), "tradeId");
  const offer = offerIdOf(trade, 1);
  await done(post(seller, `/trades/offers/${offer}/accept`, {}));
  await done(send(`POST /api/trades/${trade}/shipping-label`, { as: victim, ...label }));
  const ids = { item: textIn(added, "id"), sale: saleId, payout, shipment, trade, offer };
  return {
    ...ids,
    event: String(added.headers["ledger-position"]),
    words: [victim.uid, victim.email, handle, TRACKING, STREET, ...Object.values(ids)],
    payoutKey,
    payoutBody,
  };
}

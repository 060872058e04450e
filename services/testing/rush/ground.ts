// The ground of a rush: an admin, a few consignors, and a few items with few units, made through the API itself.
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import type { Sql } from "#db/connect.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { createIdentity } from "#identity/identity.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { giveRole } from "#testing/shop/people.ts";
import { events, streams } from "../../features.ts";
import type { RushGround } from "#testing/rush/draft.ts";

/** Who calls, and with which token. */
export type RushPeople = {
  readonly adminUid: string;
  readonly consignors: readonly string[];
  /** The first of the consignors. They are admins too: others may not send as many requests as a rush does. */
  readonly traders: readonly string[];
  /** A fresh token of the admin (null) or of a consignor. */
  readonly tokenOf: (uid: string | null) => Promise<string>;
};

const TRADERS = 4;

/** With events from outside the service, as an operator's script would. */
async function makeAdmins(sql: Sql, uids: readonly string[]): Promise<void> {
  const ledger = openLedger({ sql, streams, events, newId: randomUUID });
  for (const uid of uids) {
    await giveRole({ ledger, clock: () => new Date() }, uid, "admin");
  }
  await ledger.close();
}

/** Makes the people of a rush in the database of the service. */
export async function makePeople(sql: Sql, consignorCount: number): Promise<RushPeople> {
  const identity = createIdentity({
    sql,
    logger: pino({ level: "silent" }),
    clock: () => new Date(),
    sealed: testSealed,
    mailer: { send: () => Promise.reject(new Error("Nobody is written to here")) },
    google: null,
    discord: null,
  });
  await identity.rotateKeys();
  const adminUid = "rush-admin-000000000000";
  await identity.ensureUser({
    uid: adminUid,
    email: "rush-admin@example.test",
    displayName: "Rush admin",
  });
  const consignors: string[] = [];
  for (let index = 0; index < consignorCount; index += 1) {
    const uid = `rush-consignor-${String(index).padStart(8, "0")}`;
    await identity.ensureUser({
      uid,
      email: `rush-${index}@example.test`,
      displayName: `Rush ${index}`,
    });
    consignors.push(uid);
  }
  const traders = consignors.slice(0, TRADERS);
  await makeAdmins(sql, [adminUid, ...traders]);
  const tokens = new Map<string, { token: string; until: number }>();
  return {
    adminUid,
    consignors,
    traders,
    async tokenOf(uid) {
      const owner = uid ?? adminUid;
      const known = tokens.get(owner);
      if (known !== undefined && known.until > Date.now()) {
        return known.token;
      }
      const token = await identity.issueTokenFor(owner);
      tokens.set(owner, { token, until: Date.now() + 300_000 });
      return token;
    },
  };
}

async function send(
  url: string,
  token: string,
  body: Record<string, unknown>,
  method: "POST" | "PUT" = "POST",
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const parsed: unknown = await answer.json();
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(parsed)}`);
  }
  return parsed;
}

function idIn(answer: unknown): string {
  const item: unknown = typeof answer === "object" && answer !== null ? answer : {};
  for (const name of ["id", "itemId", "itemUID", "item"]) {
    const value: unknown = Reflect.get(Object(item), name);
    if (typeof value === "string") {
      return value;
    }
    if (typeof value === "object" && value !== null) {
      return idIn(value);
    }
  }
  throw new Error(`No id in ${JSON.stringify(answer)}`);
}

const TRADED_BARCODES = 2;

/** Adds the items: a few with few units for each consignor, and a few with many for the store. */
export async function makeGround(
  url: string,
  people: RushPeople,
  itemsPerConsignor: number,
  units: number,
): Promise<RushGround> {
  const token = await people.tokenOf(null);
  const items: { itemId: string; uid: string }[] = [];
  for (const uid of people.consignors) {
    for (let index = 0; index < itemsPerConsignor; index += 1) {
      const answer = await send(`${url}/api/inventory/consignor`, token, {
        consignorID: uid,
        itemName: `Rush item ${index}`,
        barcode1: `R-${index}`,
        quantity: units,
      });
      items.push({ itemId: idIn(answer), uid });
    }
  }
  const masters: { itemId: string }[] = [];
  for (let index = 0; index < itemsPerConsignor; index += 1) {
    const answer = await send(`${url}/api/inventory/master`, token, {
      itemName: `Rush master ${index}`,
      barcode1: `R-${index}`,
      quantity: 400,
    });
    masters.push({ itemId: idIn(answer) });
  }
  const tradedBarcodes = Array.from({ length: TRADED_BARCODES }, (_, index) => `T-${index}`);
  for (const uid of people.traders) {
    for (const barcode1 of tradedBarcodes) {
      const item = { consignorID: uid, itemName: "Rush trade", barcode1, quantity: units };
      items.push({ itemId: idIn(await send(`${url}/api/inventory/consignor`, token, item)), uid });
    }
    await send(`${url}/api/sales/balance/${uid}`, token, { balance: 90 }, "PUT");
  }
  const { consignors, traders } = people;
  return {
    consignors,
    items,
    masters,
    sales: [],
    payouts: [],
    traders,
    tradedBarcodes,
    trades: [],
  };
}

// At sign-out, erases what the till kept in this browser: all but the lines that the ledger does not have, and what a
// restored store needs to be sent again.
import { openDB } from "idb";
import type { IDBPDatabase } from "idb";
import * as z from "zod/mini";
import { forgetLocal } from "#web/lib/local-store.ts";
import { tillCatalogueName, tillTermsName } from "./till-person.ts";

/** As long as booked lines are sent again after a restore. */
const sentAgainForMs = 7 * 86_400_000;

const named = z.looseObject({
  consignorDisplayName: z.nullable(z.string()),
  itemName: z.string(),
  imageUrl: z.string(),
});
const line = z.looseObject({
  lineKey: z.string(),
  saleId: z.string(),
  status: z.enum(["waiting", "booked", "refused", "refunded"]),
  takenAtMs: z.int(),
  line: z.looseObject({ item: named }),
  target: named,
});
type Line = z.infer<typeof line>;

/** Names are for people. What is sent has only ids. */
function withoutNames(item: Line["target"]): Line["target"] {
  return { ...item, consignorDisplayName: null, itemName: "", imageUrl: "" };
}

async function openSales(): Promise<IDBPDatabase | undefined> {
  const known = await indexedDB.databases();
  return known.some(({ name }) => name === "posSales") ? openDB("posSales") : undefined;
}

async function eraseSales(now: number): Promise<void> {
  const db = await openSales();
  if (db === undefined) {
    return;
  }
  try {
    const step = db.transaction(["sales", "lines"], "readwrite", { durability: "strict" });
    const [sales, lines] = [step.objectStore("sales"), step.objectStore("lines")];
    const all = (await lines.getAll()).map((one) => line.parse(one));
    const open = all.filter(({ status }) => status === "waiting" || status === "refused");
    const waiting = new Set(open.map(({ saleId }) => saleId));
    for (const one of all.filter((other) => !open.includes(other))) {
      const isNeeded = one.status === "booked" && one.takenAtMs >= now - sentAgainForMs;
      const { item } = one.line;
      await (isNeeded
        ? lines.put({
            ...one,
            line: { ...one.line, item: withoutNames(item) },
            target: withoutNames(one.target),
          })
        : lines.delete(one.lineKey));
    }
    for (const saleId of await sales.getAllKeys()) {
      await (waiting.has(String(saleId)) ? undefined : sales.delete(saleId));
    }
    await step.done;
  } finally {
    db.close();
  }
}

/** `chosen`: somebody signed out. If the session only ended, the carts stay for the customers who are waiting. */
export async function forgetTill(now: Date, chosen: boolean): Promise<void> {
  indexedDB.deleteDatabase(tillCatalogueName);
  const carts = chosen ? ["posCart", "posParked"] : [];
  for (const key of [tillTermsName, "posSales", "posPrices", "lastConsignor", ...carts]) {
    forgetLocal(key);
  }
  await eraseSales(now.getTime());
}

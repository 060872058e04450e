// At sign-out, erases the till's sales from this browser: all but the lines that the ledger does not have, and what a restored store is sent again.
import { openDB } from "idb";
import type { IDBPDatabase } from "idb";
import { isUnsettled, keptAtSignOut, keptLine } from "./kept-at-sign-out.ts";

/** Undefined if this browser never sold. Opening must not create it, because it would lack its stores. */
async function openSales(): Promise<IDBPDatabase | undefined> {
  let isNew = false;
  try {
    return await openDB("posSales", undefined, {
      upgrade(_db, _from, _to, step) {
        isNew = true;
        step.done.catch(() => undefined);
        step.abort();
      },
    });
  } catch (error) {
    if (isNew) {
      return undefined;
    }
    throw error;
  }
}

/** In one transaction: a sale that is stored or a line that is answered comes before or after it. */
async function eraseSettled(now: Date): Promise<void> {
  const db = await openSales();
  if (db === undefined) {
    return;
  }
  try {
    const step = db.transaction(["sales", "lines"], "readwrite", { durability: "strict" });
    const [sales, lines] = [step.objectStore("sales"), step.objectStore("lines")];
    const unsettled = new Set<IDBValidKey>();
    for (const stored of await lines.getAll()) {
      // A line that cannot be read stays. It may be money.
      const { data: line } = keptLine.safeParse(stored);
      const kept = line === undefined ? null : keptAtSignOut(line, now);
      if (line !== undefined && isUnsettled(line)) {
        unsettled.add(line.saleId);
      } else if (kept !== null) {
        await lines.put(kept);
      } else if (line !== undefined) {
        await lines.delete(line.lineKey);
      }
    }
    for (const saleId of await sales.getAllKeys()) {
      if (!unsettled.has(saleId)) {
        await sales.delete(saleId);
      }
    }
    await step.done;
  } finally {
    db.close();
  }
  tellTills();
}

/** Open tills read their sales again. */
function tellTills(): void {
  if ("BroadcastChannel" in globalThis) {
    const channel = new BroadcastChannel("posSales");
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
    channel.postMessage("changed");
    channel.close();
  }
}

/** Throws the browser's error. `isStillOut` says whether nobody has signed in again in the meantime. */
export async function eraseSales(now: Date, isStillOut: () => boolean): Promise<void> {
  await eraseSettled(now);
  // A line that was being sent was kept as one that waits. Its answer is stored by the sender, which has this lock.
  if ("locks" in navigator) {
    await navigator.locks.request("posSales-sender", async () => {
      if (isStillOut()) {
        await eraseSettled(now);
      }
    });
  }
}

// What must not be lost on this till, in IndexedDB: the sales as they were made, and their lines on the way to the ledger.
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";
import { afterRestore } from "./delivery.ts";
import { posSale, posSaleOf, queuedLine, queuedLines, takenSale } from "./taken-sale.ts";
import type { QueuedLine, TakenSale, WaitingLine } from "./taken-sale.ts";
import { noteUnsent } from "#web/shared/till/unsent.ts";

interface PosDatabase extends DBSchema {
  sales: { key: string; value: TakenSale; indexes: { soldAt: string } };
  lines: {
    key: string;
    value: QueuedLine;
    indexes: { status: QueuedLine["status"]; saleId: string };
  };
}

/** Settled sales are deleted after this time. The ledger has them. */
const keptDays = 90;
/** `posSales` holds only this many of the newest sales, because local storage is small. */
const keptPosSales = 500;
const strict = { durability: "strict" } as const;

let opened: Promise<IDBPDatabase<PosDatabase>> | undefined;

function database(): Promise<IDBPDatabase<PosDatabase>> {
  opened ??= openDB<PosDatabase>("posSales", 1, {
    upgrade(db) {
      db.createObjectStore("sales", { keyPath: "saleId" }).createIndex("soldAt", "soldAt");
      const lines = db.createObjectStore("lines", { keyPath: "lineKey" });
      lines.createIndex("status", "status");
      lines.createIndex("saleId", "saleId");
    },
    blocking: (_current, _blocked, event) => {
      // Another tab has a newer version of the app; this one reopens the database at its next step.
      if (event.target instanceof IDBDatabase) {
        event.target.close();
      }
      opened = undefined;
    },
    terminated() {
      opened = undefined;
    },
  }).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

const listeners = new Set<() => void>();
const otherTabListeners = new Set<() => void>();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("posSales") : undefined;
channel?.addEventListener("message", () => {
  tell(listeners);
  tell(otherTabListeners);
});

function tell(all: ReadonlySet<() => void>): void {
  for (const listener of all) {
    listener();
  }
}

/** Calls back when this or another tab changed a sale or a line. Returns a function that unsubscribes. */
export function onPosChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same for changes by other tabs only: a tab may be closed before it sends the sale it stored. */
export function onOtherTabsChange(listener: () => void): () => void {
  otherTabListeners.add(listener);
  return () => otherTabListeners.delete(listener);
}

async function changed(): Promise<void> {
  await countUnsent();
  tell(listeners);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
  channel?.postMessage("changed");
}

async function countUnsent(): Promise<void> {
  const db = await database();
  noteUnsent({
    waiting: await db.countFromIndex("lines", "status", "waiting"),
    refused: await db.countFromIndex("lines", "status", "refused"),
  });
}

/** The record of this till's sales that the specification asks for, newest last. */
const posSales = localValue("posSales", z.array(posSale), []);

/**
 * Stores a sale and queues its lines in one durable transaction. False if this cart was already paid, for example in
 * another tab. Throws the browser's error if it cannot be stored; then nothing was.
 */
export async function keepSale(sale: TakenSale): Promise<boolean> {
  const db = await database();
  const step = db.transaction(["sales", "lines"], "readwrite", strict);
  if ((await step.objectStore("sales").getKey(sale.saleId)) !== undefined) {
    await step.done;
    return false;
  }
  await Promise.all([
    step.objectStore("sales").add(sale),
    ...queuedLines(sale).map((line) => step.objectStore("lines").add(line)),
    step.done,
  ]);
  const others = posSales.read().filter(({ saleId }) => saleId !== sale.saleId);
  posSales.write([...others, posSaleOf(sale)].slice(-keptPosSales));
  await changed();
  return true;
}

export async function isKept(saleId: string): Promise<boolean> {
  return (await (await database()).getKey("sales", saleId)) !== undefined;
}

/** Undefined for a sale that this till no longer has. It keeps each as long as a line of it is unsettled. */
export async function keptSale(saleId: string): Promise<TakenSale | undefined> {
  return (await database()).get("sales", saleId);
}

/** Oldest first. */
export async function waitingLines(): Promise<WaitingLine[]> {
  const lines = await (await database()).getAllFromIndex("lines", "status", "waiting");
  return lines
    .flatMap((line) => (line.status === "waiting" ? [line] : []))
    .sort((a, b) => a.takenAtMs - b.takenAtMs || a.line.line - b.line.line);
}

/**
 * Replaces `seen` with `next`, unless the line was changed in the meantime by another tab or by a person who
 * settled it.
 */
export async function replaceLine(seen: QueuedLine, next: QueuedLine): Promise<boolean> {
  const db = await database();
  const step = db.transaction("lines", "readwrite", strict);
  const now = await step.store.get(seen.lineKey);
  const isSame = now !== undefined && now.status === seen.status && now.round === seen.round;
  if (isSame) {
    await step.store.put(next);
  }
  await step.done;
  if (isSame) {
    await changed();
  }
  return isSame;
}

/** The store was restored from a back-up: what it may have lost is sent again. */
export async function queueAgain(now: Date): Promise<void> {
  const db = await database();
  const step = db.transaction("lines", "readwrite", strict);
  for (const line of await step.store.index("status").getAll("booked")) {
    const again = afterRestore(line, now);
    if (again !== null) {
      await step.store.put(again);
    }
  }
  await step.done;
  await changed();
}

export type PosBook = {
  /** Sales since `from`, oldest first. */
  readonly sales: readonly TakenSale[];
  /** Their lines, and every waiting or refused line of any day, by line key. */
  readonly lines: ReadonlyMap<string, QueuedLine>;
};

export async function readBook(from: Date): Promise<PosBook> {
  const db = await database();
  const step = db.transaction(["sales", "lines"]);
  const sales = await step
    .objectStore("sales")
    .index("soldAt")
    .getAll(IDBKeyRange.lowerBound(from.toISOString()));
  const lineStore = step.objectStore("lines");
  const open = await Promise.all(
    (["waiting", "refused"] as const).map((status) => lineStore.index("status").getAll(status)),
  );
  const own = await Promise.all(
    sales.map(({ saleId }) => lineStore.index("saleId").getAll(saleId)),
  );
  const lines = [...open.flat(), ...own.flat()].map((line) => queuedLine.parse(line));
  return {
    sales: sales.map((sale) => takenSale.parse(sale)),
    lines: new Map(lines.map((line) => [line.lineKey, line])),
  };
}

/** The sale of a receipt, if this till still has it. */
export async function saleByReceipt(number: string): Promise<TakenSale | undefined> {
  const prefix = /^R-([0-9A-F]{8})$/i.exec(number.trim())?.[1]?.toLowerCase();
  if (prefix === undefined) {
    return undefined;
  }
  const db = await database();
  const [sale] = await db.getAll("sales", IDBKeyRange.bound(prefix, `${prefix}\uFFFF`), 1);
  return sale;
}

/** Deletes old sales whose lines are all settled, and counts the unsettled lines. */
export async function tidyUp(now: Date): Promise<void> {
  const db = await database();
  const old = new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000).toISOString();
  const step = db.transaction(["sales", "lines"], "readwrite");
  const sales = await step
    .objectStore("sales")
    .index("soldAt")
    .getAllKeys(IDBKeyRange.upperBound(old));
  for (const saleId of sales) {
    const lines = await step.objectStore("lines").index("saleId").getAll(saleId);
    if (lines.every(({ status }) => status === "booked" || status === "refunded")) {
      await step.objectStore("sales").delete(saleId);
      await Promise.all(lines.map(({ lineKey }) => step.objectStore("lines").delete(lineKey)));
    }
  }
  await step.done;
  await countUnsent();
}

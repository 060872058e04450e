// The till's own copy of what is in stock: loaded once, updated in the background, available without a connection.
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import * as z from "zod/mini";
import { searchResponse } from "#features/inventory/contract.ts";
import {
  catalogueChangesResponse,
  catalogueItem,
  catalogueResponse,
  type CatalogueItem,
} from "#features/inventory/contract-catalogue.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { pathOf, read } from "#web/lib/http.ts";
import { sessionHint } from "#web/lib/id-token.ts";
import { watch } from "#web/lib/live.ts";
import { tillCatalogueName } from "#web/shared/till/till-person.ts";
import { asCatalogueItem, CatalogueIndex, catalogueLimit, searchLimit } from "./catalogue-index.ts";

interface CatalogueDatabase extends DBSchema {
  items: { key: string; value: CatalogueItem };
  state: { key: "state"; value: CatalogueState };
}

const catalogueState = z.object({
  /** The log position that the copy includes. */
  through: z.int(),
  /** False if the store has more in stock than a till keeps. */
  isComplete: z.boolean(),
});
type CatalogueState = z.infer<typeof catalogueState>;

const refreshEveryMs = 30_000;
/** A copy this recent is used without asking the server. */
const freshForMs = 90_000;
/** How long to wait for the server before falling back to the till's own copy. */
const answerWithinMs = 1500;

const index = new CatalogueIndex();
/** By item, where something newer than the copy's position is known. */
const positions = new Map<string, number>();
/** The keys of sales whose answer is in the copy, also while the till's book has them as waiting. */
const answered = new Set<string>();
let state: CatalogueState | undefined;
let syncedAtMs = Number.NEGATIVE_INFINITY;
let isReachable = true;
let opened: Promise<IDBPDatabase<CatalogueDatabase>> | undefined;
let loaded: Promise<void> | undefined;
const listeners = new Set<() => void>();

function database(): Promise<IDBPDatabase<CatalogueDatabase>> {
  opened ??= openDB<CatalogueDatabase>(tillCatalogueName, 1, {
    upgrade(db) {
      db.createObjectStore("items", { keyPath: "id" });
      db.createObjectStore("state");
    },
    blocking(_current, _blocked, event) {
      // The copy is deleted at sign-out. The one in memory must go too, or it would count as complete.
      if (event.target instanceof IDBDatabase) {
        event.target.close();
      }
      opened = undefined;
      loaded = undefined;
      state = undefined;
      index.clear();
      positions.clear();
    },
    terminated() {
      opened = undefined;
    },
  });
  return opened;
}

export type CatalogueStatus = {
  readonly itemCount: number;
  readonly isComplete: boolean;
  /** Whether the server answered the last request. */
  readonly isReachable: boolean;
};

let status: CatalogueStatus = { itemCount: 0, isComplete: false, isReachable: true };

export function catalogueStatus(): CatalogueStatus {
  return status;
}

export function onCatalogue(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  const next = { itemCount: index.size, isComplete: state?.isComplete ?? false, isReachable };
  status = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Reads the stored copy. A browser without IndexedDB starts empty. */
function load(): Promise<void> {
  loaded ??= (async () => {
    try {
      const db = await database();
      const items = z.array(catalogueItem).safeParse(await db.getAll("items"));
      const kept = catalogueState.safeParse(await db.get("state", "state"));
      if (items.success && kept.success) {
        for (const item of items.data) {
          index.put(item);
        }
        state = kept.data;
      }
    } catch (error) {
      console.warn("The till's catalogue cannot be read", error);
    }
    tell();
  })();
  return loaded;
}

/** What is known of an item already is at least this new: answers arrive in any order, and some are repeated. */
function positionOf(id: string): number {
  const own = positions.get(id) ?? 0;
  return index.get(id) === undefined ? own : Math.max(own, state?.through ?? 0);
}

/** Takes what is not older than what is known, and returns that. `position` is what the answer includes at least. */
function take(items: readonly CatalogueItem[], position: number): readonly CatalogueItem[] {
  const newer = items.filter(({ id }) => position >= positionOf(id));
  for (const item of newer) {
    index.put(item);
    if (position > (state?.through ?? 0)) {
      positions.set(item.id, position);
    }
  }
  return newer;
}

async function store(
  seen: readonly CatalogueItem[],
  notSeen: readonly string[],
  next: CatalogueState,
  position: number,
): Promise<void> {
  if (sessionHint.read() === "closed") {
    // The answer came after the sign-out, which deleted the copy.
    return;
  }
  const gone = notSeen.filter((id) => position >= positionOf(id));
  const items = take(seen, position);
  for (const id of gone) {
    index.remove(id);
    positions.set(id, position);
  }
  state = next;
  try {
    const db = await database();
    const step = db.transaction(["items", "state"], "readwrite");
    const itemStore = step.objectStore("items");
    await Promise.all([
      ...items.map((item) => itemStore.put(item)),
      ...gone.map((id) => itemStore.delete(id)),
      step.objectStore("state").put(next, "state"),
      step.done,
    ]);
  } catch (error) {
    console.warn("The till's catalogue cannot be kept", error);
  }
}

/** Loads everything in stock, newest first, up to the limit. The old copy stays until the new one is complete. */
async function loadAll(): Promise<void> {
  const items = new Map<string, CatalogueItem>();
  let through: number | undefined;
  let before: number | undefined;
  do {
    const page = await read(pathOf("/inventory/catalogue", { before }), catalogueResponse);
    // Changes are read from the position before the first page, so that changes during the download are not missed.
    through ??= page.freshTo;
    for (const item of page.value.items) {
      items.set(item.id, item);
    }
    before = page.value.nextBefore ?? undefined;
  } while (before !== undefined && items.size < catalogueLimit);
  const gone = index.ids().filter((id) => !items.has(id));
  // Positions of the copy before are none of this log, if it is another one.
  state = undefined;
  const next = { through: through ?? 0, isComplete: before === undefined };
  await store([...items.values()], gone, next, next.through);
}

/** True if the log is a different one than before: a restored backup or a new store. */
async function loadChanges(known: CatalogueState): Promise<boolean> {
  let { through } = known;
  for (;;) {
    const path = pathOf("/inventory/catalogue/changes", { since: through });
    const { value } = await read(path, catalogueChangesResponse);
    if (value.through < through) {
      positions.clear();
      answered.clear();
      return true;
    }
    const [gone, changed] = [true, false].map((isGone) =>
      value.items.filter((item) => item.archived === isGone),
    );
    through = value.through;
    await store(
      changed ?? [],
      (gone ?? []).map(({ id }) => id),
      { ...known, through },
      through,
    );
    if (!value.hasMore) {
      return false;
    }
  }
}

let syncing: Promise<void> | undefined;
let isAskedAgain = false;

async function syncOnce(): Promise<void> {
  await load();
  try {
    if (state === undefined || (await loadChanges(state))) {
      await loadAll();
    }
    syncedAtMs = Date.now();
    isReachable = true;
  } catch (error) {
    isReachable = !asApiError(error).isUncertain;
  }
  tell();
}

/**
 * Updates the copy. Never throws: on failure the copy stays as it is. A call during a run causes one more run after it,
 * because the change it was called for may have come after that run's request.
 */
export function syncCatalogue(): Promise<void> {
  if (syncing !== undefined) {
    isAskedAgain = true;
    return syncing;
  }
  syncing = (async () => {
    do {
      isAskedAgain = false;
      await syncOnce();
    } while (isAskedAgain && isReachable);
  })().finally(() => {
    syncing = undefined;
  });
  return syncing;
}

/** Keeps the copy up to date until the returned function is called. */
export function followCatalogue(): () => void {
  const sync = (): void => void syncCatalogue();
  const timer = setInterval(sync, refreshEveryMs);
  const stopWatching = watch({
    refresh: syncCatalogue,
    freshTo: () => state?.through,
  });
  addEventListener("online", sync);
  sync();
  return () => {
    clearInterval(timer);
    stopWatching();
    removeEventListener("online", sync);
  };
}

/** Adds items found outside of a refresh. Without a stored catalogue they are kept for this visit only. */
async function keepSeen(items: readonly CatalogueItem[], position: number): Promise<void> {
  await (state === undefined ? take(items, position) : store(items, [], state, position));
}

/** Whether the copy includes the sale that was sent under this key. */
export function isAnswered(sendKey: string): boolean {
  return answered.has(sendKey);
}

/** Records how much the ledger says is left of an item after the sale at this position. */
export async function noteStock(
  itemId: string,
  quantity: number,
  position: number,
  sendKey: string,
): Promise<void> {
  answered.add(sendKey);
  const item = index.get(itemId);
  if (item !== undefined) {
    await keepSeen([{ ...item, quantity }], position);
    tell();
  }
}

export function knownItem(id: string): CatalogueItem | undefined {
  return index.get(id);
}

/** The server's own search; undefined if it does not answer in time. Its results are added to the copy. */
async function askServer(searchTerm: string): Promise<readonly CatalogueItem[] | undefined> {
  const path = pathOf("/inventory/search", { searchTerm, limit: searchLimit, page: 1 });
  const asked = read(path, searchResponse).then(
    async ({ value, freshTo }) => {
      const items = value.items.map(asCatalogueItem);
      isReachable = true;
      await keepSeen(items, freshTo ?? 0);
      return items;
    },
    (error: unknown) => {
      isReachable = !asApiError(error).isUncertain;
      return undefined;
    },
  );
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, answerWithinMs, undefined);
  });
  const found = await Promise.race([asked, late]);
  tell();
  return found;
}

function answersAlone(): boolean {
  return state?.isComplete === true && Date.now() - syncedAtMs < freshForMs;
}

/** Every item with exactly this barcode, whoever owns it. */
export async function findByBarcode(code: string): Promise<readonly CatalogueItem[]> {
  await load();
  const known = index.withBarcode(code);
  // The copy has only items in stock, so the server is asked for unknown codes too.
  if (!isReachable || (known.length > 0 && answersAlone())) {
    return known;
  }
  const found = await askServer(code);
  return found === undefined
    ? known
    : found.filter(({ barcode1, barcode2 }) => barcode1 === code || barcode2 === code);
}

/** At most fifty items for a typed text, exact barcodes first. */
export async function findByWords(term: string): Promise<readonly CatalogueItem[]> {
  await load();
  return answersAlone() || !isReachable
    ? index.search(term)
    : ((await askServer(term)) ?? index.search(term));
}

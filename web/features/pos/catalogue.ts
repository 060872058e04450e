// The till's own copy of what is in stock: loaded once, kept up in the background, there when nobody answers.
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import * as z from "zod/mini";
import {
  catalogueChangesResponse,
  catalogueItem,
  catalogueResponse,
  searchResponse,
  type CatalogueItem,
  type InventoryItem,
} from "#features/inventory/contract.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { pathOf, read } from "#web/lib/http.ts";
import { watch } from "#web/lib/live.ts";
import { tillCatalogueName } from "#web/shared/till/till-person.ts";
import { CatalogueIndex, catalogueLimit, searchLimit } from "./catalogue-index.ts";

interface CatalogueDatabase extends DBSchema {
  items: { key: string; value: CatalogueItem };
  state: { key: "state"; value: CatalogueState };
}

const catalogueState = z.object({
  /** The position of the log up to which changes are in. */
  through: z.int(),
  /** False where the store has more in stock than a till keeps. */
  isComplete: z.boolean(),
});
type CatalogueState = z.infer<typeof catalogueState>;

const refreshEveryMs = 30_000;
/** A copy that was up to date this recently answers without asking the server. */
const freshForMs = 90_000;
/** How long a person waits for the server before the till's own copy has to do. */
const answerWithinMs = 1500;

const index = new CatalogueIndex();
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
      // Thrown away at sign-out: what is in memory goes with it, or it would be taken for all there is.
      if (event.target instanceof IDBDatabase) {
        event.target.close();
      }
      opened = undefined;
      loaded = undefined;
      state = undefined;
      index.clear();
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
  /** Whether the server answered the last time it was asked. */
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

/** Reads what this till knew the last time. A browser without such a storage begins with nothing. */
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

async function store(
  items: readonly CatalogueItem[],
  gone: readonly string[],
  next: CatalogueState,
): Promise<void> {
  for (const item of items) {
    index.put(item);
  }
  for (const id of gone) {
    index.remove(id);
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

/** Everything that is in stock, newest first, up to the limit; what was there before stays until all of it is there. */
async function loadAll(): Promise<void> {
  const items = new Map<string, CatalogueItem>();
  let through: number | undefined;
  let before: number | undefined;
  do {
    const page = await read(pathOf("/inventory/catalogue", { before }), catalogueResponse);
    // Changes are asked for from before the first page on: what moved meanwhile comes again.
    through ??= page.freshTo;
    for (const item of page.value.items) {
      items.set(item.id, item);
    }
    before = page.value.nextBefore ?? undefined;
  } while (before !== undefined && items.size < catalogueLimit);
  const gone = index.ids().filter((id) => !items.has(id));
  await store([...items.values()], gone, {
    through: through ?? 0,
    isComplete: before === undefined,
  });
}

/** True where the log is another one than the till knew: a restored backup, a new store. */
async function loadChanges(known: CatalogueState): Promise<boolean> {
  let { through } = known;
  for (;;) {
    const path = pathOf("/inventory/catalogue/changes", { since: through });
    const { value } = await read(path, catalogueChangesResponse);
    if (value.through < through) {
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
 * Brings the copy up to date. Never throws: what is there stays. A call that comes while one is under way has
 * it done once more, for what it was told of may have happened after that one had asked.
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

/** Keeps the copy up to date until the function it answers is called. */
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

/** Items that were met outside of a refresh; without a catalogue they are known for this visit only. */
async function keepSeen(items: readonly CatalogueItem[]): Promise<void> {
  if (state !== undefined) {
    await store(items, [], state);
    return;
  }
  for (const item of items) {
    index.put(item);
  }
}

/** What the ledger says is left of an item after a sale, before the next refresh says so too. */
export async function noteStock(itemId: string, quantity: number): Promise<void> {
  const item = index.get(itemId);
  if (item !== undefined) {
    await keepSeen([{ ...item, quantity }]);
    tell();
  }
}

export function knownItem(id: string): CatalogueItem | undefined {
  return index.get(id);
}

function asCatalogueItem(item: InventoryItem): CatalogueItem {
  const { id, consignorID, consignorDisplayName, itemName, barcode1, barcode2 } = item;
  const { location, imageUrl, quantity, archived } = item;
  return {
    id,
    consignorID,
    consignorDisplayName,
    itemName,
    barcode1,
    barcode2,
    location,
    imageUrl,
    quantity,
    archived,
  };
}

/** The server's own search; undefined where it does not answer in time. What it finds is kept. */
async function askServer(searchTerm: string): Promise<readonly CatalogueItem[] | undefined> {
  const path = pathOf("/inventory/search", { searchTerm, limit: searchLimit, page: 1 });
  const asked = read(path, searchResponse).then(
    async ({ value }) => {
      const items = value.items.map(asCatalogueItem);
      isReachable = true;
      await keepSeen(items);
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

/** Every item with exactly this barcode, of whatever owner. */
export async function findByBarcode(code: string): Promise<readonly CatalogueItem[]> {
  await load();
  const known = index.withBarcode(code);
  // What is sold out is in no catalogue, so an unknown code is asked for as well.
  if (!isReachable || (known.length > 0 && answersAlone())) {
    return known;
  }
  const found = await askServer(code);
  return found === undefined
    ? known
    : found.filter(({ barcode1, barcode2 }) => barcode1 === code || barcode2 === code);
}

/** At most fifty items for what somebody typed, exact barcodes first. */
export async function findByWords(term: string): Promise<readonly CatalogueItem[]> {
  await load();
  return answersAlone() || !isReachable
    ? index.search(term)
    : ((await askServer(term)) ?? index.search(term));
}

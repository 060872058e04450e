// Tests that the till's copy of the stock keeps the newest count, in whatever order the answers arrive.
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const lamp = {
  id: "lamp",
  consignorID: null,
  consignorDisplayName: null,
  itemName: "Lamp",
  barcode1: "LAMP-1",
  barcode2: "",
  location: "",
  imageUrl: "",
  tagPriceCents: 2000,
  archived: false,
};

/** The item as the search answers with it. */
const found = {
  ...lamp,
  source: "MasterInventory",
  listingTitle: "",
  unitsInTrades: 0,
  link: "",
  asin: "",
  version: 1,
  addedAt: "2026-11-21T10:00:00.000Z",
  unsoldSince: "2026-11-21T10:00:00.000Z",
};

function answer(body: unknown, position: number): Response {
  return Response.json(body, { headers: { "Ledger-Fresh-To": String(position) } });
}

/** The answers to the next calls whose path has this word. */
const answers = new Map<string, Promise<Response>>();

function answering(word: string, response: Response | Promise<Response>): void {
  answers.set(word, Promise.resolve(response));
}

/** A till that has read the whole stock at position 10: so many lamps. */
async function tillWith(quantity: number) {
  const catalogue = await import("./catalogue.ts");
  answering("catalogue", answer({ items: [{ ...lamp, quantity }], nextBefore: null }, 10));
  await catalogue.syncCatalogue();
  return catalogue;
}

beforeEach(() => {
  vi.resetModules();
  answers.clear();
  answering("refresh", Response.json({ uid: "robin", idToken: "token", expiresIn: 3600 }));
  const storage = new Map([["session", '"open"']]);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  // Node has no IndexedDB: the copy is in memory only.
  vi.spyOn(console, "warn").mockReturnValue();
  vi.stubGlobal("fetch", (path: string) => {
    const word =
      ["refresh", "changes", "search", "catalogue"].find((one) => path.includes(one)) ?? "";
    return answers.get(word) ?? Promise.reject(new TypeError(`nothing answers ${path}`));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("a search that was answered before a sale does not offer the sold unit again", async () => {
  const { findByBarcode, knownItem, noteStock } = await tillWith(2);
  const late = Promise.withResolvers<Response>();
  answering("search", late.promise);
  const searched = findByBarcode("ANOTHER-1");
  await noteStock("lamp", 1, 11, "sale");
  late.resolve(answer({ items: [{ ...found, quantity: 2 }], hasMore: false }, 10));
  await searched;
  expect(knownItem("lamp")).toMatchObject({ quantity: 1 });
});

it("nor do changes that were read before the sale; those after it count", async () => {
  const { knownItem, noteStock, syncCatalogue } = await tillWith(2);
  const late = Promise.withResolvers<Response>();
  answering("changes", late.promise);
  const synced = syncCatalogue();
  await noteStock("lamp", 1, 12, "sale");
  late.resolve(answer({ items: [{ ...lamp, quantity: 2 }], through: 11, hasMore: false }, 11));
  await synced;
  expect(knownItem("lamp")).toMatchObject({ quantity: 1 });
  answering(
    "changes",
    answer({ items: [{ ...lamp, quantity: 7 }], through: 13, hasMore: false }, 13),
  );
  await syncCatalogue();
  expect(knownItem("lamp")).toMatchObject({ quantity: 7 });
});

it("the answer to a sale that was sent again is as old as the sale: the count since then stays", async () => {
  const { knownItem, noteStock } = await tillWith(5);
  await noteStock("lamp", 1, 9, "sale");
  expect(knownItem("lamp")).toMatchObject({ quantity: 5 });
});

it("a sale whose answer is not kept yet is subtracted once, not twice", async () => {
  const sold = { status: "waiting", target: { id: "lamp" }, line: { units: 1 }, sendKey: "sale" };
  vi.doMock("./pos-store.ts", () => ({
    readBook: () => Promise.resolve({ sales: [], lines: new Map([["sale", sold]]) }),
  }));
  const { noteStock } = await tillWith(2);
  const { refreshBook } = await import("./till-book.ts");
  const { availableUnits } = await import("./till-cart.ts");
  await refreshBook();
  expect(availableUnits("lamp")).toBe(1);
  await noteStock("lamp", 1, 11, "sale");
  expect(availableUnits("lamp")).toBe(1);
  vi.doUnmock("./pos-store.ts");
});

it("a store restored from a back-up counts anew, though its log is shorter", async () => {
  const { knownItem, noteStock, syncCatalogue } = await tillWith(5);
  await noteStock("lamp", 4, 11, "sale");
  answering("changes", answer({ items: [], through: 6, hasMore: false }, 6));
  answering("catalogue", answer({ items: [{ ...lamp, quantity: 9 }], nextBefore: null }, 6));
  await syncCatalogue();
  expect(knownItem("lamp")).toMatchObject({ quantity: 9 });
});

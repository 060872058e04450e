// Tests what belongs to a sale that is about to be paid: a code that is still being looked up, and what is typed in the field.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { InventoryItem } from "#features/inventory/contract.ts";

const clock: InventoryItem = {
  id: "clock",
  source: "MasterInventory",
  consignorID: null,
  consignorDisplayName: null,
  itemName: "Mantel clock",
  listingTitle: "",
  barcode1: "CLOCK-1",
  barcode2: "",
  location: "",
  quantity: 1,
  unitsInTrades: 0,
  link: "",
  imageUrl: "",
  asin: "",
  tagPriceCents: 2000,
  version: 1,
  archived: false,
  addedAt: "2026-11-21T10:00:00.000Z",
  unsoldSince: "2026-11-21T10:00:00.000Z",
};

/** A till that asks for the money of a cart with one lamp. */
async function payingTill() {
  const [till, parking, tillCart, payment, state] = await Promise.all([
    import("./till.ts"),
    import("./parked.ts"),
    import("./till-cart.ts"),
    import("./till-payment.ts"),
    import("./till-state.ts"),
  ]);
  const { id, consignorID, consignorDisplayName, itemName, barcode1, imageUrl } = clock;
  const item = { id, consignorID, consignorDisplayName, itemName, barcode1, imageUrl };
  const lamp = { ...item, id: "lamp", itemName: "Lamp", barcode1: "LAMP-1" };
  const line = { lineId: 1, item: lamp, units: 1, unitPriceCents: 700 };
  state.cartValue.write({ saleId: "sale", lines: [line], consignorShare: null });
  state.set({ mode: { kind: "pay", saleId: "sale" } });
  return { ...till, ...parking, ...tillCart, ...payment, ...state };
}

/** From now on the till knows that so many lamps are in stock. */
async function stockLamps(quantity: number): Promise<void> {
  const { findByBarcode } = await import("./catalogue.ts");
  answer([{ ...clock, id: "lamp", itemName: "Lamp", barcode1: "LAMP-1", quantity }]);
  await findByBarcode("LAMP-1");
}

let answer: (items: readonly InventoryItem[]) => void;

beforeEach(() => {
  vi.resetModules();
  const storage = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  // Node has no IndexedDB: the till then keeps no copy of the inventory, and asks the server for every code.
  vi.spyOn(console, "warn").mockReturnValue();
  const asked = Promise.withResolvers<Response>();
  answer = (items) => asked.resolve(Response.json({ items, hasMore: false }));
  vi.stubGlobal("fetch", () => asked.promise);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("a sale is not completed without an item that was scanned before: its total is shown first", async () => {
  const { scan, complete, cartValue, tillState } = await payingTill();
  const scanned = scan("CLOCK-1");
  await complete({ tender: "card", cashCents: null });
  expect(tillState()).toMatchObject({
    mode: { kind: "pay" },
    notice: { kind: "bad", text: expect.stringContaining("A scan is still being looked up") },
  });
  answer([clock]);
  await scanned;
  expect(cartValue.read()).toMatchObject({
    saleId: "sale",
    lines: [{ item: { id: "lamp" } }, { item: { id: "clock" }, unitPriceCents: 2000 }],
  });
  expect(tillState()).toMatchObject({
    mode: { kind: "scan" },
    notice: { kind: "good", text: "Mantel clock" },
  });
});

describe.each([
  ["F9 or the button Pay", undefined],
  ["a tender's key", "card"],
] as const)("%s opens the payment with what is typed in the field", (_by, tender) => {
  it.each([
    ["price", "9", { unitPriceCents: 900, units: 1 }],
    ["quantity", "3", { unitPriceCents: 700, units: 3 }],
  ] as const)("as the %s", async (kind, text, line) => {
    const { pay, payBy, set, cartValue, tillState } = await payingTill();
    await stockLamps(5);
    set({ mode: { kind, lineId: 1 } });
    await (tender === undefined ? pay(text) : payBy(tender, text));
    expect(tillState()).toMatchObject({ mode: { kind: "pay" } });
    expect(cartValue.read()).toMatchObject({ lines: [line] });
  });
});

it("a typed quantity that the store does not have opens no payment, and says why", async () => {
  const { pay, set, tillState } = await payingTill();
  await stockLamps(2);
  set({ mode: { kind: "quantity", lineId: 1 } });
  await pay("3");
  expect(tillState()).toMatchObject({
    mode: { kind: "quantity" },
    notice: { kind: "bad", text: "Only 2 available in inventory" },
  });
});

describe("F4 while a price is typed", () => {
  it("keeps the price, and then asks for the quantity", async () => {
    const { changeQuantity, set, cartValue, tillState } = await payingTill();
    set({ mode: { kind: "price", lineId: 1 } });
    changeQuantity("9");
    expect(cartValue.read()).toMatchObject({ lines: [{ unitPriceCents: 900 }] });
    expect(tillState()).toMatchObject({ mode: { kind: "quantity", lineId: 1 } });
  });

  it("goes on asking for the price if that is none, and says so", async () => {
    const { changeQuantity, set, cartValue, tillState } = await payingTill();
    set({ mode: { kind: "price", lineId: 1 } });
    changeQuantity("9..");
    expect(cartValue.read()).toMatchObject({ lines: [{ unitPriceCents: 700 }] });
    expect(tillState()).toMatchObject({ mode: { kind: "price" }, notice: { kind: "bad" } });
  });
});

/** A till that asks for the lamp's price or quantity, with text in its field. */
async function askingTill(kind: "price" | "quantity" | "scan", text: string) {
  const till = await payingTill();
  let typed = text;
  const clear = () => {
    typed = "";
  };
  till.followField({ text: () => typed, clear });
  till.set({ mode: kind === "scan" ? { kind } : { kind, lineId: 1 } });
  return { ...till, typed: () => typed };
}

describe("a click beside a field in which something is typed", () => {
  it("on the quantity keeps the price, and then asks for the quantity", async () => {
    const { askInstead, askQuantity, cartValue, tillState, typed } = await askingTill("price", "9");
    askInstead(() => askQuantity(1));
    expect(cartValue.read()).toMatchObject({ lines: [{ unitPriceCents: 900 }] });
    expect(tillState()).toMatchObject({ mode: { kind: "quantity", lineId: 1 } });
    expect(typed()).toBe("");
  });

  it("does not ask for another thing while the typed price cannot count", async () => {
    const { askInstead, askQuantity, tillState, typed } = await askingTill("price", "9..");
    askInstead(() => askQuantity(1));
    expect(tillState()).toMatchObject({ mode: { kind: "price" }, notice: { kind: "bad" } });
    expect(typed()).toBe("9..");
  });

  it("on One more is the answer, and what was typed as the quantity is gone", async () => {
    const { changeUnits, cartValue, tillState, typed } = await askingTill("quantity", "4");
    await stockLamps(9);
    changeUnits(1, 2);
    expect(cartValue.read()).toMatchObject({ lines: [{ units: 2 }] });
    expect(tillState()).toMatchObject({ mode: { kind: "scan" } });
    expect(typed()).toBe("");
  });

  it("on Take out drops what was typed for that line", async () => {
    const { takeOut, cartValue, typed } = await askingTill("price", "9");
    takeOut(1);
    expect(cartValue.read()).toMatchObject({ lines: [] });
    expect(typed()).toBe("");
  });

  it("on Park takes the typed price along, and leaves the field empty for the next customer", async () => {
    const { park, parkedValue, cartValue, typed } = await askingTill("price", "9");
    park();
    expect(parkedValue.read()).toMatchObject([{ cart: { lines: [{ unitPriceCents: 900 }] } }]);
    expect(cartValue.read()).toMatchObject({ lines: [] });
    expect(typed()).toBe("");
  });

  it("on Park leaves the cart where it is while the typed price cannot count", async () => {
    const { park, parkedValue, tillState } = await askingTill("price", "9..");
    park();
    expect(parkedValue.read()).toEqual([]);
    expect(tillState()).toMatchObject({ mode: { kind: "price" }, notice: { kind: "bad" } });
  });
});

describe("text that was typed to find an item, and not entered", () => {
  it.each(["845857415627", "45", "lamp"])("as %s is not dropped by paying", async (text) => {
    const { pay, payBy, changeQuantity, park, parkedValue, tillState, typed } = await askingTill(
      "scan",
      text,
    );
    const refused = {
      mode: { kind: "scan" },
      notice: { kind: "bad", text: `${text} was not entered: press Enter, or Esc to clear it` },
    };
    await pay(text);
    expect(tillState()).toMatchObject(refused);
    await payBy("card", text);
    expect(tillState()).toMatchObject(refused);
    changeQuantity(text);
    expect(tillState()).toMatchObject(refused);
    park();
    expect(parkedValue.read()).toEqual([]);
    expect(typed()).toBe(text);
  });
});

it("a short number finds no item whose barcode only contains it: it may be meant as a price", async () => {
  const { enter, cartValue, tillState, set } = await payingTill();
  answer([{ ...clock, barcode1: "845903847242" }]);
  set({ mode: { kind: "scan" } });
  enter("45");
  await vi.waitFor(() =>
    expect(tillState().notice).toMatchObject({ text: "No item has the barcode 45" }),
  );
  expect(cartValue.read()).toMatchObject({ lines: [{ item: { id: "lamp" } }] });
});

describe("cash with a hundred-dollar note too many", () => {
  const asked = {
    mode: { kind: "pay", askedCents: 12_345_00 },
    notice: {
      kind: "bad",
      text: "$12,345.00 for $7.00 would be $12,338.00 in change. Is it right?",
    },
    isTaking: false,
  };

  it("completes no sale before a person answers, and no scan is an answer", async () => {
    vi.useFakeTimers();
    const { enter, tillState } = await payingTill();
    enter("12345");
    // A scanner that ends its codes with two keys.
    enter("");
    expect(tillState()).toMatchObject(asked);
    vi.advanceTimersByTime(1000);
    // The same code again.
    enter("12345");
    expect(tillState()).toMatchObject(asked);
    vi.advanceTimersByTime(1000);
    enter("");
    expect(tillState()).toMatchObject({ isTaking: true });
    vi.useRealTimers();
  });

  it("is forgotten when something else is typed, and by one step back", async () => {
    const { enter, typeAnew, stepBack, tillState } = await payingTill();
    for (const leave of [() => typeAnew("2"), () => stepBack()]) {
      enter("12345");
      expect(tillState()).toMatchObject(asked);
      leave();
      expect(tillState()).toMatchObject({ mode: { kind: "pay", saleId: "sale" } });
      expect(tillState().notice).toBeUndefined();
      expect(tillState().mode).not.toHaveProperty("askedCents");
    }
  });
});

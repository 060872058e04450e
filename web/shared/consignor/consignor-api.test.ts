// Tests the consignor field: which people it suggests, and that it remembers the last choice.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pickError, pickOf } from "./consignor-pick.ts";

const storage = new Map<string, string>();
let answer: () => Promise<Response>;

/** The module as in a newly opened page. */
async function newPage() {
  vi.resetModules();
  return import("./consignor-api.ts");
}

beforeEach(() => {
  storage.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  vi.stubGlobal("fetch", () => answer());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const avery = { uid: "avery-avery-avery-avery", label: "Avery Stone", hint: "avery@people.test" };

it("suggests each person with an email once, by the best available name, and says whose email nobody proved", async () => {
  const { searchConsignors } = await newPage();
  const proved = { displayName: "Avery Stone", username: null, emailVerified: true };
  const user = { uid: avery.uid, email: avery.hint, ...proved };
  const typed = { displayName: null, username: "blake", emailVerified: false };
  const blake = { uid: "blake-blake-blake-blake", ...typed };
  const casey = { uid: "casey-casey-casey-casey", ...typed, username: null };
  const users = [
    user,
    { ...blake, email: "" },
    user,
    { ...blake, email: "blake@people.test" },
    { ...casey, email: "casey@people.test" },
  ];
  answer = () => Promise.resolve(Response.json({ users }));
  expect(await searchConsignors("a")).toEqual([
    avery,
    { uid: blake.uid, label: "blake", hint: "Not verified: blake@people.test" },
    { uid: casey.uid, label: "casey@people.test", hint: "Not verified" },
  ]);
});

it("remembers the last choice, including on the next page", async () => {
  expect((await newPage()).rememberedConsignor()).toBeUndefined();
  (await newPage()).rememberConsignor(avery);
  const remembered = (await newPage()).rememberedConsignor();
  expect(remembered).toEqual({ uid: avery.uid, label: avery.label, hint: undefined });
  expect(pickError(pickOf(remembered), "Please select a consignor")).toBeUndefined();
});

it("ignores foreign data in the browser's storage", async () => {
  for (const left of ["", "{", '"avery"', '{"uid":7,"label":"x"}']) {
    storage.set("lastConsignor", left);
    expect((await newPage()).rememberedConsignor()).toBeUndefined();
  }
});

it("does not treat typed words as a choice", () => {
  const typed = { ...pickOf(avery), chosen: undefined };
  expect(pickError(typed, "Please select a consignor")).toBe(
    "Please select a user from the dropdown",
  );
  expect(pickError({ chosen: undefined, typed: " " }, "Please select a consignor")).toBe(
    "Please select a consignor",
  );
});

it("loads an item's consignor by the uid, and searches any other value", async () => {
  const { findConsignor } = await newPage();
  const asked: string[] = [];
  const found = { uid: avery.uid, email: avery.hint, displayName: avery.label, username: null };
  const profile = {
    ...found,
    emailVerified: true,
    role: "user",
    discord: null,
    discordNotificationsEnabled: false,
    landsOn: "dashboard",
    migratedFrom: null,
    deactivated: false,
    createdAt: "2026-11-21T10:00:00.000Z",
    balance: 0,
  };
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    const isSearch = url.includes("/auth/search");
    return Promise.resolve(
      Response.json(isSearch ? { users: [{ ...found, emailVerified: true }] } : profile),
    );
  });
  expect(await findConsignor(avery.uid)).toEqual(avery);
  expect(await findConsignor("avery@people.test")).toEqual(avery);
  expect(asked).toEqual([
    expect.stringContaining(`/auth/users/${avery.uid}`),
    expect.stringContaining("/auth/search?q=avery%40people.test"),
  ]);
});

// A shop for specs of the inventory's routes: people, items, and reads that see the last write.
import { expect } from "vitest";
import {
  openTestApp,
  type TestAnswer,
  type TestApp,
  type TestPerson,
} from "#testing/service/test-app.ts";
import {
  type InventoryItem,
  itemResponse,
  type SearchResponse,
  searchResponse,
} from "#features/inventory/contract.ts";

export type NewItem = { readonly id: string; readonly barcode1: string; readonly path: string };

export type ItemDesk = {
  readonly shop: TestApp;
  readonly admin: TestPerson;
  readonly avery: TestPerson;
  readonly blake: TestPerson;
  /** A call below /api/inventory; it waits for what was written through this desk. */
  readonly callAs: (
    person: TestPerson | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestAnswer>;
  readonly asAdmin: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestAnswer>;
  /** An unused barcode. */
  readonly newBarcode: () => string;
  /** A new item of the store, or of a consignor; by default five units of a lamp at A-1. */
  readonly newItem: (
    owner: TestPerson | null,
    given?: Readonly<Record<string, unknown>>,
  ) => Promise<NewItem>;
  readonly itemNow: (id: string) => Promise<InventoryItem>;
  readonly search: (query: string, as?: TestPerson) => Promise<SearchResponse>;
};

/** The id in a response. */
export function idIn(answer: TestAnswer): string {
  return String(Reflect.get(Object(answer.body), "id"));
}

export async function openItemDesk(): Promise<ItemDesk> {
  const shop = await openTestApp();
  const admin = await shop.person("Admin", "admin");
  let made = 0;
  let written = 0;
  const newBarcode = () => `barcode-${(made += 1)}`;

  const callAs: ItemDesk["callAs"] = async (person, method, path, body, headers = {}) => {
    const answer = await shop.call(method, `/api/inventory${path}`, {
      ...(person === undefined ? {} : { as: person }),
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, "Ledger-Position": String(written) },
    });
    written = Math.max(written, Number(answer.headers.get("Ledger-Position") ?? 0));
    return answer;
  };
  const asAdmin: ItemDesk["asAdmin"] = (...request) => callAs(admin, ...request);

  return {
    shop,
    admin,
    avery: await shop.person("Avery"),
    blake: await shop.person("Blake"),
    callAs,
    asAdmin,
    newBarcode,
    async newItem(owner, given = {}) {
      const barcode1 = newBarcode();
      const form = { itemName: "Lamp", barcode1, quantity: 5, location: "A-1", ...given };
      const answer = await (owner === null
        ? asAdmin("POST", "/master", form)
        : asAdmin("POST", "/consignor", { ...form, consignorID: owner.uid }));
      expect(answer).toMatchObject({ status: 200, body: { version: 1, quantity: form.quantity } });
      const id = idIn(answer);
      const path = owner === null ? `/master/${id}` : `/consignor/${owner.uid}/${id}`;
      return { id, barcode1, path };
    },
    async itemNow(id) {
      const answer = await asAdmin("GET", `/items/${id}`);
      return itemResponse.parse(answer.body).item;
    },
    async search(query, as = admin) {
      const answer = await callAs(as, "GET", `/search?${query}`);
      expect(answer.status).toBe(200);
      return searchResponse.parse(answer.body);
    },
  };
}

// A shop over HTTP with admins, consignors and items to sell, for tests of sales and their consequences.
import type { ExecutionContext } from "#ledger/log/ledger.ts";
import { addItem } from "#features/inventory/decider.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import type { TestAppOptions } from "#testing/service/test-app-parts.ts";
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";

export type Fields = Record<string, unknown>;

/** A consignor with an item. */
export type ItemOwner = {
  readonly person: TestPerson;
  readonly itemId: string;
  readonly barcode1: string;
};

export type SaleShop = {
  readonly shop: TestApp;
  readonly admin: TestPerson;
  /** The context of a command that is not sent over HTTP. */
  readonly under: (key: string) => ExecutionContext;
  /** An item of this owner (null for the store) with units. */
  readonly itemOf: (
    ownerUid: string | null,
    quantity: number,
    name?: string,
  ) => Promise<{ itemId: string; barcode1: string }>;
  readonly consignorWith: (quantity: number, name?: string) => Promise<ItemOwner>;
  readonly record: (body: Fields, headers?: Record<string, string>) => Promise<TestAnswer>;
  readonly correct: (saleId: string, body: Fields) => Promise<TestAnswer>;
  readonly refund: (
    saleId: string,
    body: Fields,
    headers?: Record<string, string>,
  ) => Promise<TestAnswer>;
  /** The available balance, from the consignor's own call. */
  readonly balanceOf: (owner: ItemOwner) => Promise<unknown>;
  /** Ids of notes without an event, and ids in events without a note. */
  readonly looseNotes: () => Promise<string[]>;
  /** A sale from an admin's call. */
  readonly saleNow: (saleId: string) => Promise<Fields>;
  readonly close: () => Promise<void>;
};

export const ITEM_ADDED_AT = "2026-11-20T10:00:00.000Z";

/** A response's body as an object. */
export function fieldsOf(answer: TestAnswer): Fields {
  return Object(answer.body) as Fields;
}

/** The sale's id in a response. */
export function saleIdOf(answer: TestAnswer): string {
  return String(fieldsOf(answer)["saleID"]);
}

/** The sale of two units for $40.00 with $5.00 shipping, half of it the consignor's. */
export function saleOf(owner: ItemOwner, given: Fields = {}): Fields {
  return {
    consignorID: owner.person.uid,
    itemUID: owner.itemId,
    barcode1: owner.barcode1,
    salePrice: 40,
    shippingCost: 5,
    quantitySold: 2,
    consignorPercentage: 50,
    ...given,
  };
}

/** The sorted statuses of responses. */
export function statusesOf(answers: readonly TestAnswer[]): number[] {
  return answers.map(({ status }) => status).sort((a, b) => a - b);
}

/** The difference between notes and the events that refer to them. */
export async function looseNotes({ deps }: TestApp): Promise<string[]> {
  const rows = await deps.sql<{ id: string }[]>`
    select coalesce(n.id, e.id) as id
    from identity.notes n
    full join (
      select coalesce(data ->> 'noteId', data -> 'taxExemption' ->> 'noteId')::uuid as id
      from log.events
      where coalesce(data ->> 'noteId', data -> 'taxExemption' ->> 'noteId') is not null
    ) e on e.id = n.id
    where n.id is null or e.id is null`;
  return rows.map(({ id }) => id);
}

export async function openSaleShop(options: TestAppOptions = {}): Promise<SaleShop> {
  const shop = await openTestApp(options);
  const admin = await shop.person("Admin", "admin");
  let made = 0;
  const under = (key: string) => ({ actor: admin.uid, scope: "store", key, requestHash: "00" });
  const itemOf = async (ownerUid: string | null, quantity: number, itemName = "Desk lamp") => {
    made += 1;
    const itemId = shop.deps.newId();
    const barcode1 = `B-${made}`;
    const empty = {
      listingTitle: "",
      barcode2: "",
      location: "",
      link: "",
      imageUrl: "",
      asin: "",
    };
    const details = { ...empty, itemName, barcode1 };
    await shop.deps.ledger.execute(
      addItem,
      { itemId, ownerUid, details, quantity, source: "manual", happenedAt: ITEM_ADDED_AT },
      under(`item-${itemId}`),
    );
    return { itemId, barcode1 };
  };
  const read = async (path: string, as: TestPerson): Promise<Fields> =>
    fieldsOf(await shop.call("GET", path, { as }));
  return {
    shop,
    admin,
    under,
    itemOf,
    async consignorWith(quantity, name) {
      made += 1;
      const person = await shop.person(`Consignor ${made}`);
      return { person, ...(await itemOf(person.uid, quantity, name)) };
    },
    record: (body, headers = {}) =>
      shop.call("POST", "/api/sales/record", { as: admin, body, headers }),
    correct: (saleId, body) => shop.call("PUT", `/api/sales/${saleId}`, { as: admin, body }),
    refund: (saleId, body, headers = {}) =>
      shop.call("POST", `/api/sales/${saleId}/refund`, { as: admin, body, headers }),
    balanceOf: async ({ person }) =>
      (await read(`/api/sales/balance/${person.uid}`, person))["balance"],
    looseNotes: () => looseNotes(shop),
    saleNow: async (saleId) =>
      Object((await read(`/api/sales/${saleId}`, admin))["sale"]) as Fields,
    close: () => shop.close(),
  };
}

// The list of sales: the same live, replayed and folded by hand, and one broken sale stops no other.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { salesProjection } from "#features/sales/projection.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import { expectNothingHeld } from "#testing/shop/nothing-held.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { plainStep } from "#testing/shop/money-steps.ts";

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
});

afterAll(() => shop.close());

type Row = Record<string, string | number | boolean | null>;
type Data = Record<string, string | number | null | undefined>;

function text(value: Data[string]): string | number | null {
  return value ?? null;
}

function rateOf(rate: unknown): Row {
  const isNamed = typeof rate === "object" && rate !== null;
  return {
    tax_rate_basis_points: isNamed ? Number(Reflect.get(rate, "basisPoints")) : null,
    tax_rate_outdated: isNamed && Reflect.get(rate, "outdated") === true,
  };
}

function noteOf(exemption: unknown): string | null {
  const id: unknown = Reflect.get(Object(exemption), "noteId");
  return typeof id === "string" ? id : null;
}

function firstRow(event: StoredEvent, data: Data): Row {
  const isCustom = event.type === "CustomSaleRecorded";
  const kinds: Record<string, string> = {
    SaleRecorded: "consignor",
    MasterSaleRecorded: "master",
    CustomSaleRecorded: "custom",
  };
  return {
    sale_id: text(data["saleId"]),
    kind: text(kinds[event.type]),
    consignor_id: text(data["consignorId"]),
    item_id: text(data["itemId"]),
    item_name: text(data["itemName"]),
    barcode1: text(data["barcode1"]),
    units: isCustom ? 1 : text(data["units"]),
    price_cents: text(isCustom ? data["amountCents"] : data["priceCents"]),
    shipping_cents: data["shippingCents"] ?? 0,
    sales_tax_cents: data["salesTaxCents"] ?? 0,
    ...rateOf(data["taxRate"]),
    consignor_percentage: text(data["consignorPercentage"]),
    payout_cents: isCustom ? text(data["amountCents"]) : (data["payoutCents"] ?? 0),
    channel: text(data["channel"]),
    receipt_id: text(data["receiptId"]),
    tender: text(data["tender"]),
    tax_exempt: data["taxExemption"] !== undefined,
    certificate_note_id: noteOf(data["taxExemption"]),
    refunded_units: 0,
    refunded_price_cents: 0,
    refunded_tax_cents: 0,
    refunded_payout_cents: 0,
    corrections: 0,
    version: 1,
    sold_at: new Date(Number(event.happenedAtMicros / 1000n)).toISOString(),
    position: event.position,
    updated_position: event.position,
  };
}

function plus(a: Row[string] | undefined, b: Data[string]): number {
  return Number(a ?? 0) + Number(b ?? 0);
}

function changedRow(row: Row, event: StoredEvent, data: Data): Row {
  const next = { ...row, version: plus(row["version"], 1), updated_position: event.position };
  if (event.type === "SaleRefunded") {
    return {
      ...next,
      refunded_units: plus(row["refunded_units"], data["units"]),
      refunded_price_cents: plus(row["refunded_price_cents"], data["priceCents"]),
      refunded_tax_cents: plus(row["refunded_tax_cents"], data["salesTaxCents"]),
      refunded_payout_cents: plus(row["refunded_payout_cents"], data["payoutCents"]),
    };
  }
  if (event.type === "SaleTenderCorrected") {
    return { ...next, tender: text(data["after"]) };
  }
  if (event.type === "RefundTenderCorrected") {
    return next;
  }
  const after = Object(data["after"]) as Data;
  return {
    ...next,
    item_name: text(after["itemName"]),
    units: text(after["units"]),
    price_cents: text(after["priceCents"]),
    shipping_cents: text(after["shippingCents"]),
    sales_tax_cents: text(after["salesTaxCents"]),
    consignor_percentage: text(after["consignorPercentage"]),
    payout_cents: text(after["payoutCents"]),
    corrections: plus(row["corrections"], 1),
  };
}

/** The expected values of the table's generated columns. */
function withWords(row: Row): Row {
  const isUntouched = row["refunded_units"] === 0 && row["refunded_price_cents"] === 0;
  const isAllBack =
    row["refunded_units"] === row["units"] &&
    row["refunded_price_cents"] === (row["price_cents"] ?? 0);
  const status = isUntouched ? "sold" : isAllBack ? "refunded" : "partly_refunded";
  const cents = (name: string) => Number(row[name] ?? 0);
  const store_cents =
    cents("price_cents") -
    cents("refunded_price_cents") -
    cents("shipping_cents") -
    (cents("payout_cents") - cents("refunded_payout_cents"));
  const unpriced = row["price_cents"] === null ? 1 : 0;
  const name = String(row["item_name"]).normalize("NFD");
  const search_text = name.replaceAll(/\p{Mn}/gu, "").toLowerCase();
  return { ...row, status, search_text, unpriced, store_cents };
}

function fold(events: readonly StoredEvent[]): Row[] {
  const rows = new Map<string, Row>();
  for (const event of events) {
    const data = Object(event.data) as Data;
    const saleId = String(data["saleId"]);
    const before = rows.get(saleId);
    if (/^(Master|Custom)?SaleRecorded$/u.test(event.type)) {
      rows.set(saleId, firstRow(event, data));
    } else if (before !== undefined) {
      rows.set(saleId, changedRow(before, event, data));
    }
  }
  return [...refundRows(events), ...[...rows.values()].map(withWords)];
}

/** What a refund's tender was corrected to last; undefined if it never was. */
function lastWord(events: readonly StoredEvent[], refund: StoredEvent): Row[string] | undefined {
  const { saleId } = Object(refund.data) as Data;
  const ofSale = events.filter(({ data }) => (Object(data) as Data)["saleId"] === saleId);
  const number = ofSale.filter(({ type }) => type === "SaleRefunded").indexOf(refund) + 1;
  const word = ofSale.findLast(
    ({ type, data }) =>
      type === "RefundTenderCorrected" && (Object(data) as Data)["refund"] === number,
  );
  return word === undefined ? undefined : text((Object(word.data) as Data)["after"]);
}

function refundRows(events: readonly StoredEvent[]): Row[] {
  return events
    .filter(({ type }) => type === "SaleRefunded")
    .map((event) => {
      const data = Object(event.data) as Data;
      return {
        position: event.position,
        sale_id: text(data["saleId"]),
        units: text(data["units"]),
        price_cents: text(data["priceCents"]),
        tax_cents: text(data["salesTaxCents"]),
        tender: lastWord(events, event) ?? text(data["tender"]),
        refunded_at: new Date(Number(event.happenedAtMicros / 1000n)).toISOString(),
      };
    });
}

const read = async (): Promise<Row[]> => {
  const { sql } = shop.database;
  const refunds = await sql<(Row & { refunded_at: unknown })[]>`
    select * from read.sale_refunds order by position`;
  const sales = await sql<
    (Row & { sold_at: unknown })[]
  >`select * from read.sales order by position`;
  const iso = (at: unknown) => new Date(String(at)).toISOString();
  return [
    ...refunds.map((row) => ({ ...row, refunded_at: iso(row.refunded_at) })),
    ...sales.map((row) => ({ ...row, sold_at: iso(row.sold_at) })),
  ];
};

const summed = [
  "unpriced",
  "units",
  "refunded_units",
  "price_cents",
  "refunded_price_cents",
  "shipping_cents",
  "sales_tax_cents",
  "refunded_tax_cents",
  "payout_cents",
  "refunded_payout_cents",
];

/** The sums of the sales among the rows by UTC day, and of each consignor's sales by UTC month. */
function sumsOf(sales: readonly Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const sale of sales.filter((row) => typeof row["sold_at"] === "string")) {
    const soldAt = String(sale["sold_at"]);
    const spans = [
      ["", `${soldAt.slice(0, 10)}T00:00:00.000Z`],
      [sale["consignor_id"], `${soldAt.slice(0, 7)}-01T00:00:00.000Z`],
    ];
    for (const [uid, since] of spans.filter(([whose]) => typeof whose === "string")) {
      const key = {
        uid: String(uid),
        since: String(since),
        kind: text(sale["kind"] as string),
        channel: text((sale["channel"] ?? "") as string),
        status: text(sale["status"] as string),
      };
      const name = Object.values(key).join(" ");
      const sum = sums.get(name) ?? { ...key, sales: 0 };
      sum["sales"] = plus(sum["sales"], 1);
      for (const column of summed) {
        sum[column] = plus(sum[column], Number(sale[column] ?? 0));
      }
      sums.set(name, sum);
    }
  }
  return [...sums.keys()].toSorted().map((name) => sums.get(name) ?? {});
}

const readSums = async (): Promise<Row[]> => {
  const rows = await shop.database.sql<(Row & { since: unknown })[]>`select * from read.sales_sums`;
  const key = (row: Row) =>
    ["uid", "since", "kind", "channel", "status"].map((name) => row[name]).join(" ");
  return rows
    .map((row) => ({ ...row, since: new Date(String(row.since)).toISOString() }))
    .toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
};

test("live, replayed and folded by hand every sale and every sum of sales is the same", async () => {
  const readAll = async () => [...(await read()), ...(await readSums())];
  const foldAll = (events: readonly StoredEvent[]) => {
    const sales = fold(events);
    return [...sales, ...sumsOf(sales)];
  };
  await expectLiveReplayFold(shop, salesProjection, readAll, foldAll);
  const rows = await read();
  const count = (condition: (row: Row) => boolean) => rows.filter(condition).length;
  // There were enough sales for a meaningful comparison.
  expect(count((row) => row["kind"] === "master" && row["price_cents"] === null)).toBeGreaterThan(
    0,
  );
  expect(count((row) => Number(row["corrections"]) > 0)).toBeGreaterThan(0);
  expect(count((row) => row["status"] === "refunded")).toBeGreaterThan(0);
  expect(count((row) => row["status"] === "partly_refunded")).toBeGreaterThan(0);
  expect(count((row) => row["receipt_id"] !== null && row["tender"] === "cash")).toBeGreaterThan(0);
  expect(count((row) => row["tax_exempt"] === true)).toBeGreaterThan(0);
  expect(count((row) => row["tender"] === "other")).toBeGreaterThan(0);
  expect(count((row) => "refunded_at" in row && row["tender"] === "card")).toBeGreaterThan(0);
  expect(count((row) => "refunded_at" in row && row["tender"] === "other")).toBeGreaterThan(0);
}, 240_000);

const custom: MoneyStep = { ...plainStep, name: "Rug, red" };

test("a sale that cannot be folded is held back, all others go on, and after a fix it is folded again", async () => {
  const { sql } = shop.database;
  await shop.runner.catchUp();
  const live = async () =>
    (await readGenerations(sql)).find(
      (entry) => entry.name === salesProjection.name && entry.state === "live",
    );
  const generation = await live();
  const table = `read.sales_g${generation?.generation ?? 0}`;
  await sql.unsafe(`alter table ${table} add constraint poison check (item_name <> 'Ünïcode')
    not valid`);
  await shop.take(custom);
  await shop.take({ ...custom, name: "Ünïcode" });
  await shop.take(custom);
  await shop.runner.catchUp();
  await shop.take(custom);
  await shop.runner.catchUp();

  const expected = fold(await shop.events());
  const broken = expected.at(-3)?.["sale_id"];
  expect(shop.quarantined).toEqual([`sales ${String(broken)}`]);
  await expect(expectNothingHeld(sql, "sales")).rejects.toThrow(
    /the step of sales failed: .* at the CustomSaleRecorded at .* constraint "poison"/su,
  );
  await expectNothingHeld(sql, "payouts");
  const others = expected.filter((row) => row["sale_id"] !== broken);
  expect(await read()).toEqual(others);
  expect(await readSums()).toEqual(sumsOf(others));

  await sql.unsafe(`alter table ${table} drop constraint poison`);
  const mended = await live();
  if (mended === undefined) {
    throw new Error("sales is not live");
  }
  await refoldKeys(
    sql,
    salesProjection,
    mended,
    [String(broken)],
    createUpcasts(sql, shop.register),
  );
  expect(await read()).toEqual(expected);
  expect(await readSums()).toEqual(sumsOf(expected));
});

// Times that PostgreSQL cannot take are refused at the edge, by every call.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { SaleShop } from "#testing/shop/sale-shop.ts";
import { openSaleShop, saleOf } from "#testing/shop/sale-shop.ts";

let books: SaleShop;
/** The reads that take a time, each with one of its parameters: "/api/sales/export?from=". */
let reads: readonly string[];

const NOON = "2026-11-20T12:00:00Z";

const parameter = z.object({
  in: z.string(),
  name: z.string(),
  required: z.optional(z.boolean()),
  schema: z.object({ enum: z.optional(z.array(z.string())) }),
});
const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z.optional(z.object({ parameters: z._default(z.array(parameter), []) })),
    }),
  ),
});

beforeAll(async () => {
  books = await openSaleShop();
  const owner = await books.consignorWith(9, "Oak chair");
  await books.record(saleOf(owner, { soldAt: "2026-11-20T06:00:00Z", quantitySold: 1 }));
  await books.shop.runner.catchUp();
  const { paths } = documentShape.parse(
    (await books.shop.call("GET", "/api/openapi.json", { as: books.admin })).body,
  );
  const candidates = Object.entries(paths).flatMap(([path, { get }]) => {
    const query = (get?.parameters ?? []).filter((each) => each.in === "query");
    return query.map(({ name }) => {
      const others = query.filter((each) => each.required === true && each.name !== name);
      const rest = others.map((each) => `${each.name}=${each.schema.enum?.[0] ?? NOON}&`).join("");
      return `${path.replaceAll(/\{[^}]+\}/gu, owner.person.uid)}?${rest}${name}=`;
    });
  });
  const taken: string[] = [];
  for (const read of candidates) {
    // What takes a time takes no other text.
    if ((await statusOf(read, NOON)) < 300 && (await statusOf(read, "2026-11-20T25")) === 400) {
      taken.push(read);
    }
  }
  reads = taken;
});

afterAll(() => books.close());

async function statusOf(read: string, time: string): Promise<number> {
  const path = `${read}${encodeURIComponent(time)}`;
  return (await books.shop.call("GET", path, { as: books.admin })).status;
}

async function answers(times: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const read of reads) {
    for (const time of times) {
      all.push(`${await statusOf(read, time)} ${read}${time}`);
    }
  }
  return all;
}

test("there are reads that take times", () => {
  const known = [
    "/api/sales/export?from=",
    "/api/trades/my-trades?to=",
    "/api/audit/events?to=",
    "/api/sales/totals/explain?number=sales&to=",
  ];
  expect(reads).toEqual(expect.arrayContaining(known));
  expect(reads.some((read) => read.startsWith("/api/audit/balance/"))).toBe(true);
});

test("a time that PostgreSQL cannot take, or outside of the years 2000 to 2099, is refused by every read", async () => {
  const refused = await answers([
    "2026-11-20T00:00:00+23:59",
    "2026-11-20T00:00:00-16:00",
    "9999-12-31T23:59:59-23:59",
    "9999-12-31T23:59:59-15:59",
    "2000-01-01T00:00:00+15:59",
    "2026-02-29T12:00:00Z",
    "2026-11-20T24:30:00Z",
    "2026-11-20T12:00:00+05:75",
    "0000-01-01T00:00:00Z",
    `2026-11-20T00:00:00.${"0".repeat(200)}Z`,
  ]);
  expect(refused.filter((answer) => !answer.startsWith("400"))).toEqual([]);
});

test("the first and last times, and the widest offsets, are answered by every read", async () => {
  const answered = await answers([
    "2000-01-01T00:00:00Z",
    "2099-12-31T23:59:59.999Z",
    "2099-12-31T23:59:59-15:59",
    "2026-11-20T00:00:00.123456789+15:59",
    "2026-11-20T00:00:00-15:59",
  ]);
  // Some large files are made only a few times a minute.
  expect(answered.filter((answer) => !/^(?:200|429) /u.test(answer))).toEqual([]);
});

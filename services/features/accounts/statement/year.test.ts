// Yearly statements over HTTP: what they add up to, that their files are genuine, and everybody's in one archive.
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportMonthsResponse } from "#features/reports/contract.ts";
import type { YearStatement } from "#features/accounts/contract-year.ts";
import { yearStatement } from "#features/accounts/contract-year.ts";
import { checkFile, statementKeysResponse } from "#features/accounts/contract-statement-proof.ts";
import { toCents } from "#ledger/money.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";
import type { Fields, ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";

let books: SaleShop;
let owner: ItemOwner;
let other: ItemOwner;

/** Two lamps for $40.00, half of $35.00 for the consignor. */
async function sold(by: ItemOwner, day: string, given: Fields = {}): Promise<string> {
  const answer = await books.record(saleOf(by, { soldAt: `${day}T12:00:00Z`, ...given }));
  expect(answer.status).toBe(200);
  return saleIdOf(answer);
}

beforeAll(async () => {
  books = await openSaleShop();
  [owner, other] = [
    await books.consignorWith(100, "Avery"),
    await books.consignorWith(100, "Blake"),
  ];
  await sold(owner, "2025-12-31");
  const back = await sold(owner, "2026-03-05");
  await sold(owner, "2026-10-05");
  await sold(other, "2026-10-06");
  await books.refund(back, { quantity: 2, restock: true, reason: "Broken" });
  await payout(owner, 20);
});

afterAll(() => books.close());

async function payout({ person }: ItemOwner, amount: number): Promise<void> {
  const { shop, admin } = books;
  const base = `/api/payouts/${person.uid}`;
  const body = { amount, method: "venmo", paymentUsername: "avery-lamps" };
  const asked = await shop.call("POST", `${base}/request`, { as: person, body });
  expect(asked.status).toBe(200);
  const id = String(fieldsOf(asked)["payoutId"]);
  expect((await shop.call("PATCH", `${base}/${id}/paid`, { as: admin })).status).toBe(200);
}

async function yearNow(year: number, of = owner): Promise<YearStatement> {
  const path = `/api/accounts/${of.person.uid}/years/${year}`;
  const answer = await books.shop.call("GET", path, { as: of.person });
  expect(answer.status).toBe(200);
  return yearStatement.parse(answer.body);
}

async function file(path: string, as = owner.person): Promise<Response> {
  const headers = { Authorization: `Bearer ${as.token}` };
  const response = await books.shop.app.request(`http://app.test${path}`, { headers });
  expect(response.status).toBe(200);
  return response;
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

async function kindOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const keys = await books.shop.call("GET", "/api/statements/jwks");
  const { keys: published } = statementKeysResponse.parse(keys.body);
  return (await checkFile(bytes, () => Promise.resolve(published))).kind;
}

test("a year opens with what was owed, adds shares and takes payouts by the day of payment", async () => {
  const before = await yearNow(2025);
  expect(before).toMatchObject({
    opening: { balance: 0 },
    closing: { balance: 17.5 },
    payouts: [],
  });
  const year = await yearNow(2026);
  expect(year.opening).toEqual({ balance: 17.5, inTransit: 0, heldForTrades: 0 });
  expect(year.total).toEqual({
    sales: 2,
    sold: 80,
    refunded: 40,
    corrected: 0,
    share: 17.5,
    paid: 20,
    other: 0,
    owed: 15,
  });
  expect(year.payouts).toMatchObject([{ amount: 20, method: "venmo" }]);
  // It is November: December has not begun.
  expect(year.months).toHaveLength(11);
  expect(before.months).toHaveLength(12);
  expect(year.months[2]).toMatchObject({ month: "2026-03", sales: 1, sold: 40, refunded: 0 });
  expect(year.months[10]).toMatchObject({ refunded: 40, share: -17.5, paid: 20, owed: 15 });
  const sum = (name: "sold" | "refunded" | "corrected" | "share" | "paid" | "other") =>
    year.months.reduce((total, month) => total + toCents(month[name]), 0);
  for (const name of ["sold", "refunded", "corrected", "share", "paid", "other"] as const) {
    expect(sum(name)).toBe(toCents(year.total[name]));
  }
});

test("its files are signed, and a changed one is found out", async () => {
  const path = `/api/accounts/${owner.person.uid}/years/2026`;
  const csv = await bytesOf(await file(`${path}?format=csv`));
  const pdf = await bytesOf(await file(`${path}?format=pdf`));
  expect(await kindOf(csv)).toBe("intact");
  expect(await kindOf(pdf)).toBe("intact");
  const text = new TextDecoder().decode(csv);
  expect(text).toContain("So far,2026,2,80.00,40.00,0.00,17.50,20.00,0.00,15.00");
  // The store's day, as on paper.
  const [paid] = (await yearNow(2026)).payouts;
  expect(text).toContain(`\r\nPayout,${paid?.day},,,,,,20.00,,,"Venmo, payout ${paid?.payoutID}"`);
  expect(await kindOf(new TextEncoder().encode(text.replace("80.00", "90.00")))).toBe("changed");
});

test("the years of an account are those since its first entry, with what was paid", async () => {
  const path = `/api/accounts/${owner.person.uid}/years`;
  const answer = await books.shop.call("GET", path, { as: owner.person });
  expect(answer.body).toMatchObject({
    years: [
      { year: 2026, sold: 80, share: 17.5, paid: 20 },
      { year: 2025, sold: 40, share: 17.5, paid: 0 },
    ],
  });
});

test("everybody's statements are one archive with a signed file each, or one line each", async () => {
  const path = "/api/statements/years/2026";
  const counted = await books.shop.call("GET", path, { as: books.admin });
  expect(counted.body).toMatchObject({ year: 2026, consignors: 2 });
  const csv = await (await file(`${path}?format=csv`, books.admin)).text();
  expect(csv.trim().split("\r\n")).toHaveLength(3);
  const zip = Buffer.from(await bytesOf(await file(`${path}?format=zip`, books.admin)));
  const end = zip.subarray(-22);
  expect([end.toString("latin1", 0, 4), end.readUInt16LE(10)]).toEqual(["PK\u0005\u0006", 2]);
  // The first file, as its header in the archive says.
  const [length, name] = [zip.readUInt32LE(18), zip.readUInt16LE(26)];
  expect(zip.toString("utf8", 30, 30 + name)).toMatch(/^statement-2026-.*\.pdf$/u);
  expect(await kindOf(Uint8Array.from(zip.subarray(30 + name, 30 + name + length)))).toBe("intact");
});

test("a year that has not begun, and somebody else's, are refused", async () => {
  const call = (path: string, as = owner.person) => books.shop.call("GET", path, { as });
  expect(await call(`/api/accounts/${owner.person.uid}/years/2027`)).toMatchObject({ status: 400 });
  expect(await call(`/api/accounts/${owner.person.uid}/years/2026`, other.person)).toMatchObject({
    status: 403,
  });
  expect(await call("/api/statements/years/2026")).toMatchObject({ status: 403 });
});

test("what was sold and corrected is what the store's report says of the consignor", async () => {
  const third = await books.consignorWith(100, "Casey");
  const wrong = await sold(third, "2026-04-05");
  await books.correct(wrong, { salePrice: 55, reason: "Wrong price" });
  const { total, months } = await yearNow(2026, third);
  expect(total).toMatchObject({ sales: 1, sold: 40, refunded: 0, corrected: 15 });
  // A correction belongs to the month in which it was made.
  expect([months[3]?.sold, months[10]?.corrected]).toEqual([40, 15]);
  const path = `/api/reports/months?from=2026-01-01&to=2026-12-31&consignor=${third.person.uid}`;
  const { body } = await books.shop.call("GET", path, { as: books.admin });
  expect(reportMonthsResponse.parse(body).total).toMatchObject({
    consignedSold: total.sold,
    corrections: total.corrected,
    consignorShare: total.share,
  });
});

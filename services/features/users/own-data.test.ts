// A large export of one's own data: complete, but in pieces so that others do not wait.
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp();
});

afterAll(() => shop.close());

async function sell(person: TestPerson, index: number): Promise<void> {
  const saleId = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const happenedAt = "2026-11-01T12:00:00.000Z";
  const sale = { saleId, consignorId: person.uid, itemName: `Lamp "${index}"`, amountCents: 500 };
  await shop.deps.ledger.execute(
    recordCustomSale,
    { ...sale, happenedAt },
    { actor: person.uid, scope: "store", key: saleId, requestHash: "00" },
  );
}

test("a long list comes in pieces, so that it does not delay others", async () => {
  const avery = await shop.person("Avery");
  await Promise.all(Array.from({ length: 1_100 }, (_, index) => sell(avery, index)));
  await shop.runner.catchUp();
  const answer = await shop.app.request("http://app.test/api/auth/me/export", {
    headers: { Authorization: `Bearer ${avery.token}` },
  });
  expect(answer.headers.get("content-type")).toBe("application/json");
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body ?? []) {
    pieces.push(piece);
  }
  const whole: unknown = JSON.parse(Buffer.concat(pieces).toString());
  expect(whole).toMatchObject({
    profile: { uid: avery.uid },
    items: [],
    sales: { length: 1_100 },
    ledger: { length: 1_100 },
  });
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
});

// A large export of one's own data: complete, but in pieces so that others do not wait.
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { ownDataJson } from "#features/users/own-data.ts";
import { batchesOf } from "#testing/service/batches-of.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp, TEST_NOW } from "#testing/service/test-app.ts";
import { explanations } from "../../features.ts";

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

test("a list that is too long ends, and the file says which", async () => {
  const blake = await shop.person("Blake");
  await shop.database.ownerSql`
    insert into identity.notes (id, salt, text, about_uid)
    select gen_random_uuid(), uuid_send(gen_random_uuid()), 'Counted', ${blake.uid} from generate_series(1, 3)`;
  const deps = { ...shop.deps, explanations };
  const read = async (mostRows?: number): Promise<unknown> => {
    const pieces = ownDataJson(deps, blake.uid, TEST_NOW, mostRows);
    return JSON.parse((await batchesOf(pieces)).join(""));
  };
  expect(await read(2)).toMatchObject({ notes: ["Counted", "Counted"], cutOff: ["notes"] });
  expect(await read()).toMatchObject({ notes: { length: 3 }, cutOff: [] });
});

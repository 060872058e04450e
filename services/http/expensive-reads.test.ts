// One person cannot ask for more files, searches and live streams than a screen does; others do not notice.
import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { defaultExpensiveRules } from "#http/expensive-reads.ts";
import type { ExpensiveKind, ExpensiveRule } from "#http/expensive-reads.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let avery: TestPerson;
let blake: TestPerson;

afterEach(() => shop.close());

async function open(kind: ExpensiveKind, others: ExpensiveRule): Promise<void> {
  const expensiveRules = {
    ...defaultExpensiveRules,
    [kind]: { ...defaultExpensiveRules[kind], others },
  };
  shop = await openTestApp({ expensiveRules });
  [avery, blake] = [await shop.person("Avery"), await shop.person("Blake")];
}

const exported = "/api/inventory/search/export";
const searched = "/api/inventory/search?searchTerm=lamp";

/** A request whose answer is not read. */
async function begin(path: string, { token }: TestPerson): Promise<Response> {
  return shop.app.request(path, { headers: { Authorization: `Bearer ${token}` } });
}

test("the fifth file of a minute is a 429 that says when to come back, also as another kind of file", async () => {
  await open("file", { atOnce: 10, perMinute: 4 });
  const statement = `/api/accounts/${avery.uid}/statement?from=2026-11-01&to=2026-11-02`;
  const files = [
    exported,
    `/api/sales/ledger/${avery.uid}/export`,
    "/api/auth/me/export",
    `${statement}&format=csv`,
  ];
  for (const path of files) {
    expect({ path, status: (await shop.call("GET", path, { as: avery })).status }).toEqual({
      path,
      status: 200,
    });
  }
  for (const path of [...files, statement]) {
    const refused = await shop.call("GET", path, { as: avery });
    expect(refused).toMatchObject({ status: 429, body: { error: "too_many_reads" } });
    expect(refused.headers.get("Retry-After")).toBe("15");
  }
  expect((await shop.call("GET", exported, { as: blake })).status).toBe(200);
  expect((await shop.call("GET", searched, { as: avery })).status).toBe(200);
  shop.advance(15_000);
  expect((await shop.call("GET", exported, { as: avery })).status).toBe(200);
});

test("files that are still being read count, until they are read or their reader leaves", async () => {
  await open("file", { atOnce: 2, perMinute: 100 });
  const [first, second] = [await begin(exported, avery), await begin(exported, avery)];
  const third = await shop.call("GET", exported, { as: avery });
  expect(third).toMatchObject({ status: 429, body: { error: "too_many_reads_at_once" } });
  expect(third.headers.get("Retry-After")).toBe("1");
  expect((await shop.call("GET", exported, { as: blake })).status).toBe(200);
  expect(await first.text()).toContain("Item");
  expect((await shop.call("GET", exported, { as: avery })).status).toBe(200);
  await second.body?.cancel();
  await Promise.all([begin(exported, avery), begin(exported, avery)]);
  // What only asks for the head of a file, or gets none, holds nothing.
  const head = await shop.app.request(exported, {
    method: "HEAD",
    headers: { Authorization: `Bearer ${blake.token}` },
  });
  expect(head.status).toBe(200);
  const unknown = `/api/sales/ledger/${blake.uid}/export?from=never`;
  expect((await begin(unknown, blake)).status).toBe(400);
  const both = await Promise.all([begin(exported, blake), begin(exported, blake)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
});

test("searches are counted by the time that they take, so that only expensive ones are ever refused", async () => {
  await open("search", { atOnce: 10, perMinute: 0.001 });
  expect((await shop.call("GET", searched, { as: avery })).status).toBe(200);
  const refused = await shop.call("GET", searched, { as: avery });
  expect(refused).toMatchObject({ status: 429, body: { error: "too_many_reads" } });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  const at = "at=2026-11-20";
  for (const path of [
    "/audit/events?q=lamp",
    `/accounts/${avery.uid}/balance-series?days=90`,
    `/audit/balance/${avery.uid}?${at}`,
    `/audit/history/${avery.uid}?${at}`,
    `/audit/compare/${avery.uid}?${at}`,
    `/audit/inventory/${avery.uid}?${at}`,
    `/audit/items/${randomUUID()}?${at}`,
    `/audit/items/${randomUUID()}/origin`,
    "/audit/events/1",
    `/audit/explain/${avery.uid}?number=available`,
    `/audit/funding/${avery.uid}/1`,
    `/audit/payouts/${randomUUID()}/funding`,
    `/audit/sales/${randomUUID()}/paid-by`,
  ]) {
    const { status } = await shop.call("GET", `/api${path}`, { as: avery });
    expect({ path, status }).toEqual({ path, status: 429 });
  }
  expect((await shop.call("GET", searched, { as: blake })).status).toBe(200);
});

test("more searches at once than a screen asks for are refused, and no search is lost", async () => {
  await open("search", { atOnce: 3, perMinute: 20_000 });
  const all = await Promise.all(
    Array.from({ length: 12 }, () => shop.call("GET", searched, { as: avery })),
  );
  const statuses = all.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await shop.call("GET", searched, { as: avery })).status).toBe(200);
});

test("live streams that are opened again and again are refused", async () => {
  await open("stream", { atOnce: 10, perMinute: 2 });
  const statuses: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    const stream = await begin("/api/live", avery);
    statuses.push(stream.status);
    await stream.body?.cancel();
  }
  expect(statuses).toEqual([200, 200, 429]);
});

test("a till that searches five times a second, from five tills of one admin, is never refused", async () => {
  shop = await openTestApp();
  const admin = await shop.person("Admin", "admin");
  const statuses = new Set<number>();
  for (let round = 0; round < 12; round += 1) {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => shop.call("GET", searched, { as: admin })),
    );
    all.forEach(({ status }) => statuses.add(status));
    shop.advance(200);
  }
  expect([...statuses]).toEqual([200]);
});

test("forty scans at once by one person are all looked up", async () => {
  shop = await openTestApp();
  const people = [await shop.person("Admin", "admin"), await shop.person("Avery")];
  for (const as of people) {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        shop.call("GET", `/api/lookup?q=CODE-${index}`, { as }),
      ),
    );
    expect(all.filter(({ status }) => status !== 200)).toEqual([]);
  }
});

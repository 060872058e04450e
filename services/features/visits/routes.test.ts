// Visits over HTTP: each session counts once a day and once in all, in the store's days, also after its rows are gone.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statsResponse, type StatsResponse } from "#features/visits/contract.ts";
import { cleanVisits } from "#process/visit-cleaning.ts";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;
/** What the shop's clock says. */
let now = TEST_NOW;

const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Safari/604.1";
const sessionOf = (time: string | number, name: string) =>
  `session_${new Date(time).getTime()}_${name}`;

beforeAll(async () => {
  shop = await openTestApp({ fixedTimeZone: "America/Chicago" });
  // 22:30 of 22 November in Chicago.
  await waitUntil("2026-11-23T04:30:00.000Z");
});

afterAll(() => shop.close());

/** With a new admin, because tokens end with their hour. */
async function waitUntil(time: string): Promise<void> {
  const then = new Date(time);
  shop.advance(then.getTime() - now.getTime());
  now = then;
  admin = await shop.person("Robin", "admin");
}

async function visit(
  sessionId: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const answer = await shop.call("POST", "/api/analytics/track", {
    body: { sessionId, path },
    headers: { "User-Agent": phone, ...headers },
  });
  return answer.status;
}

async function stats(): Promise<StatsResponse> {
  const answer = await shop.call("GET", "/api/analytics/stats", { as: admin });
  expect(answer.status).toBe(200);
  return statsResponse.parse(answer.body);
}

const numbersOf = ({ days: _days, paths: _paths, ...numbers }: StatsResponse) => numbers;

const mia = sessionOf("2026-11-23T04:29:00Z", "mia1");
const zoe = sessionOf("2026-11-23T04:30:00Z", "zoe2");

describe("visits", () => {
  it("are counted by session and by day, without ids", async () => {
    expect(await visit(mia, "/")).toBe(204);
    expect(await visit(mia, "/consignors/abc123/history")).toBe(204);
    expect(await visit(zoe, "/")).toBe(204);
    const seen = await stats();
    expect(numbersOf(seen)).toEqual({
      activeNow: 2,
      todayVisitors: 2,
      todayViews: 3,
      totalVisitors: 2,
      totalViews: 3,
    });
    expect(seen.days).toHaveLength(14);
    expect(seen.days.at(-1)).toEqual({ day: "2026-11-22", visitors: 2, views: 3 });
    expect(seen.paths).toEqual([
      { path: "/", views: 2 },
      { path: "/consignors/:id/history", views: 1 },
    ]);
  });

  it("of programs, of pages that load ahead, and of people who ask not to be counted are not", async () => {
    const before = await stats();
    for (const headers of [
      { "User-Agent": "Googlebot/2.1" },
      { "Sec-Purpose": "prefetch;prerender" },
      { DNT: "1" },
      { "Sec-GPC": "1" },
    ]) {
      expect(await visit(mia, "/", headers)).toBe(204);
    }
    expect(await stats()).toEqual(before);
  });

  it.each([
    { sessionId: "session_1_a", path: "/" },
    { sessionId: "session_1763850540000_<b>", path: "/" },
    { sessionId: mia, path: "https://evil.test" },
    { sessionId: mia, path: "/", uid: "someone" },
  ])("are refused as %j", async (body) => {
    const answer = await shop.call("POST", "/api/analytics/track", {
      body,
      headers: { "User-Agent": phone },
    });
    expect(answer.status).toBe(400);
  });

  it("count a session that returns on another day there, and in all only once", async () => {
    // 7:00 of 23 November in Chicago.
    await waitUntil("2026-11-23T13:00:00.000Z");
    await visit(mia, "/dashboard");
    const seen = await stats();
    expect(numbersOf(seen)).toEqual({
      activeNow: 1,
      todayVisitors: 1,
      todayViews: 1,
      totalVisitors: 2,
      totalViews: 4,
    });
    expect(seen.days.slice(-2).map(({ visitors }) => visitors)).toEqual([2, 1]);
  });

  it("are summed by day and deleted after 90 days, and who returns after that is still counted once", async () => {
    const before = await stats();
    await waitUntil("2027-03-01T13:00:00.000Z");
    await cleanVisits({ sql: shop.deps.sql, clock: () => now });
    const [left] = await shop.deps.sql`select count(*)::int as rows from visits.sessions`;
    expect(left).toEqual({ rows: 0 });
    expect(await stats()).toMatchObject({
      activeNow: 0,
      todayVisitors: 0,
      totalVisitors: before.totalVisitors,
      totalViews: before.totalViews,
    });
    await visit(mia, "/");
    await visit(sessionOf(now.getTime(), "new3"), "/");
    expect(numbersOf(await stats())).toEqual({
      activeNow: 2,
      todayVisitors: 2,
      todayViews: 2,
      totalVisitors: before.totalVisitors + 1,
      totalViews: before.totalViews + 2,
    });
  });

  it("of a burst are written together, and none is lost", async () => {
    await waitUntil("2027-03-02T13:00:00.000Z");
    const commits = async () => {
      const [row] = await shop.deps.sql<{ count: number }[]>`
        select count(distinct xmin::text)::int as count from visits.sessions where day = '2027-03-02'`;
      return row?.count;
    };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        visit(sessionOf(now.getTime(), `burst${index % 10}`), "/"),
      ),
    );
    expect(new Set(answers)).toEqual(new Set([204]));
    expect(await stats()).toMatchObject({ todayVisitors: 10, todayViews: 100 });
    expect(await commits()).toBeLessThan(10);
  });

  it("of addresses that are not ours lose no other visit, and their words are shown to nobody", async () => {
    await waitUntil("2027-03-04T13:00:00.000Z");
    const before = await stats();
    const word = Array.from({ length: 4 }, () => "a".repeat(16)).join("-");
    const paths = [`/${word}/${word}`, "/pay-your-dues/at-evil-shop/call-now", "/"];
    expect(await Promise.all(paths.map((path) => visit(mia, path)))).toEqual([204, 204, 204]);
    const seen = await stats();
    expect(seen.totalViews).toBe(before.totalViews + 3);
    expect(seen.paths).toContainEqual({ path: "/other", views: 2 });
    expect(JSON.stringify(seen.paths)).not.toMatch(/evil|aaaa/u);
  });

  it("from one address store at most 50 new sessions an hour; further ones only add views", async () => {
    await waitUntil("2027-03-05T13:00:00.000Z");
    const before = await stats();
    for (let sent = 0; sent < 60; sent += 1) {
      expect(await visit(sessionOf(now.getTime(), `many${sent}`), "/")).toBe(204);
    }
    expect(await visit(sessionOf(now.getTime(), "many0"), "/")).toBe(204);
    expect(await stats()).toMatchObject({
      activeNow: 50,
      todayVisitors: 50,
      todayViews: 61,
      totalVisitors: before.totalVisitors + 50,
      totalViews: before.totalViews + 61,
    });
  });

  it("from one address are limited", async () => {
    await waitUntil("2027-03-06T13:00:00.000Z");
    const statuses = [];
    for (let sent = 0; sent < 125; sent += 1) {
      statuses.push(await visit(mia, "/"));
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(120);
    expect(statuses.at(-1)).toBe(429);
    await expect.poll(stats).toMatchObject({ todayVisitors: 1, todayViews: 120 });
  });
});

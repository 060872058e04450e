// An account as it was: for any person, time and position it equals a fold by hand of the log up to there.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { findAsOf } from "#http/as-of.ts";
import type { ReadDeps } from "#http/reads.ts";
import { readsOver } from "#http/reads.ts";
import type { ViewBy } from "#features/accounts/contract-as-of.ts";
import type { LedgerPeople } from "#features/accounts/ledger-lines.ts";
import type { PastAccount } from "#features/accounts/queries-as-of.ts";
import { compareAsOf, readBalanceAsOf, readHistoryAsOf } from "#features/accounts/queries-as-of.ts";
import { beginsOf } from "#features/months/streams.ts";
import { createNotes } from "#identity/notes.ts";
import { createProfiles } from "#identity/profiles.ts";
import type { Moment } from "#ledger/fields.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { explanations } from "../../features.ts";
import type { FoldedLine } from "#testing/shop/account-fold.ts";
import { foldAccount, isoOf, sumOf } from "#testing/shop/account-fold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE, moneyStep, ordinaryDays, plainStep } from "#testing/shop/money-steps.ts";
import { sized } from "#testing/trial/size.ts";

/** Days of the store are tested with the calls. */
type Asked = Exclude<Moment, { readonly kind: "day" }>;

let shop: MoneyShop;
let pool: Sql;
let reads: ReadDeps;
let people: LedgerPeople;
let events: StoredEvent[];
let head: number;

const store = {
  dayBegins: (days: readonly string[]) =>
    Promise.resolve(beginsOf(days, viewer.timeZone, viewer.closings)),
};
const viewer = { timeZone: "America/New_York", closings: { closed: [] }, forAdmin: true };

beforeAll(async () => {
  shop = await openMoneyShop();
  pool = connect(shop.database.appUrl, { applicationName: "reads", maxConnections: 2 });
  reads = readsOver(pool);
  people = { profiles: createProfiles(pool), notes: createNotes(pool), explanations };
  const days = fc.sample(fc.array(moneyStep, { minLength: 40, maxLength: 60, size: "max" }), {
    numRuns: sized(2, 20),
    seed: 13,
  });
  // A sale that was corrected long after it was made, whatever the other days have.
  const corrected: MoneyStep[] = [
    { ...plainStep, act: "sell", price: 4000, percentage: 50, daysAgo: 75 },
    { ...plainStep, act: "correct", payout: 100, restock: false },
  ];
  for (const step of [...days, corrected, ...ordinaryDays].flat()) {
    await shop.take(step);
  }
  // Recorded over the months in which it happened, so that some of it is late by days and some by months.
  const { ownerSql: sql } = shop.database;
  const [last] = await sql<
    { position: number }[]
  >`select max(position) as position from log.events`;
  await sql`
    update log.events
    set recorded_at = '2024-04-01'::timestamptz + position * interval '90 days' / ${last?.position ?? 1}`;
  await shop.runner.catchUp();
  events = await shop.events();
  head = events.at(-1)?.position ?? 0;
}, 240_000);

afterAll(async () => {
  await pool.end();
  await shop.close();
});

const moment: fc.Arbitrary<Asked> = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map((share): Asked => ({
    kind: "position",
    position: Math.floor(share * head),
  })),
  fc.integer({ min: -5 * 24 * 60, max: 100 * 24 * 60 }).map((minutes): Asked => ({
    kind: "time",
    time: new Date(Date.UTC(2024, 3, 1) + minutes * 60_000).toISOString(),
  })),
);

const asked = fc.record({
  uid: fc.constantFrom(AVERY, BLAKE),
  moment,
  limit: fc.integer({ min: 1, max: 60 }),
});

/** What the log had been told, and what had happened, by hand. */
function foldAt(uid: string, at: Asked) {
  const time =
    at.kind === "time" ? at.time : isoOf(events[at.position - 1]?.recordedAtMicros ?? 0n);
  const timeMicros = BigInt(Date.parse(time)) * 1000n;
  const all = foldAccount(events, uid);
  const isRecorded = ({ position, recordedAtMicros }: FoldedLine) =>
    at.kind === "position" ? position <= at.position : recordedAtMicros < timeMicros + 1000n;
  const hadHappened = ({ effectiveAt }: FoldedLine) => effectiveAt <= time;
  return {
    recorded: all.filter(isRecorded),
    effective: all
      .filter(hadHappened)
      .sort((a, b) => a.effectiveAt.localeCompare(b.effectiveAt) || a.line - b.line),
    different: all.filter((line) => isRecorded(line) !== hadHappened(line)),
    isRecorded,
  };
}

function balancesOf(lines: readonly FoldedLine[]) {
  return {
    balance: sumOf(lines, ({ available }) => available) / 100,
    inTransit: sumOf(lines, ({ inTransit }) => inTransit) / 100,
  };
}

const accountAt = async (uid: string, at: Asked): Promise<PastAccount> => ({
  uid,
  asOf: await findAsOf({ reads: reads.reads, store }, at, head),
  freshTo: head,
});

/** All pages. */
async function history(account: PastAccount, by: ViewBy, limit: number) {
  const first = await readHistoryAsOf(reads, people, account, viewer, { by, limit });
  const lines = [...first.lines];
  for (let cursor = first.nextCursor; cursor !== null;) {
    const next = await readHistoryAsOf(reads, people, account, viewer, { by, limit, cursor });
    expect(next).toMatchObject({ balance: first.balance, lineCount: first.lineCount });
    lines.push(...next.lines);
    cursor = next.nextCursor;
  }
  return { ...first, lines };
}

test("balance and history equal the fold, by what was recorded and by what had happened", async () => {
  let differed = 0;
  await fc.assert(
    fc.asyncProperty(asked, async ({ uid, moment: at, limit }) => {
      const account = await accountAt(uid, at);
      const folded = foldAt(uid, at);
      differed += folded.recorded.length === folded.effective.length ? 0 : 1;
      for (const by of ["recorded", "effective"] as const) {
        const expected = folded[by];
        const sums = { ...balancesOf(expected), by };
        expect(await readBalanceAsOf(reads.reads, account, by)).toMatchObject({
          ...sums,
          lines: expected.length,
        });
        const shown = await history(account, by, limit);
        expect(shown).toMatchObject({ ...sums, lineCount: expected.length });
        const running = expected.map((line, index) => ({
          line: line.line,
          effectiveAt: line.effectiveAt,
          after: balancesOf(expected.slice(0, index + 1)),
        }));
        expect(
          shown.lines.map(
            ({ line, effectiveAt, balanceAfter: balance, inTransitAfter: inTransit }) => ({
              line,
              effectiveAt,
              after: { balance, inTransit },
            }),
          ),
        ).toEqual(running.reverse());
      }
    }),
    sized<{ readonly numRuns: number; readonly seed?: number }>(
      { seed: 3, numRuns: 10 },
      { numRuns: 600 },
    ),
  );
  expect(differed).toBeGreaterThan(0);
}, 240_000);

test("recorded, the late lines and the early lines sum to what had happened", async () => {
  const whys = new Set<string>();
  await fc.assert(
    fc.asyncProperty(asked, async ({ uid, moment: at, limit }) => {
      const account = await accountAt(uid, at);
      const { recorded, effective, different, isRecorded } = foldAt(uid, at);
      const first = await compareAsOf(reads, people, account, viewer, { limit });
      expect(first).toMatchObject({
        recorded: balancesOf(recorded),
        effective: balancesOf(effective),
        summed: balancesOf(effective),
        isBalanced: true,
        lineCount: different.length,
      });
      const lines = [...first.lines];
      for (let cursor = first.nextCursor; cursor !== null;) {
        const next = await compareAsOf(reads, people, account, viewer, { limit, cursor });
        lines.push(...next.lines);
        cursor = next.nextCursor;
      }
      const sign = (line: FoldedLine) => (isRecorded(line) ? -1 : 1);
      expect(lines.map(({ line, why, difference }) => [line, why, difference])).toEqual(
        different
          .toReversed()
          .map((line) => [
            line.line,
            isRecorded(line) ? "early" : "late",
            (sign(line) * line.available) / 100 + 0,
          ]),
      );
      lines.forEach(({ why }) => whys.add(why));
    }),
    sized<{ readonly numRuns: number; readonly seed?: number }>(
      { seed: 3, numRuns: 10 },
      { numRuns: 600 },
    ),
  );
  expect(whys).toEqual(new Set(["late", "early"]));
}, 240_000);

test("a corrected sale is what we know differently: the correction counts from when the sale was made", async () => {
  const own = foldAccount(events, AVERY);
  const saleOf = ({ event }: FoldedLine): unknown => Reflect.get(Object(event.data), "saleId");
  const correction = own.find(
    ({ type, available, position, effectiveAt }) =>
      type === "SaleCorrected" &&
      available !== 0 &&
      effectiveAt <= isoOf(events[position - 2]?.recordedAtMicros ?? 0n),
  );
  if (correction === undefined) {
    throw new Error("These books have no corrected sale of Avery");
  }
  const sale = own.find((line) => saleOf(line) === saleOf(correction));
  expect(correction.effectiveAt).toBe(sale?.happenedAt);
  const before = await accountAt(AVERY, { kind: "position", position: correction.position - 1 });
  const { lines } = await compareAsOf(reads, people, before, viewer, { limit: 200 });
  expect(lines.find(({ line }) => line === correction.line)).toMatchObject({
    why: "late",
    kind: "correction",
    difference: correction.available / 100,
  });
});

test("a line is of the same month in every view, also where months were closed", async () => {
  const [from, to] = ["2020-01-01T00:00:00.000Z", "2030-01-01T00:00:00.000Z"];
  const wide = { month: "2024-05", from, to, timeZone: "Asia/Tokyo" };
  const closed = { ...viewer, closings: { closed: [wide] } };
  const account = await accountAt(AVERY, { kind: "position", position: head });
  const monthsBy = async (by: ViewBy) => {
    const { lines } = await readHistoryAsOf(reads, people, account, closed, { by, limit: 200 });
    return new Map(lines.map(({ line, month }) => [line, month]));
  };
  for (const by of ["recorded", "effective"] as const) {
    expect(new Set((await monthsBy(by)).values())).toEqual(new Set([wide.month]));
  }
});

test("a time counts to the end of its millisecond, and a day to its last one", async () => {
  const event = events.find(({ recordedAtMicros }) => recordedAtMicros % 1000n !== 0n);
  if (event === undefined) {
    throw new Error("All of these events were recorded at full milliseconds");
  }
  const { position } = event;
  const printed = isoOf(event.recordedAtMicros);
  expect((await accountAt(AVERY, { kind: "time", time: printed })).asOf).toMatchObject({
    position,
    at: new Date(printed),
  });
  const begin = {
    day: "2024-05-01",
    timeZone: "UTC",
    fixed: isoOf(event.recordedAtMicros + 1000n),
  };
  const calendar = { reads: reads.reads, store: { dayBegins: () => Promise.resolve([begin]) } };
  const atEnd = await findAsOf(calendar, { kind: "day", day: "2024-04-30" }, head);
  expect(atEnd.position).toBe(position);
});

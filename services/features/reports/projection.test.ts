// The report's tables: the same live, replayed and folded by hand, in any time zone and up to any position.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readsOver } from "#http/reads.ts";
import type { ReadDeps } from "#http/reads.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readParts } from "#features/reports/queries-month.ts";
import { monthsOf, readBounds } from "#features/reports/period.ts";
import { reportsProjection } from "#features/reports/projection.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import type { FoldedReportLine } from "#testing/shop/report-fold.ts";
import { foldMonth, foldReport } from "#testing/shop/report-fold.ts";

let shop: MoneyShop;
let reads: ReadDeps;

beforeAll(async () => {
  shop = await openMoneyShop();
  reads = readsOver(shop.database.sql);
});

afterAll(() => shop.close());

const byLine = (one: FoldedReportLine, other: FoldedReportLine) =>
  one.position - other.position || (one.uid < other.uid ? -1 : 1);

const fold = (events: readonly StoredEvent[]) => foldReport(events).sort(byLine);

async function lines(): Promise<FoldedReportLine[]> {
  const rows = await shop.database.sql<Record<string, number | string | Date>[]>`
    select position, uid, type, booked_at, price_cents as price, share_cents as share, shipping_cents as shipping,
      tax_cents as tax, taxed_cents as taxed, exempt_cents as exempt, untaxed_cents as untaxed, commission_cents as commission, traded_cents as traded, paid_cents as paid, adjusted_cents as adjusted,
      taken_over_cents as "takenOver", available_cents as available, pending_cents as pending, held_cents as held
    from read.report_lines order by position, uid collate "C"`;
  return rows.map(({ booked_at: bookedAt, ...row }) => ({
    ...row,
    bookedAt: bookedAt instanceof Date ? bookedAt.toISOString() : "",
  })) as never;
}

/** January to September 2024; the shop's days are in spring. */
const nineMonths = (timeZone: string) =>
  readBounds(reads.reads, monthsOf({ from: "2024-01-01", to: "2024-09-30" }), timeZone);
const names = Array.from({ length: 9 }, (_, index) => `2024-0${index + 1}`);

const ZONES = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"];

test("every line and every month is the same live, replayed, folded by hand and folded key by key", async () => {
  await expectLiveReplayFold(shop, reportsProjection, lines, fold);
  const all = fold(await shop.events());
  for (const timeZone of ZONES) {
    const months = await nineMonths(timeZone);
    for (const uid of [null, AVERY, BLAKE]) {
      const scope = uid === null ? { kind: "store" as const } : { kind: "consignor" as const, uid };
      const shown = await readParts(reads.searches, months, scope);
      const own = all.filter((line) => uid === null || line.uid === uid);
      expect(shown.map(({ shrinkage: _shrinkage, ...totals }) => totals)).toEqual(
        names.map((month) => foldMonth(own, month, timeZone)),
      );
    }
  }
}, 240_000);

test("a month's totals up to a position are those that the log had then", async () => {
  await shop.runner.catchUp();
  const events = await shop.events();
  const last = events.at(-1)?.position ?? 0;
  for (const position of [0, 5, Math.floor(last / 2), last - 1, last]) {
    const then = fold(events.filter((event) => event.position <= position));
    for (const month of ["2024-04", "2024-06"]) {
      const days = { from: `${month}-01`, to: `${month}-30` };
      const bounds = await readBounds(reads.reads, [days], "America/New_York");
      const [shown] = await readParts(reads.searches, bounds, { kind: "store" }, position);
      expect(shown).toEqual({
        ...foldMonth(then, month, "America/New_York"),
        shrinkage: [],
      });
    }
  }
});

test("what is owed at a month's end is what was owed before and everything that changed it", async () => {
  const bounds = await nineMonths("America/New_York");
  const months = await readParts(reads.searches, bounds, { kind: "store" });
  const owed = ({ availableCents, pendingCents, heldCents }: (typeof months)[number]["opening"]) =>
    availableCents + pendingCents + heldCents;
  for (const month of months) {
    const change =
      month.consignorCents +
      month.tradedCents +
      month.takenOverCents +
      month.adjustedCents +
      month.returnedCents -
      month.paidCents -
      month.commissionCents -
      month.tradeFeeCents;
    expect(owed(month.closing)).toBe(owed(month.opening) + change);
  }
  expect(months.some(({ closing }) => owed(closing) !== 0)).toBe(true);
});

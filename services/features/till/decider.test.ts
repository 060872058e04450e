// Specs of closing a day of the till: what is expected in the drawer, and when a count is refused.
import { describe, expect, test } from "vitest";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import type { CloseTillDay } from "#features/till/decider.ts";
import { closeTillDay } from "#features/till/decider.ts";
import { TillDayClosed } from "#features/till/events.ts";
import { tillExplanations } from "#features/till/explain.ts";

function closing(given: Partial<CloseTillDay> = {}): CloseTillDay {
  return {
    day: "2026-11-21",
    from: "2026-11-21T06:00:00.000Z",
    to: "2026-11-22T06:00:00.000Z",
    throughPosition: 7,
    payments: [
      { tender: "cash", soldCents: 5000, refundedCents: 1200 },
      { tender: "card", soldCents: 9900, refundedCents: 0 },
    ],
    openingCents: 10_000,
    paidInCents: 300,
    paidOutCents: 500,
    countedCents: 13_550,
    leftCents: 10_000,
    seenExpectedCents: 13_600,
    expectedVersion: 0,
    noteId: "1f2e3d4c-0000-4000-8000-000000000001",
    happenedAt: "2026-11-22T02:00:00.000Z",
    ...given,
  };
}

describe("closing a day of the till", () => {
  test("expects the opening cash, cash sales and cash put in, less cash refunds and cash taken out", () => {
    const { kind, added, ...decision } = memoryBooks().when(closeTillDay, closing());
    expect({ kind, ...decision }).toMatchObject({
      kind: "accepted",
      answer: { version: 1, expectedCents: 13_600, differenceCents: -50 },
    });
    expect(added).toMatchObject([
      {
        type: "TillDayClosed",
        data: { expectedCents: 13_600, countedCents: 13_550, throughPosition: 7 },
        streams: ["till-2026-11-21"],
        postings: [],
        movements: [],
      },
    ]);
  });

  test("may end below zero where more cash went back than was there", () => {
    const payments = [{ tender: "cash" as const, soldCents: 0, refundedCents: 2000 }];
    const none = { openingCents: 0, paidInCents: 0, paidOutCents: 0, leftCents: 0 };
    const given = { payments, ...none, countedCents: 0, seenExpectedCents: null };
    expect(memoryBooks().when(closeTillDay, closing(given))).toMatchObject({
      answer: { expectedCents: -2000, differenceCents: 2000 },
    });
  });

  test("again counts the day again, and refuses a form that is older than another count", () => {
    const books = memoryBooks();
    books.when(closeTillDay, closing());
    expect(books.when(closeTillDay, closing())).toMatchObject({
      kind: "rejected",
      code: "day_counted",
      current: { version: 1 },
    });
    expect(books.when(closeTillDay, closing({ expectedVersion: 1 }))).toMatchObject({
      kind: "accepted",
      answer: { version: 2 },
    });
  });

  test("refuses a form that shows another expected amount than there is by now", () => {
    expect(memoryBooks().when(closeTillDay, closing({ seenExpectedCents: 13_500 }))).toMatchObject({
      kind: "rejected",
      code: "payments_changed",
      current: { expectedCents: 13_600 },
    });
  });

  test("needs a note where the count differs, and none where it is exact", () => {
    expect(memoryBooks().when(closeTillDay, closing({ noteId: null }))).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "note_required",
      current: { expectedCents: 13_600 },
    });
    const exact = closing({ noteId: null, countedCents: 13_600 });
    expect(memoryBooks().when(closeTillDay, exact)).toMatchObject({
      kind: "accepted",
      answer: { differenceCents: 0 },
    });
  });

  test("reads with everything that makes the expected amount", () => {
    const [event] = memoryBooks().when(closeTillDay, closing()).added;
    const data = TillDayClosed.schema.parse(event?.data);
    expect(tillExplanations.TillDayClosed.till?.read(data, null).description).toBe(
      "Drawer of 21 Nov 2026 counted: $135.50, $0.50 short. Expected $136.00: $100.00 at opening, plus $50.00 cash sales, less $12.00 cash refunds, plus $3.00 put in, less $5.00 taken out. $100.00 stayed",
    );
    const quiet = { ...data, payments: [], paidInCents: 0, paidOutCents: 0, expectedCents: 10_000 };
    expect(tillExplanations.TillDayClosed.till?.read(quiet, null).description).toBe(
      "Drawer of 21 Nov 2026 counted: $135.50, $35.50 over. Expected $100.00: $100.00 at opening. $100.00 stayed",
    );
  });

  test("refuses to leave more in the drawer than was counted", () => {
    expect(memoryBooks().when(closeTillDay, closing({ leftCents: 13_551 }))).toMatchObject({
      kind: "rejected",
      code: "more_left_than_counted",
      message: "Only $135.50 was counted",
    });
  });
});

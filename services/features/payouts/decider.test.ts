// Specs of payouts: a request takes the money at once, it is settled exactly once, and only a paid one comes back.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import type { Decider } from "#ledger/decider.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";
import type {
  DeletePayout,
  MarkPayoutPaid,
  PayoutAnswer,
  RequestPayout,
} from "#features/payouts/decider.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";

const consignorId = "avery-000000000000001";
const other = "blake-000000000000002";
const handleId = "00000000-0000-4000-8000-000000000009";
const handleHash = "9".repeat(64);
const noon = "2024-05-31T12:00:00.000Z";
const available = `consignor:${consignorId}:available`;
const inTransit = `consignor:${consignorId}:payouts`;

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
const payoutId = idOf(1);
const adminUid = "robin-00000000000000001";
/** What paying and deleting are told; each takes its part of it. */
const settling = {
  payoutId,
  consignorId,
  reference: null,
  handleId: null,
  actorUid: adminUid,
  by: "store",
  happenedAt: noon,
} as const;
type Settling = Decider<DeletePayout & MarkPayoutPaid, PayoutAnswer>;
const [pay, remove]: readonly [Settling, Settling] = [markPayoutPaid, deletePayout];

function asking(amountCents: number, given: Partial<RequestPayout> = {}): RequestPayout {
  return {
    payoutId,
    consignorId,
    amountCents,
    method: "cashapp",
    handleId,
    handleHash,
    happenedAt: noon,
    ...given,
  };
}

/** Books with this balance of the consignor. */
function booksWith(balanceCents: number) {
  const books = memoryBooks();
  books.when(setBalance, {
    uid: consignorId,
    balanceCents,
    expectedCents: null,
    noteId: null,
    happenedAt: noon,
  });
  return books;
}

describe("requesting a payout", () => {
  test("takes the money from the balance at once", () => {
    const { added, ...decision } = booksWith(5000).when(requestPayout, asking(2000));
    expect(decision).toMatchObject({
      kind: "accepted",
      answer: { payoutId, amountCents: 2000, availableCents: 3000 },
    });
    expect(added).toMatchObject([
      {
        type: "PayoutRequested",
        data: { payoutId, consignorId, amountCents: 2000, method: "cashapp", handleId, handleHash },
        streams: [payoutStreamId(payoutId), consignorStreamId(consignorId)],
        postings: [{ from: available, to: inTransit, cents: 2000 }],
        movements: [],
        happenedAt: noon,
      },
    ]);
  });

  test("the whole balance may be requested, one cent more may not", () => {
    const books = booksWith(5000);
    expect(books.when(requestPayout, asking(5001))).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "insufficient_balance",
      message: "Cannot request more than your current balance of $50.00",
      added: [],
    });
    expect(books.when(requestPayout, asking(5000)).kind).toBe("accepted");
    expect(books.when(requestPayout, asking(1, { payoutId: idOf(2) }))).toMatchObject({
      code: "insufficient_balance",
      message: "Cannot request more than your current balance of $0.00",
    });
  });

  test("a consignor who owes the store cannot request anything", () => {
    expect(booksWith(-300).when(requestPayout, asking(1))).toMatchObject({
      code: "insufficient_balance",
      message: "Cannot request more than your current balance of −$3.00",
    });
  });

  test("a used id is refused", () => {
    const books = booksWith(5000);
    books.when(requestPayout, asking(1));
    expect(books.when(requestPayout, asking(1))).toMatchObject({ code: "payout_exists" });
  });
});

describe("settling a payout", () => {
  test("paying takes it out of the store's books, by the requested method", () => {
    const books = booksWith(5000);
    books.when(requestPayout, asking(2000, { method: "venmo" }));
    const { added, ...decision } = books.when(markPayoutPaid, settling);
    expect(decision).toMatchObject({ answer: { amountCents: 2000, availableCents: 3000 } });
    expect(added).toMatchObject([
      { type: "PayoutPaid", postings: [{ from: inTransit, to: "world:venmo", cents: 2000 }] },
    ]);
  });

  test("deleting gives the money back", () => {
    const books = booksWith(5000);
    books.when(requestPayout, asking(2000));
    const { added, ...decision } = books.when(deletePayout, settling);
    expect(decision).toMatchObject({ answer: { amountCents: 2000, availableCents: 5000 } });
    expect(added).toMatchObject([
      { type: "PayoutDeleted", postings: [{ from: inTransit, to: available, cents: 2000 }] },
    ]);
  });

  test.each([
    { first: pay, second: pay, code: "payout_already_paid" },
    { first: pay, second: remove, code: "payout_already_paid" },
    { first: remove, second: remove, code: "payout_already_deleted" },
    { first: remove, second: pay, code: "payout_already_deleted" },
  ])("$first.type is final: $second.type is refused", ({ first, second, code }) => {
    const books = booksWith(5000);
    books.when(requestPayout, asking(2000));
    books.when(first, settling);
    expect(books.when(second, settling)).toMatchObject({ status: 409, code, added: [] });
  });

  test("an unknown payout, or another consignor's, is not found", () => {
    const books = booksWith(5000);
    books.when(requestPayout, asking(2000));
    for (const command of [
      { ...settling, payoutId: idOf(2) },
      { ...settling, consignorId: other },
    ]) {
      expect(books.when(markPayoutPaid, command)).toMatchObject({
        status: 404,
        code: "payout_not_found",
      });
      expect(books.when(deletePayout, command)).toMatchObject({ code: "payout_not_found" });
    }
  });
});

describe("a transfer that came back", () => {
  const noteId = idOf(77);
  const back = { ...settling, noteId };

  /** Books in which the consignor asked for $20 of $50 by Venmo, and it was paid. */
  function paidBooks() {
    const books = booksWith(5000);
    books.when(requestPayout, asking(2000, { method: "venmo" }));
    books.when(markPayoutPaid, settling);
    return books;
  }

  test("needs a reason that can be looked up: an event without one could not be read", () => {
    const books = paidBooks();
    for (const missing of ["", "no id"]) {
      expect(books.when(returnPayout, { ...back, noteId: missing })).toMatchObject({
        kind: "rejected",
        code: "reason_missing",
      });
    }
    expect(books.when(returnPayout, back).kind).toBe("accepted");
  });

  test("makes the money available again, out of the account it was paid from", () => {
    const books = paidBooks();
    const { added, ...decision } = books.when(returnPayout, back);
    expect(decision).toMatchObject({
      kind: "accepted",
      answer: { payoutId, amountCents: 2000, availableCents: 5000 },
    });
    expect(added).toMatchObject([
      {
        type: "PayoutReturned",
        data: { payoutId, consignorId, amountCents: 2000, method: "venmo", noteId },
        streams: [payoutStreamId(payoutId), consignorStreamId(consignorId)],
        postings: [{ from: "world:venmo", to: available, cents: 2000 }],
        movements: [],
        happenedAt: noon,
      },
    ]);
    expect([books.balanceOf("world:venmo"), books.balanceOf(inTransit)]).toEqual([0, 0]);
    expect(books.when(requestPayout, asking(5000, { payoutId: idOf(2) })).kind).toBe("accepted");
  });

  test("of a deleted consignor goes to the store, whose adjustments it is booked to", () => {
    const books = booksWith(2000);
    books.when(requestPayout, asking(2000, { method: "venmo" }));
    books.when(markPayoutPaid, settling);
    const leaving = { uid: consignorId, itemIds: [], noteId: null, happenedAt: noon };
    expect(books.when(deactivateUser, leaving).kind).toBe("accepted");
    const before = books.balanceOf("store:adjustments");
    expect(books.when(returnPayout, back)).toMatchObject({
      kind: "accepted",
      answer: { amountCents: 2000, availableCents: 0 },
      added: [
        { type: "PayoutReturned", postings: [{ from: "world:venmo", to: available, cents: 2000 }] },
        {
          type: "BalanceSet",
          data: { uid: consignorId, beforeCents: 2000, afterCents: 0, noteId },
          postings: [{ from: available, to: "store:adjustments", cents: 2000 }],
        },
      ],
    });
    expect(books.balanceOf("world:venmo")).toBe(0);
    expect(books.balanceOf("store:adjustments")).toBe(before + 2000);
    expect(books.when(returnPayout, back)).toMatchObject({ code: "payout_already_returned" });
  });

  test("happens once, and after it the payout is neither paid nor deleted", () => {
    const books = paidBooks();
    books.when(returnPayout, back);
    const refused = { status: 409, code: "payout_already_returned", added: [] };
    expect(books.when(returnPayout, back)).toMatchObject(refused);
    expect(books.when(markPayoutPaid, settling)).toMatchObject(refused);
    expect(books.when(deletePayout, settling)).toMatchObject(refused);
  });

  test("is refused for a payout that was not paid, is unknown, or is another consignor's", () => {
    const books = booksWith(5000);
    books.when(requestPayout, asking(2000));
    expect(books.when(returnPayout, back)).toMatchObject({ status: 409, code: "payout_not_paid" });
    const unknown = { status: 404, code: "payout_not_found" };
    expect(books.when(returnPayout, { ...back, payoutId: idOf(2) })).toMatchObject(unknown);
    expect(books.when(returnPayout, { ...back, consignorId: other })).toMatchObject(unknown);
    books.when(deletePayout, settling);
    expect(books.when(returnPayout, back)).toMatchObject({ code: "payout_already_deleted" });
  });
});

test("whatever is requested and settled, in any order, no cent is lost and nothing is overdrawn", () => {
  const step = fc.record({
    act: fc.constantFrom("request", "pay", "delete", "return"),
    payout: fc.integer({ min: 1, max: 4 }),
    cents: fc.integer({ min: 1, max: 400 }),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 600 }),
      fc.array(step, { maxLength: 25 }),
      (start, steps) => {
        const books = booksWith(start);
        for (const { act, payout, cents } of steps) {
          const command = { ...settling, payoutId: idOf(payout) };
          if (act === "request") {
            books.when(requestPayout, asking(cents, { payoutId: idOf(payout) }));
          } else if (act === "return") {
            books.when(returnPayout, { ...command, noteId: handleId });
          } else {
            books.when(act === "pay" ? pay : remove, command);
          }
        }
        const paid = books.balanceOf("world:cashapp");
        expect(books.balanceOf(available) + books.balanceOf(inTransit) + paid).toBe(start);
        expect(books.balanceOf(available)).toBeGreaterThanOrEqual(0);
        expect(books.balanceOf(inTransit)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

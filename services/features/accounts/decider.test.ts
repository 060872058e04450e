// Specs of setting a balance: given what happened, when an admin sets it, then what.
import { expect, test } from "vitest";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import type { SetBalance } from "#features/accounts/decider.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { consignorStream, consignorStreamId } from "#features/accounts/streams.ts";

const uid = "avery-000000000000001";
const noteId = "00000000-0000-4000-8000-000000000009";
const noon = "2024-05-31T12:00:00.000Z";

function setting(balanceCents: number, given: Partial<SetBalance> = {}): SetBalance {
  return { uid, balanceCents, expectedCents: null, noteId: null, happenedAt: noon, ...given };
}

function booksWith(balanceCents: number) {
  const books = memoryBooks();
  books.when(setBalance, setting(balanceCents));
  return books;
}

test("the difference comes from the store's adjustments, and before and after are kept", () => {
  const books = booksWith(1000);
  const { added, ...decision } = books.when(setBalance, setting(2550, { noteId }));
  expect(decision).toMatchObject({
    kind: "accepted",
    answer: { beforeCents: 1000, afterCents: 2550 },
  });
  expect(added).toMatchObject([
    {
      type: "BalanceSet",
      data: { uid, beforeCents: 1000, afterCents: 2550, noteId },
      streams: [`consignor-${uid}`],
      postings: [{ from: "store:adjustments", to: `consignor:${uid}:available`, cents: 1550 }],
      movements: [],
      happenedAt: noon,
    },
  ]);
});

test("a lower balance gives the difference back to the store, also below zero", () => {
  const books = booksWith(1000);
  const { added } = books.when(setBalance, setting(-300));
  expect(added[0]?.postings).toEqual([
    { from: `consignor:${uid}:available`, to: "store:adjustments", cents: 1300 },
  ]);
  expect(books.stream(consignorStream, consignorStreamId(uid)).state).toEqual({
    availableCents: -300,
    inTransitCents: 0,
  });
});

test("setting a balance to what it already is appends no event", () => {
  const { added, ...decision } = booksWith(1000).when(setBalance, setting(1000));
  expect(added).toEqual([]);
  expect(decision).toMatchObject({ answer: { beforeCents: 1000, afterCents: 1000 } });
});

test("a form that showed an outdated balance is refused and gets the current one", () => {
  const decision = booksWith(1000).when(setBalance, setting(0, { expectedCents: 999 }));
  expect(decision).toMatchObject({
    kind: "rejected",
    status: 409,
    code: "balance_changed",
    message: "The balance is $10.00 by now",
    current: { balanceCents: 1000 },
    added: [],
  });
  expect(booksWith(1000).when(setBalance, setting(0, { expectedCents: 1000 })).kind).toBe(
    "accepted",
  );
});

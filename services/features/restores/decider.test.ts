// After a restore no payout is requested or paid until an admin has checked them, because one may have been paid before.
import { expect, test } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { correctPayoutHandle } from "#features/payouts/decider-handle.ts";
import { checkRestoredPayouts, recordRestore } from "#features/restores/decider.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

const avery = "avery-000000000000001";
const noon = "2024-05-31T12:00:00.000Z";
const noteId = "00000000-0000-4000-8000-000000000004";
const restoreId = "00000000-0000-4000-8000-000000000001";

const restore = {
  restoreId,
  backedUpAt: "2024-05-31T02:30:00.000Z",
  position: 12,
  lostThrough: 20,
  happenedAt: noon,
};
const check = { restoreId, noteId, happenedAt: noon };

const asking = (payoutId: string) => ({
  payoutId,
  consignorId: avery,
  amountCents: 500,
  method: "venmo" as const,
  handleId: noteId,
  handleHash: "9".repeat(64),
  happenedAt: noon,
});
const paying = (payoutId: string) => ({
  payoutId,
  consignorId: avery,
  reference: null,
  handleId: null,
  happenedAt: noon,
});

function booksWithOpenPayouts() {
  const books = memoryBooks();
  const rest = { expectedCents: null, noteId: null, happenedAt: noon };
  books.when(setBalance, { uid: avery, balanceCents: 5000, ...rest });
  books.when(requestPayout, asking("p1"));
  books.when(requestPayout, asking("p2"));
  return books;
}

test("after a restore a payout can be neither requested nor marked as paid, and nothing is posted", () => {
  const books = booksWithOpenPayouts();
  expect(books.when(recordRestore, restore).kind).toBe("accepted");
  expect(books.when(requestPayout, asking("p3"))).toMatchObject({
    kind: "rejected",
    status: 409,
    code: "payouts_unchecked",
    message: "Payouts wait until the store has checked them: it was restored from a back-up",
    added: [],
  });
  expect(books.when(markPayoutPaid, paying("p1"))).toMatchObject({
    kind: "rejected",
    status: 409,
    code: "payouts_unchecked",
    added: [],
  });
  expect(books.balanceOf(`consignor:${avery}:available`)).toBe(4000);
});

test("before the check the store can delete a request, but no consignor withdraws or corrects one that may be paid", () => {
  const books = booksWithOpenPayouts();
  books.when(recordRestore, restore);
  const deleting = { ...paying("p1"), actorUid: avery };
  expect(books.when(deletePayout, { ...deleting, by: "consignor" })).toMatchObject({
    code: "payouts_unchecked",
    added: [],
  });
  expect(
    books.when(correctPayoutHandle, {
      ...asking("p1"),
      handleHash: "1".repeat(64),
    }),
  ).toMatchObject({ code: "payouts_unchecked", added: [] });
  expect(books.when(deletePayout, { ...deleting, by: "store" }).kind).toBe("accepted");
});

test("once an admin has confirmed the check, payouts go on", () => {
  const books = booksWithOpenPayouts();
  books.when(recordRestore, restore);
  expect(books.when(checkRestoredPayouts, check).kind).toBe("accepted");
  expect(books.when(markPayoutPaid, paying("p1")).kind).toBe("accepted");
  expect(books.when(requestPayout, asking("p3")).kind).toBe("accepted");
  expect(books.when(checkRestoredPayouts, check)).toMatchObject({ code: "payouts_checked" });
});

test("each restore has to be checked, and a confirmation is for one of them", () => {
  const books = booksWithOpenPayouts();
  expect(books.when(checkRestoredPayouts, check)).toMatchObject({ code: "restore_not_found" });
  books.when(recordRestore, restore);
  books.when(checkRestoredPayouts, check);
  const second = "00000000-0000-4000-8000-000000000002";
  books.when(recordRestore, { ...restore, restoreId: second });
  expect(books.when(checkRestoredPayouts, check)).toMatchObject({ code: "restore_not_found" });
  expect(books.when(markPayoutPaid, paying("p1"))).toMatchObject({ code: "payouts_unchecked" });
  expect(books.when(checkRestoredPayouts, { ...check, restoreId: second }).kind).toBe("accepted");
  expect(books.when(markPayoutPaid, paying("p1")).kind).toBe("accepted");
});

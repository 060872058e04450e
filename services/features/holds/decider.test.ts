// Specs of payout holds: what they refuse, who ends them, and which ones a fault calls for.
import { describe, expect, test } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { holdPayouts, liftPayoutHold, releasePayouts } from "#features/holds/decider.ts";
import type { HeldMoney } from "#features/holds/held-money.ts";
import { wantedHolds } from "#features/holds/place-holds.ts";
import { HOLDS, holdsStream, holdStream, holdStreamId } from "#features/holds/streams.ts";
import { markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

const avery = "avery-000000000000001";
const blake = "blake-000000000000002";
const noon = "2024-05-31T12:00:00.000Z";
const noteId = "00000000-0000-4000-8000-000000000004";

const row = {
  reference: "hold:payouts:1:p1:7",
  cause: "row",
  projection: "payouts",
  rowKey: "p1",
  atPosition: 7,
  happenedAt: noon,
} as const;
const onAvery = { ...row, uid: avery };
const onEverybody = { ...row, uid: null, rowKey: null, reference: "hold:payouts:1:*:7" };

const asking = (consignorId: string, payoutId: string) => ({
  payoutId,
  consignorId,
  amountCents: 500,
  method: "venmo" as const,
  handleId: noteId,
  handleHash: "9".repeat(64),
  happenedAt: noon,
});

/** Books in which both have $50.00. */
function booksOfBoth() {
  const books = memoryBooks();
  for (const uid of [avery, blake]) {
    const rest = { expectedCents: null, noteId: null, happenedAt: noon };
    books.when(setBalance, { uid, balanceCents: 5000, ...rest });
  }
  return books;
}

describe("while payouts of a person are held", () => {
  test("only this person's requests are refused, and nothing is posted", () => {
    const books = booksOfBoth();
    expect(books.when(holdPayouts, onAvery).kind).toBe("accepted");
    expect(books.when(requestPayout, asking(avery, "p1"))).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "payouts_held",
      message:
        "Payouts from this account are on hold while the store checks its books. The balance stays as it is",
      added: [],
    });
    expect(books.when(requestPayout, asking(blake, "p2")).kind).toBe("accepted");
    expect(books.balanceOf(`consignor:${avery}:available`)).toBe(5000);
  });

  test("what was requested before can still be marked as paid", () => {
    const books = booksOfBoth();
    books.when(requestPayout, asking(avery, "p1"));
    books.when(holdPayouts, onAvery);
    const paying = {
      payoutId: "p1",
      consignorId: avery,
      reference: null,
      handleId: null,
      happenedAt: noon,
    };
    expect(books.when(markPayoutPaid, paying).kind).toBe("accepted");
  });

  test("each hold is released by its own reference; the last one frees the requests", () => {
    const books = booksOfBoth();
    const second = { ...onAvery, reference: "proof:balances:x:1", cause: "proof" as const };
    books.when(holdPayouts, onAvery);
    books.when(holdPayouts, second);
    books.when(releasePayouts, { uid: avery, reference: onAvery.reference, happenedAt: noon });
    expect(books.when(requestPayout, asking(avery, "p1"))).toMatchObject({ code: "payouts_held" });
    books.when(releasePayouts, { uid: avery, reference: second.reference, happenedAt: noon });
    expect(books.when(requestPayout, asking(avery, "p1")).kind).toBe("accepted");
    expect(books.stream(holdsStream, HOLDS).state.open).toEqual([]);
  });

  test("a hold is placed once and released once, however often it is asked for", () => {
    const books = booksOfBoth();
    books.when(holdPayouts, onAvery);
    expect(books.when(holdPayouts, onAvery).added).toEqual([]);
    const release = { uid: avery, reference: onAvery.reference, happenedAt: noon };
    expect(books.when(releasePayouts, release).added).toHaveLength(1);
    expect(books.when(releasePayouts, release).added).toEqual([]);
  });

  test("an admin lifts it with a reason; what is not there cannot be lifted", () => {
    const books = booksOfBoth();
    books.when(holdPayouts, onAvery);
    const lift = { uid: avery, reference: onAvery.reference, noteId, happenedAt: noon };
    expect(books.when(liftPayoutHold, lift).added).toMatchObject([
      { type: "PayoutHoldLifted", data: { uid: avery, noteId } },
    ]);
    expect(books.when(requestPayout, asking(avery, "p1")).kind).toBe("accepted");
    expect(books.when(liftPayoutHold, lift)).toMatchObject({
      kind: "rejected",
      status: 404,
      code: "hold_not_found",
    });
  });
});

test("a hold on everybody refuses everybody's requests until it is lifted", () => {
  const books = booksOfBoth();
  books.when(holdPayouts, onEverybody);
  for (const uid of [avery, blake]) {
    expect(books.when(requestPayout, asking(uid, `of-${uid}`))).toMatchObject({
      code: "payouts_held",
      message:
        "Payouts are on hold for everyone while the store checks its books. Balances stay as they are",
    });
  }
  const { reference } = onEverybody;
  books.when(liftPayoutHold, { uid: null, reference, noteId, happenedAt: noon });
  expect(books.when(requestPayout, asking(avery, "p1")).kind).toBe("accepted");
  expect(books.stream(holdStream, holdStreamId(null)).state.open).toEqual([]);
});

describe("the holds that a fault calls for", () => {
  const keys = (count: number): HeldMoney[] =>
    Array.from({ length: count }, (_, index) => ({
      projection: "payouts",
      generation: 2,
      key: `key-${index}`,
      position: index + 1,
      uids: [index % 2 === 0 ? avery : blake],
    }));
  const none = { open: [], liftedForAll: [] };

  test("are one for each key and person, up to 50 keys", () => {
    const holds = wantedHolds(keys(50), none);
    expect(holds).toHaveLength(50);
    expect(holds[1]).toMatchObject({ uid: blake, reference: "hold:payouts:2:key-1:2" });
  });

  test("are one for everybody with more keys than that", () => {
    expect(wantedHolds(keys(60), none)).toEqual([
      {
        uid: null,
        reference: "hold:payouts:2:*:51",
        cause: "row",
        projection: "payouts",
        rowKey: null,
        atPosition: 51,
      },
    ]);
  });

  test("stay the same one while keys of it are repaired, and it is not placed again once it was lifted", () => {
    const books = memoryBooks();
    const [forAll] = wantedHolds(keys(60), none);
    if (forAll === undefined) {
      throw new Error("no hold");
    }
    books.when(holdPayouts, { ...forAll, happenedAt: noon });
    const state = () => books.stream(holdsStream, HOLDS).state;
    expect(wantedHolds(keys(60).slice(5), state())).toMatchObject([
      { uid: null, reference: forAll.reference },
    ]);
    books.when(liftPayoutHold, {
      uid: null,
      reference: forAll.reference,
      noteId,
      happenedAt: noon,
    });
    expect(wantedHolds(keys(60).slice(5), state()).every(({ uid }) => uid !== null)).toBe(true);
  });
});

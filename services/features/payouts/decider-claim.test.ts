// Specs of what happens to a request before it is paid: two admins do not both send the money, and a consignor changes it only until one begins.
import { describe, expect, test } from "vitest";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { claimPayout, releasePayout } from "#features/payouts/decider-claim.ts";
import { correctPayoutHandle } from "#features/payouts/decider-handle.ts";
import { payoutStream, payoutStreamId } from "#features/payouts/streams.ts";

const consignorId = "avery-000000000000001";
const robin = "robin-00000000000000001";
const sam = "sam-0000000000000000001";
const payoutId = "00000000-0000-4000-8000-000000000001";
const handleId = "00000000-0000-4000-8000-000000000009";
const handleHash = "9".repeat(64);
const newer = {
  handleId: "00000000-0000-4000-8000-000000000010",
  handleHash: "1".repeat(64),
} as const;
const payout = { payoutId, consignorId };

const at = (minute: number) => new Date(Date.UTC(2024, 4, 31, 12, minute)).toISOString();

/** Books in which $20 of $50 are requested by CashApp. */
function requested() {
  const books = memoryBooks();
  const happenedAt = at(0);
  const balance = { uid: consignorId, balanceCents: 5000, expectedCents: null, noteId: null };
  books.when(setBalance, { ...balance, happenedAt });
  const request = {
    ...payout,
    amountCents: 2000,
    method: "cashapp",
    handleId,
    handleHash,
  } as const;
  books.when(requestPayout, { ...request, happenedAt });
  return books;
}

const claim = (adminUid: string, minute: number) => ({
  ...payout,
  adminUid,
  happenedAt: at(minute),
});
const withdrawal = (minute: number) =>
  ({ ...payout, actorUid: consignorId, by: "consignor", happenedAt: at(minute) }) as const;
const deletion = (actorUid: string, minute: number) =>
  ({ ...payout, actorUid, by: "store", happenedAt: at(minute) }) as const;
const correction = (minute: number) =>
  ({ ...payout, method: "venmo", handleId, handleHash, happenedAt: at(minute) }) as const;

describe("an admin who begins to pay", () => {
  test("has the request for ten minutes, and no money moves", () => {
    const { added, ...decision } = requested().when(claimPayout, claim(robin, 5));
    expect(decision).toMatchObject({ answer: { payoutId, claimedUntil: at(15) } });
    expect(added).toMatchObject([
      {
        type: "PayoutClaimed",
        data: { payoutId, consignorId, claimedBy: robin, claimedUntil: at(15) },
        streams: [payoutStreamId(payoutId)],
        postings: [],
        movements: [],
        happenedAt: at(5),
      },
    ]);
  });

  test("keeps another admin from paying or deleting it until then", () => {
    const books = requested();
    books.when(claimPayout, claim(robin, 5));
    const refused = {
      status: 409,
      code: "payout_claimed",
      current: { claimedUntil: at(15) },
      added: [],
    };
    expect(books.when(claimPayout, claim(sam, 14))).toMatchObject(refused);
    expect(books.when(releasePayout, claim(sam, 14))).toMatchObject(refused);
    expect(books.when(deletePayout, deletion(sam, 14))).toMatchObject(refused);
    expect(books.when(claimPayout, claim(sam, 15))).toMatchObject({
      answer: { claimedUntil: at(25) },
    });
  });

  test("has it for ten more minutes by opening the transfer again, and may delete it", () => {
    const books = requested();
    books.when(claimPayout, claim(robin, 5));
    expect(books.when(claimPayout, claim(robin, 9))).toMatchObject({
      answer: { claimedUntil: at(19) },
    });
    expect(books.when(deletePayout, deletion(robin, 10)).kind).toBe("accepted");
    expect(books.when(claimPayout, claim(robin, 11))).toMatchObject({
      code: "payout_already_deleted",
    });
  });

  test("may say that no money was sent, once, and then anybody may begin", () => {
    const books = requested();
    expect(books.when(releasePayout, claim(robin, 1))).toMatchObject({
      kind: "accepted",
      added: [],
    });
    books.when(claimPayout, claim(robin, 5));
    expect(books.when(releasePayout, claim(robin, 6))).toMatchObject({
      answer: { payoutId, claimedUntil: null },
      added: [{ type: "PayoutClaimReleased", data: { claimedBy: robin } }],
    });
    expect(books.when(claimPayout, claim(sam, 7)).kind).toBe("accepted");
  });

  test("does not keep anybody from saying that it was paid, with the transfer's number", () => {
    const books = requested();
    books.when(claimPayout, claim(robin, 5));
    const paid = { ...payout, reference: "#D-4F9K2", handleId: null, happenedAt: at(6) };
    expect(books.when(markPayoutPaid, paid)).toMatchObject({
      added: [{ type: "PayoutPaid", data: { reference: "#D-4F9K2" } }],
    });
    for (const decider of [claimPayout, releasePayout]) {
      expect(books.when(decider, claim(robin, 7))).toMatchObject({ code: "payout_already_paid" });
    }
  });

  test("must name a request that there is", () => {
    const books = requested();
    for (const wrong of [{ payoutId: handleId }, { consignorId: sam }]) {
      for (const decider of [claimPayout, releasePayout]) {
        expect(books.when(decider, { ...claim(robin, 1), ...wrong })).toMatchObject({
          status: 404,
          code: "payout_not_found",
        });
      }
    }
  });
});

describe("a consignor", () => {
  test("withdraws a request, and has the money back", () => {
    expect(requested().when(deletePayout, withdrawal(1))).toMatchObject({
      answer: { availableCents: 5000 },
      added: [{ type: "PayoutDeleted", data: { by: "consignor" } }],
    });
  });

  test("corrects where it goes while an admin pays by hand: the payment says where the money went", () => {
    const books = requested();
    books.when(correctPayoutHandle, { ...correction(1), ...newer });
    const sent = { ...payout, reference: null, handleId, happenedAt: at(2) };
    expect(books.when(markPayoutPaid, sent)).toMatchObject({
      added: [
        {
          type: "PayoutPaid",
          data: { method: "cashapp", handleId, handleHash },
          postings: [{ to: "world:cashapp", cents: 2000 }],
        },
      ],
    });
    expect(books.stream(payoutStream, payoutStreamId(payoutId)).state).toMatchObject({
      status: "paid",
      handle: { method: "cashapp", handleId },
    });
  });

  test("cannot have been paid with a handle that the request never named, or that was corrected twenty times ago", () => {
    const books = requested();
    const sent = { ...payout, reference: null, happenedAt: at(2) };
    const unknown = { ...sent, handleId: newer.handleId };
    expect(books.when(markPayoutPaid, unknown)).toMatchObject({
      status: 409,
      code: "payout_handle_unknown",
      added: [],
    });
    for (let count = 1; count <= 21; count += 1) {
      const other = `00000000-0000-4000-8000-${String(100 + count).padStart(12, "0")}`;
      books.when(correctPayoutHandle, { ...correction(1), handleId: other });
      const { state } = books.stream(payoutStream, payoutStreamId(payoutId));
      expect(state).toMatchObject({ earlierHandles: { length: Math.min(count, 20) } });
    }
    expect(books.when(markPayoutPaid, { ...sent, handleId })).toMatchObject({
      code: "payout_handle_unknown",
    });
    expect(books.when(markPayoutPaid, { ...sent, handleId: null }).kind).toBe("accepted");
  });

  test("corrects where it goes, also to the other method, from which it is then paid", () => {
    const books = requested();
    const { added } = books.when(correctPayoutHandle, correction(1));
    expect(added).toMatchObject([
      {
        type: "PayoutHandleCorrected",
        data: { payoutId, consignorId, method: "venmo", handleId, handleHash },
        streams: [payoutStreamId(payoutId)],
        postings: [],
        movements: [],
        happenedAt: at(1),
      },
    ]);
    expect(
      books.when(markPayoutPaid, {
        ...payout,
        reference: null,
        handleId: null,
        happenedAt: at(2),
      }),
    ).toMatchObject({ added: [{ postings: [{ to: "world:venmo", cents: 2000 }] }] });
    expect(books.when(correctPayoutHandle, correction(3))).toMatchObject({
      code: "payout_already_paid",
    });
  });

  test("does neither once an admin began to pay, not even later, unless no money was sent", () => {
    const books = requested();
    books.when(claimPayout, claim(robin, 5));
    const refused = { status: 409, code: "payout_being_paid", added: [] };
    for (const minute of [6, 59]) {
      expect(books.when(deletePayout, withdrawal(minute))).toMatchObject(refused);
      expect(books.when(correctPayoutHandle, correction(minute))).toMatchObject(refused);
    }
    books.when(releasePayout, claim(sam, 59));
    expect(books.when(correctPayoutHandle, correction(59)).kind).toBe("accepted");
    expect(books.when(deletePayout, withdrawal(59)).kind).toBe("accepted");
  });

  test("must name their own request", () => {
    const wrong = { ...correction(1), consignorId: sam };
    expect(requested().when(correctPayoutHandle, wrong)).toMatchObject({
      status: 404,
      code: "payout_not_found",
    });
  });
});

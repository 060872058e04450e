// An old account's pending payouts bind their handles, each handle once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { bindPending, commandOf } from "#features/migration/command.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp();
});

afterAll(() => shop.close());

test("pending payouts to one handle share one id and one hash, and paid ones have none", async () => {
  const { uid } = await shop.person("Avery");
  const payout = { amountCents: 100, method: "venmo", handle: "@avery", happenedAt: null } as const;
  const kept = {
    balanceCents: 0,
    items: [],
    sales: [],
    payouts: [
      { ...payout, paid: false },
      { ...payout, paid: true, handle: "@before" },
      { ...payout, paid: false },
      { ...payout, paid: false, handle: "@other" },
    ],
  };
  const handles = await bindPending(shop.identity.payoutHandles, uid, kept, uid);
  const { pending } = commandOf("2026-11-21T10:00:00.000Z", uid, "legacy", kept, handles);
  const [first, second, other] = pending.map(({ handleId, handleHash }) => ({
    handleId,
    handleHash,
  }));
  expect(handles.size).toBe(2);
  expect(first?.handleHash).toMatch(/^[0-9a-f]{64}$/u);
  expect(second).toEqual(first);
  expect(other?.handleId).not.toBe(first?.handleId);
});

// Tests marking many payouts as paid, against a real fetch signature.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { markAllPaid } from "./payout-requests-api.ts";

const asked: string[] = [];
/** The payouts for which the server wants to know who it is. */
let large: ReadonlySet<string> = new Set();

beforeEach(() => {
  asked.length = 0;
  const storage = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  vi.stubGlobal("fetch", (path: string) => {
    const [, id = ""] = /([a-z]+)\/paid$/u.exec(path) ?? [];
    asked.push(id);
    return Promise.resolve(
      large.has(id)
        ? Response.json({ error: "confirmation_required", message: "Confirm" }, { status: 403 })
        : Response.json({ error: "payout_already_paid", message: "Paid already" }, { status: 409 }),
    );
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const requested = (id: string): PendingPayout => ({
  id,
  consignorID: "u",
  displayName: "Avery Stone",
  isConsignorDeleted: false,
  amount: 600,
  method: "venmo",
  paid: false,
  status: "pending",
  date: "2026-11-20T10:00:00.000Z",
  requestedBy: null,
  settledAt: null,
  returnedAt: null,
  claim: null,
  reference: null,
  withdrawn: false,
  returnReason: null,
  handle: "@avery",
  handleId: `handle-of-${id}`,
  handleChanged: false,
  cashAppLink: null,
  venmoUsername: "@avery",
  venmoLink: null,
  ageSeconds: 60,
  balanceAfter: 0,
  lastReturn: null,
});

it("a refused payout does not stop the others, a confirmation that the person closes does", async () => {
  large = new Set(["b", "d"]);
  const steps: number[] = [];
  const outcomes = await markAllPaid(["a", "b", "c", "d"].map(requested), "batch", (done) => {
    steps.push(done);
  });
  expect(outcomes.map(({ payout, kind }) => [payout.id, kind])).toEqual([
    ["a", "failed"],
    ["b", "unsent"],
    ["c", "unsent"],
    ["d", "unsent"],
  ]);
  expect(asked).toEqual(["a", "b"]);
  expect(steps).toEqual([1]);
});

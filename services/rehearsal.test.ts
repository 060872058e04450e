// Rehearsals of every call: what is rehearsed is what then happens, nothing is written, and no call ignores the header.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { RehearsedCall } from "#testing/rehearsal/call.ts";
import { sendCall } from "#testing/rehearsal/call.ts";
import { everyCall } from "#testing/rehearsal/every-call.ts";
import { contentsOf, differencesOf, rehearses } from "#testing/rehearsal/same-as-log.ts";
import { openTradeShop, type TradeShop } from "#testing/shop/trade-shop.ts";

const SEARCHES = "searches for pictures in the background";
const OPERATES = "acts on tables and jobs; its event says only who did it and why";

/** Calls that change something and cannot be rehearsed, each with its reason. They refuse the header. */
const refused: Readonly<Record<string, string>> = {
  "POST /api/inventory/import": "each line is a command, decided after the one before; use /check",
  "POST /api/inventory/known": "changes nothing",
  "POST /api/inventory/import/check": "is itself a preview, and changes nothing",
  "POST /api/images/find": "keeps a picture until an item is saved with it, and records nothing",
  "POST /api/images": "keeps a photo until an item is saved with it, and records nothing",
  "POST /api/admin/image-backfill/start": SEARCHES,
  "POST /api/admin/image-backfill/pause": SEARCHES,
  "POST /api/admin/image-backfill/resume": SEARCHES,
  "POST /api/admin/image-backfill/finish": SEARCHES,
  "POST /api/admin/image-backfill/retry": SEARCHES,
  "POST /api/auth/users/:uid/migrate": "several commands about staged rows of the old app",
  "POST /api/auth/migrate-all": "several commands about staged rows of the old app",
  "POST /api/auth/legacy-users": "loads staged rows of the old app and records nothing",
  "POST /api/payouts/restored/check": "moves nothing: it says that somebody compared payouts",
  "POST /api/receipts/:id/email": "sends a letter, and changes nothing",
  "POST /api/auth/users": "makes a profile, not an event",
  "POST /api/analytics/track": "counts a visit, not the ledger",
  "POST /api/alerts/acknowledge": "says that somebody has seen it, and changes nothing else",
  "POST /api/proof/run": "starts a proof, which changes nothing",
  "PUT /api/payouts/:userId/payment-info": "changes a suggestion, not the ledger",
  "PUT /api/auth/me": "changes where notifications go, not the ledger",
  "POST /api/notifications/read": "says what somebody has read, and changes nothing else",
  "PUT /api/notifications/settings": "changes where notifications go, not the ledger",
  "POST /api/notifications/discord": "sends a message to oneself",
  "PUT /api/notifications/discord": "says where notifications may go, not the ledger",
  "POST /api/notifications/test": "sends a message to oneself",
  "POST /api/operations/held/fold-again": OPERATES,
  "POST /api/operations/jobs/:queue/:id/drop": OPERATES,
  "POST /api/operations/jobs/:queue/:id/retry": OPERATES,
  "POST /api/operations/projections/:name/cancel": OPERATES,
  "POST /api/operations/projections/:name/flip": OPERATES,
  "POST /api/operations/projections/:name/pause": OPERATES,
  "POST /api/operations/projections/:name/rebuild": OPERATES,
  "POST /api/operations/projections/:name/resume": OPERATES,
  "POST /api/operations/projections/:name/take-back": OPERATES,
  "POST /api/identity/sign-up": "identity, not the ledger",
  "POST /api/identity/sign-in": "identity, not the ledger",
  "POST /api/identity/refresh": "identity, not the ledger",
  "POST /api/identity/sign-out": "identity, not the ledger",
  "POST /api/identity/verify-email": "identity, not the ledger",
  "POST /api/identity/verify-email/confirm": "identity, not the ledger",
  "POST /api/identity/password-reset": "identity, not the ledger",
  "POST /api/identity/password-reset/confirm": "identity, not the ledger",
  "POST /api/identity/link-password": "identity, not the ledger",
  "DELETE /api/identity/sessions": "identity, not the ledger",
  "DELETE /api/identity/sessions/:id": "identity, not the ledger",
  "POST /api/identity/google/start": "identity, not the ledger",
  "POST /api/identity/google": "identity, not the ledger",
  "POST /api/identity/confirm/passkey": "identity, not the ledger",
  "POST /api/identity/change-password": "identity, not the ledger",
  "POST /api/identity/factors/totp/start": "identity, not the ledger",
  "POST /api/identity/factors/totp": "identity, not the ledger",
  "POST /api/identity/factors/passkey/start": "identity, not the ledger",
  "POST /api/identity/factors/passkey": "identity, not the ledger",
  "DELETE /api/identity/factors/:id": "identity, not the ledger",
  "POST /api/identity/factors/recovery-codes": "identity, not the ledger",
  "POST /api/identity/providers/:provider": "identity, not the ledger",
  "DELETE /api/identity/providers/:provider": "identity, not the ledger",
  "POST /api/identity/second-step/passkey": "identity, not the ledger",
  "POST /api/identity/second-step": "identity, not the ledger",
  "POST /api/identity/passkey/start": "identity, not the ledger",
  "POST /api/identity/passkey": "identity, not the ledger",
  "DELETE /api/auth/users/:uid/factors": "identity, not the ledger",
  "POST /api/identity/confirm": "identity, not the ledger",
  "POST /api/identity/email-change/agree":
    "its letter asks a person, and the answer cannot be tried out",
  "POST /api/identity/email-change/stop": "identity, not the ledger",
  "DELETE /api/auth/users/:uid/email-change": "identity, not the ledger",
  "POST /api/auth/invitations": "sends a letter, whose link is not made for a trial",
  "DELETE /api/auth/users/:uid/invitation": "identity, not the ledger",
  "POST /api/auth/users/:uid/invitation": "sends a letter, whose link is not made for a trial",
  "POST /api/identity/invitation": "it only reads",
  "POST /api/identity/invitation/accept": "identity, not the ledger",
  "DELETE /api/auth/users/:uid/sessions": "identity, not the ledger",
  "DELETE /api/auth/users/:uid/sessions/:id": "identity, not the ledger",
  "POST /api/identity/custom-token": "identity, not the ledger",
  "POST /api/statements/verify": "it only reads",
  "POST /api/identity/setup": "its link is used up in the transaction that makes the first admin",
};

let store: TradeShop;
let calls: readonly RehearsedCall[];

beforeAll(async () => {
  store = await openTradeShop({ fixedTimeZone: null });
  calls = await everyCall(store);
  await store.shop.runner.catchUp();
});

afterAll(() => store.close());

const keyOf = ({ call }: RehearsedCall) => ({ "Idempotency-Key": call.replaceAll(" ", ":") });

const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ "x-rehearsal": z.boolean().optional() })),
  ),
});

/** Every call that is not a GET, and whether it takes the header. */
async function mutations(): Promise<Map<string, boolean>> {
  const { body } = await store.shop.call("GET", "/api/openapi.json");
  return new Map(
    Object.entries(documentShape.parse(body).paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => method !== "get")
        .map(([method, operation]): [string, boolean] => [
          `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/gu, ":$1")}`,
          operation["x-rehearsal"] === true,
        ]),
    ),
  );
}

describe("every call that changes something", () => {
  it("can be rehearsed and is tried here, or is listed here with the reason why not", async () => {
    const all = [...(await mutations())];
    expect(
      all
        .filter(([, takes]) => takes)
        .map(([call]) => call)
        .toSorted(),
      "wrap the access in `rehearsable(…)` and add a request to testing/rehearsal/every-call.ts",
    ).toEqual(calls.map(({ call }) => call).toSorted());
    expect(
      all
        .filter(([, takes]) => !takes)
        .map(([call]) => call)
        .toSorted(),
      "wrap the access in `rehearsable(…)`, or say in `refused` why the call cannot be rehearsed",
    ).toEqual(Object.keys(refused).toSorted());
  });

  it("refuses the header if it cannot be rehearsed, and does nothing", async () => {
    const before = await contentsOf(store.shop);
    for (const call of Object.keys(refused)) {
      const [method = "", path = ""] = call.split(" ");
      const answer = await store.shop.call(method, path.replaceAll(/:\w+/gu, store.admin.uid), {
        as: store.admin,
        body: {},
        headers: { ...rehearses, Origin: "http://app.test" },
      });
      expect([call, answer.status, Reflect.get(Object(answer.body), "error")]).toEqual([
        call,
        400,
        "not_rehearsable",
      ]);
    }
    expect(await contentsOf(store.shop)).toEqual(before);
  });

  it("refuses a header that says something else, and does nothing", async () => {
    const before = await contentsOf(store.shop);
    for (const call of calls) {
      const answer = await sendCall(store, call, { "Ledger-Rehearsal": "1" });
      expect([call.call, answer.body]).toMatchObject([call.call, { error: "invalid_rehearsal" }]);
    }
    expect(await contentsOf(store.shop)).toEqual(before);
  });

  it("leaves not a byte in the database when it is rehearsed, but attempt counters", async () => {
    const before = await contentsOf(store.shop);
    for (const call of calls) {
      const answer = await sendCall(store, call, { ...rehearses, ...keyOf(call) });
      expect([call.call, answer.status, answer.body]).toMatchObject([
        call.call,
        200,
        { rehearsal: true },
      ]);
      expect(answer.headers.get("Ledger-Rehearsal")).toBe("true");
    }
    await store.shop.runner.catchUp();
    const after = await contentsOf(store.shop);
    expect([...after].filter(([name, hash]) => before.get(name) !== hash)).toEqual([]);
    expect(after.size).toBe(before.size);
  });

  it("does what its rehearsal said, under the same key", async () => {
    for (const call of calls) {
      const rehearsed = await sendCall(store, call, { ...rehearses, ...keyOf(call) });
      const done = await sendCall(store, call, keyOf(call));
      expect([call.call, done.status]).toEqual([call.call, 200]);
      expect(done.headers.get("Idempotency-Replayed")).toBeNull();
      const seesAll = call.as === store.admin;
      const wrong = await differencesOf(store.shop, rehearsed, done, seesAll);
      expect([call.call, wrong]).toEqual([call.call, []]);
    }
  });

  it("leaves books that verify calls right: `posts(…)`, `moves(…)`, and `isAmong` of the streams", async () => {
    expect(await store.wrongInBooks({ withoutReplay: true })).toEqual([]);
  });
});

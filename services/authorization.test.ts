// Who may make which call: every call of the API, by every kind of caller, and the status each of them gets.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { declaredRoutes } from "#http/check-access.ts";
import { bookCalls } from "#testing/access/book-calls.ts";
import { type Everybody, type Level, openEverybody } from "#testing/access/everybody.ts";
import { type Entry, identityCalls } from "#testing/access/identity-calls.ts";
import { inventoryCalls } from "#testing/access/inventory-calls.ts";
import { servedFiles as files } from "#testing/access/served-files.ts";

/** Every call of the API. A call that is missing here fails the test, and so does one that no longer exists. */
const calls: Readonly<Record<string, Entry>> = {
  ...identityCalls,
  ...bookCalls,
  ...inventoryCalls,
  "GET /api/openapi.json": ["open", 200],
  "GET /api/live": ["signed-in", 200],
  "GET /api/auth/users/:uid/factors": ["admin", 404],
  "DELETE /api/auth/users/:uid/factors": ["admin", 404],
  "GET /api/security/log": ["admin", 200],
  "GET /api/security/log/export": ["admin", 200],
  "GET /api/security/log/own": ["signed-in", 200],
  "GET /api/auth/discord/client-id": ["open", 200],
  "GET /api/auth/discord/state": ["open", 200],
  "GET /api/auth/discord/callback": ["open", 302],
  "GET /api/auth/me": ["signed-in", 200],
  "PUT /api/auth/me": ["signed-in", 200],
  "GET /api/auth/me/export": ["signed-in", 200],
  "POST /api/auth/users": ["any-token", 200],
  "GET /api/auth/check-username": ["signed-in", 200],
  "POST /api/auth/set-username": ["signed-in", 400],
  "GET /api/auth/search": ["admin", 400],
  "GET /api/auth/users/:uid": ["own", 200],
  "PUT /api/auth/users/:uid": ["admin", 404],
  "DELETE /api/auth/users/:uid": ["admin", 404],
  "GET /api/auth/users/:uid/changes": ["admin", 404],
  "POST /api/auth/invitations": ["admin", 400],
  "GET /api/auth/users/:uid/invitation": ["admin", 404],
  "POST /api/auth/users/:uid/invitation": ["admin", 404],
  "DELETE /api/auth/users/:uid/invitation": ["admin", 404],
  "GET /api/auth/users/:uid/email-change": ["admin", 404],
  "DELETE /api/auth/users/:uid/email-change": ["admin", 404],
  "GET /api/auth/users/:uid/sessions": ["admin", 404],
  "DELETE /api/auth/users/:uid/sessions": ["admin", 404],
  "DELETE /api/auth/users/:uid/sessions/:id": ["admin", 404],
  "GET /api/auth/all-users": ["admin", 200],
  "GET /api/auth/all-users/export": ["admin", 200],
  "POST /api/auth/users/:uid/migrate": ["admin", 404],
  "POST /api/auth/migrate-all": ["admin", 200],
  "GET /api/auth/legacy-users": ["admin", 200],
  "POST /api/auth/legacy-users": ["admin", 400],
  "GET /api/lookup": ["signed-in", 400],
  "GET /api/lookup/earlier-price/:itemID": ["admin", 200],
  "GET /api/operations/projections": ["admin", 200],
  "GET /api/operations/projections/:name/older": ["admin", 404],
  "GET /api/operations/projections/:name/orders": ["admin", 404],
  "GET /api/operations/held": ["admin", 200],
  "GET /api/operations/jobs": ["admin", 200],
  "GET /api/operations/system": ["admin", 200],
  "GET /api/operations/actions": ["admin", 200],
  "POST /api/operations/projections/:name/rebuild": ["admin", 400],
  "POST /api/operations/projections/:name/pause": ["admin", 400],
  "POST /api/operations/projections/:name/resume": ["admin", 400],
  "POST /api/operations/projections/:name/cancel": ["admin", 400],
  "POST /api/operations/projections/:name/take-back": ["admin", 400],
  "POST /api/operations/projections/:name/flip": ["admin", 400],
  "POST /api/operations/held/fold-again": ["admin", 400],
  "POST /api/operations/jobs/:queue/:id/retry": ["admin", 400],
  "POST /api/operations/jobs/:queue/:id/drop": ["admin", 400],
  "GET /api/shipments/admin/all": ["admin", 200],
  "GET /api/shipments/admin/export": ["admin", 200],
  "GET /api/shipments/admin/:id": ["admin", 404],
  "POST /api/shipments/admin": ["admin", 400],
  "PATCH /api/shipments/admin/:id": ["admin", 400],
  "PATCH /api/shipments/admin/:id/status": ["admin", 400],
  "DELETE /api/shipments/admin/:id": ["admin", 404],
  "POST /api/shipments/admin/:id/label": ["admin", 400],
  "POST /api/shipments/admin/:id/consignor": ["admin", 400],
  "POST /api/shipments/:userId": ["own", 400],
  "GET /api/shipments/:userId": ["own", 200],
  "GET /api/shipments/:userId/:shipmentId": ["own", 400],
  "PATCH /api/shipments/:userId/:shipmentId": ["own", 400],
  "DELETE /api/shipments/:userId/:shipmentId": ["own", 400],
  "GET /api/shipments/:userId/:shipmentId/label": ["own", 400],
  "GET /api/sales/shipments/:id": ["own", 200],
  "GET /api/sales/shipments/:id/export": ["own", 200],
  "GET /api/sales/balance/:id": ["own", 200],
  "PUT /api/sales/balance/:id": ["admin", 400],
  "GET /api/sales/ledger/:id": ["own", 200],
  "GET /api/sales/ledger/:id/export": ["own", 200],
  "GET /api/accounts/:id/summary": ["own", 200],
  "GET /api/accounts/:id/balance-series": ["own", 200],
  "GET /api/accounts/:id/recent": ["own", 200],
  "GET /api/accounts/:id/statement": ["own", 400],
  "GET /api/accounts/:id/years": ["own", 200],
  "GET /api/accounts/:id/years/:year": ["own", 400],
  "GET /api/statements/years/:year": ["admin", 400],
  "GET /api/statements/jwks": ["open", 200],
  "POST /api/statements/verify": ["open", 400],
  "POST /api/sales/record": ["admin", 400],
  "POST /api/sales/custom": ["admin", 400],
  "PUT /api/sales/:id": ["admin", 404],
  "POST /api/sales/:id/refund": ["admin", 400],
  "PUT /api/sales/:id/tender": ["admin", 400],
  "PUT /api/sales/:id/refunds/:refund/tender": ["admin", 400],
  "POST /api/sales/:id/erase-certificate": ["admin", 404],
  "GET /api/sales": ["admin", 200],
  "GET /api/receipts": ["admin", 400],
  "POST /api/receipts/:id/email": ["admin", 400],
  "GET /api/till/day": ["admin", 200],
  "GET /api/till/days": ["admin", 200],
  "GET /api/till/days/export": ["admin", 200],
  "GET /api/till/refunds": ["admin", 400],
  "POST /api/till/days": ["admin", 400],
  "GET /api/months": ["admin", 200],
  "GET /api/months/open": ["admin", 200],
  "POST /api/months/close": ["admin", 400],
  "GET /api/months/:month/late": ["admin", 400],
  "GET /api/sales-tax/report": ["admin", 200],
  "GET /api/sales-tax/remittances": ["admin", 200],
  "POST /api/sales-tax/remittances": ["admin", 400],
  "POST /api/sales-tax/remittances/:id/reverse": ["admin", 400],
  "GET /api/sales/:id/receipt": ["admin", 404],
  "GET /api/sales/export": ["admin", 200],
  "GET /api/sales/totals": ["admin", 200],
  "GET /api/sales/totals/explain": ["admin", 400],
  "GET /api/sales/:id": ["private", 200],
  "GET /api/sales/:id/story": ["private", 200],
  "GET /api/audit/events": ["signed-in", 200],
  "GET /api/audit/events/export": ["signed-in", 200],
  "GET /api/audit/events/:position": ["private", 200],
  "GET /api/sales/history/:id": ["own", 200],
  "GET /api/sales/history/:id/export": ["own", 200],
  "GET /api/sales/history/:id/totals": ["own", 200],
  "GET /api/sales/history/:id/totals/explain": ["own", 400],
  "GET /api/sales/payouts/:id": ["own", 200],
  "GET /api/sales/total-payouts/:id": ["own", 200],
  "POST /api/payouts/:userId/request": ["own", 400],
  "PATCH /api/payouts/:userId/:payoutId/paid": ["admin", 404],
  "DELETE /api/payouts/:userId/:payoutId": ["admin", 404],
  "POST /api/payouts/:userId/:payoutId/return": ["admin", 400],
  "GET /api/payouts/pending": ["admin", 200],
  "GET /api/payouts/settled": ["admin", 200],
  "GET /api/payouts/settled/export": ["admin", 200],
  "GET /api/payouts/pending/export": ["admin", 200],
  "GET /api/sales/payouts/:id/export": ["own", 200],
  "GET /api/payouts/:userId/payment-info": ["own", 200],
  "PUT /api/payouts/:userId/payment-info": ["own", 200],
  "GET /api/payouts/:userId/holds": ["own", 200],
  "GET /api/payouts/holds": ["admin", 200],
  "GET /api/analytics/stats": ["admin", 200],
  "POST /api/analytics/track": ["open", 400],
  "GET /api/alerts": ["admin", 200],
  "POST /api/alerts/acknowledge": ["admin", 400],
  "GET /api/proof": ["admin", 200],
  "POST /api/proof/run": ["admin", 200],
  "POST /api/payouts/holds/lift": ["admin", 400],
  "GET /api/payouts/restored": ["admin", 200],
  "GET /api/operations/backups": ["admin", 200],
  "POST /api/payouts/restored/check": ["admin", 400],
  "GET /api/marketplace/items": ["signed-in", 200],
  "GET /api/marketplace/items/export": ["signed-in", 200],
  "GET /api/trades/my-trades": ["signed-in", 200],
  "GET /api/trades/offers/my-offers": ["signed-in", 200],
  "GET /api/trades/my-trades/export": ["signed-in", 200],
  "GET /api/trades/offers/my-offers/export": ["signed-in", 200],
  "GET /api/trades/offers/count": ["signed-in", 200],
  "GET /api/trades/users/:userId/requests": ["admin", 200],
  "GET /api/trades/users/:userId/offers": ["admin", 200],
  "GET /api/trades/fulfillments/export": ["admin", 200],
  "GET /api/trades/fulfillments/pending": ["admin", 200],
  "GET /api/today": ["admin", 200],
  "GET /api/notifications": ["signed-in", 200],
  "GET /api/notifications/unread": ["signed-in", 200],
  "POST /api/notifications/read": ["signed-in", 400],
  "GET /api/notifications/settings": ["signed-in", 200],
  "PUT /api/notifications/settings": ["signed-in", 400],
  "POST /api/notifications/discord": ["signed-in", 409],
  "PUT /api/notifications/discord": ["signed-in", 400],
  "POST /api/notifications/test": ["signed-in", 400],
  "GET /api/operations/notifications": ["admin", 200],
  "GET /api/trades/fulfillments/count": ["admin", 200],
  "GET /api/trades/:id": ["signed-in", 404],
  "GET /api/trades/:id/history": ["signed-in", 404],
  "POST /api/trades/request": ["signed-in", 400],
  "GET /api/trades/terms": ["signed-in", 200],
  "POST /api/trades/offers/:id/accept": ["signed-in", 400],
  "POST /api/trades/offers/:id/decline": ["signed-in", 400],
  "POST /api/trades/offers/:id/counter": ["signed-in", 400],
  "DELETE /api/trades/offers/:id/counter": ["signed-in", 400],
  "POST /api/trades/:id/raise": ["signed-in", 400],
  "POST /api/trades/:id/close": ["signed-in", 404],
  "POST /api/trades/:id/cancel": ["signed-in", 404],
  "GET /api/trades/:id/shipping": ["signed-in", 404],
  "POST /api/trades/:id/shipping-label": ["signed-in", 400],
  "GET /api/trades/:id/label": ["signed-in", 404],
  "PUT /api/trades/:id/address": ["signed-in", 400],
  "POST /api/trades/:id/fulfill": ["admin", 404],
  "POST /api/trades/:id/confirm": ["signed-in", 404],
  "POST /api/trades/:id/report": ["signed-in", 400],
  "DELETE /api/trades/:id/report": ["signed-in", 404],
  "POST /api/trades/:id/offers/:offerId/cancel": ["admin", 400],
  "POST /api/trades/:id/refund": ["admin", 400],
  "POST /api/images/find": ["admin", 400],
  "POST /api/images": ["admin", 400],
  "GET /api/images/:id": ["open", 404],
  "GET /api/images/:id/thumbnail": ["open", 404],
  "GET /api/admin/items-missing-images": ["admin", 200],
  "POST /api/admin/update-item-image": ["admin", 400],
  "GET /api/admin/image-backfill": ["admin", 200],
  "POST /api/admin/image-backfill/start": ["admin", 200],
  "POST /api/admin/image-backfill/pause": ["admin", 200],
  "POST /api/admin/image-backfill/resume": ["admin", 200],
  "POST /api/admin/image-backfill/finish": ["admin", 200],
  "POST /api/admin/image-backfill/retry": ["admin", 200],
  "GET /api/settings": ["admin", 200],
  "GET /api/settings/public": ["open", 200],
  "GET /api/settings/days": ["signed-in", 200],
  "GET /api/settings/selling": ["admin", 200],
  "GET /api/settings/logo/:id": ["open", 404],
  "PUT /api/settings/rates": ["admin", 400],
  "PUT /api/settings/details": ["admin", 400],
  "PUT /api/settings/logo": ["admin", 400],
  "DELETE /api/settings/logo": ["admin", 200],
  "PUT /api/settings/time-zone": ["admin", 400],
  "PUT /api/settings/consignors/:uid/share": ["admin", 400],
};

const NOTHING = "00000000-0000-4000-8000-000000000000";
const NOBODY = "nobody-nobody-nobody";

let store: Everybody;

beforeAll(async () => {
  store = await openEverybody();
});

afterAll(() => store.close());

/** The path with ids filled in: the user's own where the call is about the user or something of theirs. */
function filled(path: string, level: Level): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (level === "private") {
      const { sale, item, event } = store.things;
      return path.includes("/sales/") ? sale : path.includes("/audit/events") ? event : item;
    }
    const nobodys = /uid|user|consignor/i.test(name) ? NOBODY : NOTHING;
    return level === "own" ? store.people.user.uid : nobodys;
  });
}

it("each call of the API has an entry here, and each entry is a call", async () => {
  const documented = [...(await store.documentedCalls()).keys()];
  const served = declaredRoutes(store.shop.app).map(({ method, path }) => `${method} ${path}`);
  expect(
    served.filter((call) => calls[call] === undefined),
    "add a row to `calls` above: who may make it, and the status of its answer to an empty request",
  ).toEqual([]);
  expect(
    Object.keys(calls).filter((call) => !served.includes(call)),
    "no feature serves these any more: remove their rows from `calls`",
  ).toEqual([]);
  expect(
    served.filter((call) => ![...documented, "GET /api/openapi.json"].includes(call)),
    "say in `documented(…)` of their routes what they answer",
  ).toEqual([]);
  expect(
    documented.filter((call) => !served.includes(call)),
    "the document has calls that no feature serves",
  ).toEqual([]);
});

it("an open page can read the answers of a newer store, which may have more fields", async () => {
  const { body } = await store.shop.call("GET", "/api/openapi.json");
  const { paths } = z
    .object({
      paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.unknown() }))),
    })
    .parse(body);
  const closed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { responses }]) =>
        JSON.stringify(responses).includes('"additionalProperties":false'),
      )
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(closed, "describe these answers with `z.object`, not with `z.strictObject`").toEqual([]);
});

it("each call that answers a file or a stream has an entry in `files`, and each entry is one", async () => {
  const withFiles = [...(await store.documentedCalls())]
    .filter(([, types]) => types.some((type) => type !== "application/json"))
    .map(([call]) => call);
  expect(
    withFiles.filter((call) => files[call] === undefined),
    "add a row to `files` above: who gets it, and a path under which there is one",
  ).toEqual([]);
  expect(
    Object.keys(files).filter((call) => !withFiles.includes(call)),
    "these answer no file any more: remove their rows from `files`",
  ).toEqual([]);
});

it("the bad tokens are bad only for the reason they are named after", async () => {
  const good = await store.outside.token();
  expect((await store.send("GET", "/api/auth/all-users", good)).status).toBe(200);
});

it("the words that nobody else may read are in answers to their owner", async () => {
  const { user, admin } = store.people;
  const pages = [
    ["/api/auth/me/export", user],
    ["/api/trades/my-trades", user],
    ["/api/inventory/search", user],
    [`/api/sales/history/${user.uid}`, user],
    [`/api/trades/${store.things.trade}/shipping`, user],
    ["/api/payouts/pending", admin],
  ] as const;
  const read = await Promise.all(
    pages.map(async ([path, person]) => {
      const token = await store.shop.identity.issueTokenFor(person.uid);
      const { text } = await store.send("GET", path, token);
      return text;
    }),
  );
  expect(store.things.words.filter((word) => !read.join("\n").includes(word))).toEqual([]);
});

describe.each(Object.entries(files))("the file of %s", (call, [level, pathOf]) => {
  it("is given only to the callers listed here", async () => {
    const { statuses, told } = await store.askAll("GET", `/api${pathOf(store)}`, `file: ${call}`);
    expect(statuses).toEqual(store.allowed(level, 200));
    expect(told).toEqual([]);
  });
});

/** Pictures are open to everybody, and a stream is no file. */
const saved = Object.entries(files).filter(
  ([call, [level]]) => level !== "open" && call !== "GET /api/live",
);

describe.each(saved)("a file of %s that an admin saves", (_call, [, pathOf]) => {
  it("leaves a note in the security log", async () => {
    const { uid } = store.people.admin;
    const noted = async () => {
      const [row] = await store.shop.database.sql<{ times: number }[]>`
        select coalesce(sum(count), 0)::int as times from security.log
        where kind = 'exported' and coalesce(by_uid, uid) = ${uid}`;
      return row?.times ?? 0;
    };
    const before = await noted();
    const token = await store.shop.identity.issueTokenFor(uid);
    expect((await store.send("GET", `/api${pathOf(store)}`, token)).status).toBe(200);
    expect(await noted()).toBe(before + 1);
  });
});

describe.each(Object.entries(calls))("%s", (call, [level, status]) => {
  it("accepts only the callers listed here, and tells others nothing of the owner", async () => {
    const [method = "", path = ""] = call.split(" ");
    const { statuses, told } = await store.askAll(method, filled(path, level), `new: ${call}`);
    expect(statuses).toEqual(store.allowed(level, status));
    expect(told).toEqual([]);
  });
});

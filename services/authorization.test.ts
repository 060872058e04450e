// Who may make which call: every call of the API, by every kind of caller, and the status each of them gets.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { declaredRoutes } from "#http/check-access.ts";
import { calls } from "#testing/access/calls.ts";
import { type Everybody, type Level, openEverybody } from "#testing/access/everybody.ts";
import { servedFiles as files } from "#testing/access/served-files.ts";

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
    return level === "own" || level === "owner" ? store.people.user.uid : nobodys;
  });
}

it("each call of the API has an entry here, and each entry is a call", async () => {
  const documented = [...(await store.documentedCalls()).keys()];
  const served = declaredRoutes(store.shop.app).map(({ method, path }) => `${method} ${path}`);
  expect(
    served.filter((call) => calls[call] === undefined),
    "add a row to services/testing/access/calls.ts: who may make it, and the status of its answer to an empty request",
  ).toEqual([]);
  expect(
    Object.keys(calls).filter((call) => !served.includes(call)),
    "no feature serves these any more: remove their rows from services/testing/access",
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

/** Objects of a described body, by their paths, that take any field. */
function openObjects(schema: unknown, path = "body"): readonly string[] {
  if (typeof schema !== "object" || schema === null) {
    return [];
  }
  const { type, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  const own = type === "object" && additionalProperties === undefined ? [path] : [];
  return [
    ...own,
    ...Object.entries(schema).flatMap(([name, part]) => openObjects(part, `${path}.${name}`)),
  ];
}

it("a call refuses a field that it does not know, instead of dropping it and answering 200", async () => {
  const { body } = await store.shop.call("GET", "/api/openapi.json");
  const { paths } = z
    .object({
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({
            requestBody: z.optional(z.unknown()),
            "x-no-body": z.optional(z.literal(true)),
          }),
        ),
      ),
    })
    .parse(body);
  const changes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, "x-no-body": hasNone }]) =>
      method === "get" ? [] : [{ call: `${method.toUpperCase()} ${path}`, requestBody, hasNone }],
    ),
  );
  expect(
    changes.flatMap(({ call, requestBody, hasNone = false }) =>
      (requestBody === undefined) === hasNone ? [] : [call],
    ),
    "say `noBody` where the call takes none",
  ).toEqual([]);
  expect(
    changes.flatMap(({ call, requestBody }) =>
      openObjects(requestBody)
        // The browser writes it, and a newer one may write more.
        .filter((path) => !path.includes(".properties.passkey"))
        .map((path) => `${call} ${path}`),
    ),
    "describe these bodies with `z.strictObject`",
  ).toEqual([]);
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

/** Pictures are open to everybody, and a stream is not a file. */
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

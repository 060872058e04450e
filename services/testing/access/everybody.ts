// A store with every kind of caller in it: asks a call as all of them at once, and says what each must get.
import { z } from "zod";
import { becomeFirstAdmin } from "#features/users/first-admin.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { makePrivateThings, type PrivateThings } from "#testing/access/private-things.ts";
import { type Stranger, strangersOf } from "#testing/access/strangers.ts";
import { type OutsideTokens, outsideTokens } from "#testing/service/outside-tokens.ts";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { giveRole } from "#testing/shop/people.ts";

/** Who may make a call. `own` calls are about the person "user", `private` ones about something of that person. */
export type Level = "open" | "any-token" | "signed-in" | "own" | "owner" | "private" | "admin";

type Answered = { readonly status: number; readonly text: string };

const insiders = ["user", "other", "former", "admin"] as const;
type Insider = (typeof insiders)[number];

export type Everybody = {
  readonly shop: TestApp;
  /** `former` was an admin. */
  readonly people: Readonly<Record<Insider, TestPerson>>;
  /** The user's. */
  readonly things: PrivateThings;
  readonly outside: OutsideTokens;
  readonly send: (method: string, path: string, token: string | undefined) => Promise<Answered>;
  /**
   * Everybody's statuses by name, and the words of the user's that a stranger or another consignor was given.
   * `newcomer` names a person whom only the outside issuer knows.
   */
  readonly askAll: (
    method: string,
    path: string,
    newcomer: string,
  ) => Promise<{
    readonly statuses: Readonly<Record<string, number>>;
    readonly told: readonly string[];
  }>;
  /** What everybody must get where the call answers `status` to those who may make it. */
  readonly allowed: (level: Level, status: number) => Readonly<Record<string, number>>;
  /** The calls of the OpenAPI document, each with the types of its answer. */
  readonly documentedCalls: () => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly close: () => Promise<void>;
};

export async function openEverybody(): Promise<Everybody> {
  const outside = await outsideTokens(TEST_NOW);
  const shop = await openTestApp({
    discord: { clientId: "app", clientSecret: "secret", baseUrl: "http://127.0.0.1:9" },
    outsideIssuers: [outside.issuer],
  });
  const people = {
    user: await shop.person("Ursula"),
    other: await shop.person("Other"),
    former: await shop.person("Former"),
    admin: await shop.person("Admin"),
  };
  const roleDeps = { ...shop.deps, keys: createReservationKeys(shop.deps.sql) };
  await becomeFirstAdmin(roleDeps, people.admin.uid, () => Promise.resolve());
  await shop.database.sql`
    insert into identity.issuer_subjects (issuer, subject, uid, linked_at)
    values (${outside.issuer.issuer}, 'admin-outside', ${people.admin.uid}, now())`;
  await giveRole(shop.deps, people.former.uid, "admin");
  await giveRole(shop.deps, people.former.uid, "user");
  const seller = await shop.person("Seller");
  const things = await makePrivateThings({ shop, owner: people.user, seller, admin: people.admin });
  const strangers = await strangersOf(shop, outside, people.admin);
  const store = { shop, people, things, outside };
  const send: Everybody["send"] = (...request) => ask(shop, ...request);
  return {
    ...store,
    send,
    askAll: (...request) => askAll({ ...store, send, strangers }, ...request),
    allowed: (level, status) => allowed(strangers, level, status),
    documentedCalls: () => documentedCalls(shop),
    close: shop.close,
  };
}

async function ask(
  shop: TestApp,
  method: string,
  path: string,
  token: string | undefined,
): Promise<Answered> {
  const takesBody = method !== "GET" && method !== "DELETE";
  const response = await shop.app.request(`http://app.test${path}`, {
    method,
    headers: {
      Origin: "http://app.test",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(takesBody ? { "Content-Type": "application/json" } : {}),
    },
    ...(takesBody ? { body: "{}" } : {}),
  });
  // A stream of events never ends.
  if (response.headers.get("Content-Type")?.startsWith("text/event-stream") === true) {
    await response.body?.cancel();
    return { status: response.status, text: "" };
  }
  return { status: response.status, text: await response.text() };
}

async function askAll(
  {
    shop,
    people,
    things,
    outside,
    send,
    strangers,
  }: Pick<Everybody, "shop" | "people" | "things" | "outside" | "send"> & {
    readonly strangers: readonly Stranger[];
  },
  ...[method, path, newcomer]: Parameters<Everybody["askAll"]>
) {
  const callers = [
    ...strangers.map(({ who, token }) => ({ who, tokenOf: () => Promise.resolve(token) })),
    // New tokens for each request: some calls end all sessions of the caller.
    ...insiders.map((who) => ({
      who,
      tokenOf: () => shop.identity.issueTokenFor(people[who].uid),
    })),
    { who: "a newcomer", tokenOf: () => outside.token({ subject: newcomer }) },
  ];
  const answers = await Promise.all(
    callers.map(async ({ who, tokenOf }) => ({
      who,
      ...(await send(method, path, await tokenOf())),
    })),
  );
  const others = answers.filter(({ who }) => ["other", "former", "nobody"].includes(who));
  return {
    statuses: Object.fromEntries(answers.map(({ who, status }) => [who, status])),
    told: things.words.filter(
      (word) => !path.includes(word) && others.some(({ text }) => text.includes(word)),
    ),
  };
}

function allowed(
  strangers: readonly Stranger[],
  level: Level,
  status: number,
): Readonly<Record<string, number>> {
  const byLevel: Readonly<Partial<Record<Level, number>>> = {
    admin: 403,
    own: 403,
    owner: 403,
    private: 404,
  };
  const forOther = byLevel[level] ?? status;
  return {
    ...Object.fromEntries(
      strangers.map((stranger) => [stranger.who, level === "open" ? status : stranger.status]),
    ),
    user: level === "admin" ? 403 : status,
    other: forOther,
    former: forOther,
    admin: level === "owner" ? 403 : status,
    "a newcomer": level === "open" || level === "any-token" ? status : 403,
  };
}

const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        responses: z.record(
          z.string(),
          z.object({ content: z.record(z.string(), z.unknown()).optional() }),
        ),
      }),
    ),
  ),
});

async function documentedCalls(shop: TestApp): Promise<ReadonlyMap<string, readonly string[]>> {
  const { body } = await shop.call("GET", "/api/openapi.json");
  return new Map(
    Object.entries(documentShape.parse(body).paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { responses }]) =>
          [
            `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
            Object.keys(responses["200"]?.content ?? {}),
          ] as const,
      ),
    ),
  );
}

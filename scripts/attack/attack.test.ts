// Every attack in its short form against a store in this process, and against the same store with a guard taken away.
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppEnv } from "#http/env.ts";
import { type HttpServer, startHttpServer } from "#http/server.ts";
import { readWebBuild } from "#http/web-build.ts";
import { asText } from "#mail/letter.ts";
import { webBuildFolder } from "#process/machine.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { tryAttack } from "./attack.ts";
import { attackGroups } from "./attacks.ts";
import { type Ground, openGround } from "./ground.ts";
import { createSend, SignUpsUsedUp } from "./send.ts";
import { judgeTimes } from "./timing.ts";

let shop: TestApp;
let admin: TestPerson;
let ground: Ground;
let closing: AsyncDisposableStack;

beforeAll(async () => {
  await using parts = new AsyncDisposableStack();
  shop = await openTestApp({ proxyCount: 1, webBuild: await readWebBuild(webBuildFolder) });
  parts.defer(shop.close);
  const server = await serve(shop.app);
  parts.defer(() => server.close(0));
  admin = await shop.person("Admin", "admin");
  ground = await openGround({
    url: server.url,
    isThorough: false,
    hasProxy: true,
    admin: () => Promise.resolve({ token: admin.token, address: "203.0.113.1" }),
    lettersTo: (email) =>
      Promise.resolve(shop.letters.filter(({ to }) => to === email).map(asText)),
  });
  parts.defer(() => Promise.resolve(ground.close()));
  closing = parts.move();
});

afterAll(() => closing.disposeAsync());

const serve = (app: Hono<AppEnv>): Promise<HttpServer> =>
  startHttpServer({ app, host: "127.0.0.1", port: 0, closeStreams: () => undefined });

const attacks = attackGroups.flatMap((group) => group.attacks);

describe.each(attackGroups)("$name", (group) => {
  it.each(group.attacks)("$name: $expected", async (attack) => {
    const { kind, what } = await tryAttack(ground, attack);
    expect(kind === "found" ? what : "").toBe("");
  });
});

type Change = (request: Request) => Request | Promise<Request>;

const withHeaders = (request: Request, headers: Readonly<Record<string, string>>): Request => {
  const changed = new Request(request);
  for (const [name, value] of Object.entries(headers)) {
    changed.headers.set(name, value);
  }
  return changed;
};

/** The same store behind something that changes requests or answers. */
async function withoutGuard(
  before: Change,
  after: (answer: Response) => Response,
  names: readonly string[],
): Promise<readonly string[]> {
  const app = new Hono<AppEnv>();
  app.all("*", async (c) => after(await shop.app.fetch(await before(c.req.raw), c.env)));
  const server = await serve(app);
  const send = createSend(server.url, true);
  try {
    const found: string[] = [];
    for (const attack of attacks.filter(({ name }) => names.includes(name))) {
      const { kind } = await tryAttack({ ...ground, url: server.url, send }, attack);
      found.push(...(kind === "found" ? [attack.name] : []));
    }
    return found;
  } finally {
    send.close();
    await server.close(0);
  }
}

const same = (answer: Response): Response => answer;

/** An answer with some of its headers changed; an empty value takes one away. */
function changed(answer: Response, headers: Readonly<Record<string, string>>): Response {
  const copy = new Response(answer.body, answer);
  for (const [name, value] of Object.entries(headers)) {
    copy.headers.delete(name);
    if (value !== "") {
      copy.headers.set(name, value);
    }
  }
  return copy;
}

describe("without its guard, the store is found out", () => {
  it.each<readonly [string, Change, (answer: Response) => Response, readonly string[]]>([
    [
      "that limits attempts",
      async (request) => {
        await shop.deps.sql`delete from identity.rate_limits`;
        return request;
      },
      same,
      ["guess a password from one address", "flooding a mailbox with letters"],
    ],
    [
      "that trusts only its own proxy",
      (request) => {
        const [first = ""] = (request.headers.get("X-Forwarded-For") ?? "").split(",");
        return withHeaders(request, { "X-Forwarded-For": first });
      },
      same,
      ["the same with made-up addresses in headers"],
    ],
    [
      "that looks where requests come from",
      (request) =>
        withHeaders(request, {
          Origin: new URL(request.url).origin,
          "Sec-Fetch-Site": "same-origin",
          "Content-Type": "application/json",
        }),
      same,
      [
        "forged requests with the session's cookie",
        "signing a browser in to the attacker's account",
      ],
    ],
    [
      "that adds headers",
      (request) => request,
      (answer) =>
        changed(answer, {
          "Content-Security-Policy": "",
          "Cache-Control": "public",
          "Access-Control-Allow-Origin": "*",
          "Set-Cookie": "refresh_token=for-scripts-too",
        }),
      [
        "reading answers from another origin",
        "cookies' flags",
        "headers of every kind of answer",
        "private answers in caches",
      ],
    ],
    [
      "that asks who somebody is",
      // A new token each time: one of the calls ends all sessions.
      async (request) => {
        const token = await shop.identity.issueTokenFor(admin.uid);
        return withHeaders(request, { Authorization: `Bearer ${token}` });
      },
      same,
      [
        "every call with an id, about another consignor",
        "another consignor's data in lists, searches, histories and files",
        "a token without a signature",
        "a changed token with its old signature",
        "an event stream without a right to it",
        "somebody else's idempotency key",
      ],
    ],
  ])("%s", async (_, before, after, names) => {
    const found = await withoutGuard(before, after, names);
    expect(found.toSorted()).toEqual(names.toSorted());
  });
});

it("every attack has a name of its own", () => {
  const names = attacks.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe("times of sign-ins", () => {
  it("tell who has an account if nobody's password is not hashed, also with a few slow answers", () => {
    expect(judgeTimes([70, 72, 69, 71, 300, 74, 70, 73], [4, 5, 4, 90, 6, 4, 5, 4])).toMatchObject({
      kind: "found",
      what: "72 ± 3 ms for a wrong password, 5 ± 1 ms for nobody",
    });
  });

  it("tell nothing if they lie no further apart than those of one side, as on a busy machine", () => {
    const busy = [90, 400, 120, 310, 95, 260, 500, 130];
    expect(judgeTimes(busy, [85, 88, 120, 86, 90, 300, 87, 89])).toMatchObject({ kind: "held" });
    expect(judgeTimes([70, 71, 72, 70], [71, 70, 72, 71])).toMatchObject({ kind: "held" });
  });
});

it("an attack with an account of its own is not tried where its address may make no more", async () => {
  const send: Ground["send"] = async (call, sent) => {
    const reply = await ground.send(call, sent);
    return call === "POST /api/identity/sign-up" ? { ...reply, status: 429 } : reply;
  };
  const named = attacks.filter(({ name }) => name === "names that are HTML");
  const outcomes = await Promise.all(named.map((attack) => tryAttack({ ...ground, send }, attack)));
  expect(outcomes).toEqual([
    {
      kind: "not tried",
      what: expect.stringContaining("too many accounts in an hour (--as-proxy)"),
    },
  ]);
});

it("an attack that breaks off is found, but not one that may make no more accounts", async () => {
  const end = (thrown: Error) =>
    tryAttack(ground, { name: "any", expected: "any", run: () => Promise.reject(thrown) });
  expect((await end(new Error("no answer"))).kind).toBe("found");
  expect((await end(new SignUpsUsedUp("too many"))).kind).toBe("not tried");
});

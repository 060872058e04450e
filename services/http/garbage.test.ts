// Invalid requests of any kind get a refusal in the common shape, never a 500, and change nothing.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { defaultAttemptRules } from "#features/sign-in/attempts.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { jarRoutes } from "#testing/jar/jar-routes.ts";
import { jarEvents, jarStreams } from "#testing/jar/jar.ts";
import { projections } from "../features.ts";
import { allRoutes } from "#testing/shop/register.ts";
import { bodyLike, garbageText, garbageValue, type JsonSchema } from "#testing/service/garbage.ts";
import { sized } from "#testing/trial/size.ts";

const errorShape = z.strictObject({
  error: z.string().regex(/^[a-z][a-z0-9_]+$/),
  message: z.string().min(3),
  details: z.array(z.strictObject({ path: z.string(), message: z.string().min(3) })).optional(),
  current: z.record(z.string(), z.unknown()).optional(),
});

const operation = z.object({
  parameters: z
    .array(z.object({ in: z.string(), name: z.string() }))
    .optional()
    .default([]),
  requestBody: z
    .object({
      content: z.partialRecord(
        z.enum(["application/json", "multipart/form-data"]),
        z.object({ schema: z.unknown() }),
      ),
    })
    .optional(),
  "x-access": z.enum(["open", "any-token", "signed-in", "self", "owner", "admin"]),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

type Call = {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: JsonSchema | undefined;
  /** The body is a form, which may contain files. */
  readonly isForm: boolean;
  readonly access: string;
};

const unlimited = { attempts: 1_000_000, perSeconds: 60 };

let shop: TestApp;
let people: readonly (TestPerson | undefined)[];
/** By uid; "sign out everywhere" is one of the calls and ends them. */
let tokens: Map<string, string>;
let ids: readonly string[];
let calls: readonly Call[];

beforeAll(async () => {
  shop = await openTestApp({
    routes: [jarRoutes, ...allRoutes],
    streams: jarStreams,
    events: jarEvents,
    projections: [...projections, jarBook],
    discord: { clientId: "app", clientSecret: "secret", baseUrl: "http://127.0.0.1:9" },
    commandRules: { perMinute: unlimited, perDay: unlimited },
    attemptRules: {
      ...defaultAttemptRules,
      signUpsByAddress: unlimited,
      signInsByAddress: unlimited,
      signInsByAccount: unlimited,
      signInsByAccountAndAddress: unlimited,
      refreshesByAddress: unlimited,
      signOutsByAddress: unlimited,
      resetsByAddress: unlimited,
      resetsByAccountAndAddress: unlimited,
      resetsByAccount: unlimited,
      verificationsByAccount: unlimited,
      tokensByAddress: unlimited,
      flowsByAddress: unlimited,
      passwordLinksByAccount: unlimited,
      signUpsByEmail: unlimited,
    },
  });
  const [boss, avery] = await Promise.all([shop.person("Boss", "admin"), shop.person("Avery")]);
  // People with money cannot be deleted, so the callers stay.
  const money = { as: boss, body: { balance: 1_000_000 } };
  await shop.call("PUT", `/api/sales/balance/${avery.uid}`, money);
  people = [boss, boss, avery, undefined];
  await signInAgain();
  ids = [avery.uid, boss.uid, "00000000-0000-4000-8000-000000000000", "nobody-nobody-nobody"];
  const { body } = await shop.call("GET", "/api/openapi.json");
  calls = callsIn(documentShape.parse(body));
});

afterAll(() => shop.close());

async function signInAgain(): Promise<void> {
  const uids = people.flatMap((person) => (person === undefined ? [] : [person.uid]));
  tokens = new Map(
    await Promise.all(
      uids.map(async (uid) => [uid, await shop.identity.issueTokenFor(uid)] as const),
    ),
  );
}

function callsIn(document: z.infer<typeof documentShape>): readonly Call[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, details]) => {
      const content = details.requestBody?.content;
      const form = content?.["multipart/form-data"];
      return {
        method: method.toUpperCase(),
        path,
        query: details.parameters.filter((each) => each.in === "query").map(({ name }) => name),
        body: (form ?? content?.["application/json"])?.schema as JsonSchema | undefined,
        isForm: form !== undefined,
        access: details["x-access"],
      };
    }),
  );
}

type Sent = {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: BodyInit | undefined;
};

type Judged = {
  readonly status: number;
  /** The problem with the answer, for any request. */
  readonly complaint: string | undefined;
};

/** Sends it, and checks what is promised of every answer. */
async function send({ path, method, headers, body }: Sent): Promise<Judged> {
  const before = await head();
  const response = await shop.app.request(`http://app.test${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const { status } = response;
  if (method === "DELETE" && path.startsWith("/api/identity/sessions")) {
    await signInAgain();
  }
  if (response.headers.get("Content-Type")?.startsWith("text/event-stream") === true) {
    await response.body?.cancel();
    return { status, complaint: undefined };
  }
  const text = await response.text();
  const what = `${method} ${path} answered ${status}: ${text}`;
  if (status >= 500) {
    return { status, complaint: `${what} ${shop.errorLines.slice(-2).join(" ")}` };
  }
  if (status >= 400 && !errorShape.safeParse(JSON.parse(text)).success) {
    return { status, complaint: `${what}, which is not the error shape` };
  }
  if (status >= 400 && (await head()) !== before) {
    return { status, complaint: `${what}, and something was changed` };
  }
  return { status, complaint: undefined };
}

async function head(): Promise<number> {
  const [row] = await shop.database.sql<{ head: number }[]>`
    select coalesce(max(position), 0) as head from log.events`;
  return row?.head ?? 0;
}

const authorized = (person: TestPerson | undefined): Record<string, string> =>
  person === undefined ? {} : { Authorization: `Bearer ${tokens.get(person.uid)}` };

/** The path with values for its parameters. */
function filled(path: string, values: readonly string[]): string {
  let index = 0;
  return path.replaceAll(/\{[^}]+\}/g, () => {
    const value = values[index % values.length] ?? "x";
    index += 1;
    return encodeURIComponent(value);
  });
}

test("there are calls to test", () => {
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.filter(({ body }) => body !== undefined).length).toBeGreaterThan(5);
});

describe("requests that are nearly valid, or not at all", () => {
  const pathValue = (): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constantFrom(...ids),
      // A URL resolves dots itself, and two of them lead out of the API.
      garbageText.filter((text) => !["", ".", ".."].includes(text)),
    );

  test("are answered or refused in the common shape, and a refusal changes nothing", async () => {
    for (const call of calls) {
      const headerValue = fc.constantFrom("", "0", "-1", "1.5", "x", "99999999999999999999", "é");
      const request = fc.record({
        person: fc.constantFrom(...people),
        params: fc.array(pathValue(), { minLength: 1, maxLength: 2 }),
        query: fc.dictionary(
          fc.oneof(fc.constantFrom("limit", "page", "q", ...call.query), garbageText),
          garbageText,
          { maxKeys: 3 },
        ),
        body: call.body === undefined ? fc.constant(undefined) : bodyLike(call.body),
        headers: fc.dictionary(
          fc.constantFrom("Idempotency-Key", "Ledger-Position", "Authorization", "Cookie"),
          headerValue,
          { maxKeys: 1 },
        ),
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ person, params, query, body, headers }) => {
          const search = new URLSearchParams(query).toString();
          const { complaint } = await send({
            method: call.method,
            path: `${filled(call.path, params)}${search === "" ? "" : `?${search}`}`,
            headers: {
              ...authorized(person),
              ...(call.isForm ? {} : { "Content-Type": "application/json" }),
              ...latin1(headers),
            },
            body: call.isForm ? formLike(body) : JSON.stringify(body),
          });
          expect(complaint).toBeUndefined();
        }),
        { numRuns: sized(4, 20) },
      );
    }
  }, 240_000);
});

/** The same as a form, with PDFs for labels. */
function formLike(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(Object(body))) {
    const said = String(value);
    form.append(name, name === "label" ? new Blob([`%PDF-1.4 ${said}`]) : said);
  }
  return form;
}

/** Header values travel as bytes. */
function latin1(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Buffer.from(value, "utf8").toString("latin1"),
    ]),
  );
}

describe("input that no schema can accept", () => {
  const hopeless: readonly (readonly [string, BodyInit])[] = [
    ["a list", "[]"],
    ["a number", "17"],
    ["null", "null"],
    ["text", '"text"'],
    ["an unknown field", '{"surely unknown":1}'],
    ["a prototype", '{"__proto__":{"role":"admin"},"constructor":{}}'],
    ["a NUL", String.raw`{"itemName":"a\u0000b"}`],
    ["half of a surrogate pair", String.raw`{"itemName":"\udc00"}`],
  ];
  // One reader refuses these for every call, and the large ones take longer than all others.
  const unreadable: readonly (readonly [string, BodyInit])[] = [
    ["half of an object", '{"a":'],
    ["bytes that are not text", Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ["ten megabytes", Buffer.from(`{"itemName":"${"x".repeat(10_000_000)}"}`)],
    ["a hundred thousand brackets", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ];

  test("is refused by every call that takes a body", async () => {
    const [boss] = people;
    const withBodies = calls.filter(({ body }) => body !== undefined);
    for (const [index, call] of withBodies.entries()) {
      const bodies = index % sized(10, 1) === 0 ? [...hopeless, ...unreadable] : hopeless;
      for (const [what, body] of bodies) {
        const { status, complaint } = await send({
          method: call.method,
          path: filled(call.path, ids),
          headers: { ...authorized(boss), "Content-Type": "application/json" },
          body,
        });
        expect(complaint).toBeUndefined();
        expect(status, `${call.method} ${call.path} took ${what}`).toBeGreaterThanOrEqual(400);
      }
    }
  }, 240_000);

  test("is refused in every address", async () => {
    const [boss] = people;
    for (const call of calls) {
      for (const broken of ["%00", "%ff", "%", "%ed%a0%80"]) {
        const inPath = call.path.includes("{")
          ? call.path.replaceAll(/\{[^}]+\}/g, broken)
          : `${call.path}?q=${broken}`;
        const { status, complaint } = await send({
          method: call.method,
          path: inPath,
          headers: { ...authorized(boss), "Content-Type": "application/json" },
          body: call.body === undefined ? undefined : "{}",
        });
        expect(complaint).toBeUndefined();
        expect(status, `${call.method} ${inPath}`).toBe(400);
      }
    }
  }, 240_000);

  test("any wrong value in a single field is refused or accepted, never a failure", async () => {
    const [boss] = people;
    for (const call of calls.filter(({ body }) => body?.properties !== undefined)) {
      for (const field of Object.keys(call.body?.properties ?? {})) {
        await fc.assert(
          fc.asyncProperty(bodyLike(call.body ?? {}), garbageValue, async (body, value) => {
            const { complaint } = await send({
              method: call.method,
              path: filled(call.path, ids),
              headers: { ...authorized(boss), "Content-Type": "application/json" },
              body: JSON.stringify({ ...Object(body), [field]: value }),
            });
            expect(complaint).toBeUndefined();
          }),
          { numRuns: sized(2, 5) },
        );
      }
    }
  }, 240_000);
});

test("everybody's calls are refused without a token, and an admin's also with another's", async () => {
  // A new person, because the calls above may have made others admins.
  const blake = await shop.person("Blake");
  for (const call of calls.filter(({ access }) => access !== "open")) {
    const request = {
      method: call.method,
      path: filled(call.path, ["nobody-nobody-nobody"]),
      body: call.body === undefined ? undefined : "{}",
    };
    const json = { "Content-Type": "application/json" };
    // One of the calls ends all sessions.
    tokens.set(blake.uid, await shop.identity.issueTokenFor(blake.uid));
    const asNobody = await send({ ...request, headers: json });
    const asOther = await send({ ...request, headers: { ...json, ...authorized(blake) } });
    expect([asNobody.complaint, asOther.complaint]).toEqual([undefined, undefined]);
    expect(asNobody.status, `${call.method} ${call.path}`).toBe(401);
    const isForbidden = asOther.status === 403;
    const isEverybodys = call.access === "signed-in" || call.access === "any-token";
    expect(isForbidden, `${call.method} ${call.path}`).toBe(!isEverybodys);
  }
});

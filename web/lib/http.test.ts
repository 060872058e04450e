// Tests the API client: tokens, renewal, positions, keys and error shapes, against a real fetch signature.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";

type Call = { readonly path: string; readonly headers: Headers; readonly body: string | undefined };

const calls: Call[] = [];
let answers: Response[] = [];
/** How many of the next calls get no answer. */
let lost = 0;

/** Each test gets a new client, because positions and tokens are module state. */
async function client() {
  const [http, idToken, apiError] = await Promise.all([
    import("./http.ts"),
    import("./id-token.ts"),
    import("./api-error.ts"),
  ]);
  return { ...http, ...idToken, ...apiError };
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

const signedIn = (idToken: string) => json({ uid: "u", idToken, expiresIn: 3600 });
const answerSchema = z.strictObject({ balance: z.number() });

beforeEach(() => {
  vi.resetModules();
  calls.length = 0;
  answers = [];
  lost = 0;
  const storage = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    calls.push({
      path,
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? init.body : undefined,
    });
    lost -= 1;
    const answer = lost >= 0 ? undefined : answers.shift();
    return answer === undefined
      ? Promise.reject(new TypeError("no network"))
      : Promise.resolve(answer);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("a read sends back the highest position of any answer so far", async () => {
  const { read, send } = await client();
  answers = [
    json({ balance: 1 }, 200, { "Ledger-Position": "7" }),
    json({ balance: 1 }, 200, { "Ledger-Position": "5" }),
    json({ balance: 2 }, 200, { "Ledger-Fresh-To": "9" }),
  ];
  const command = { method: "POST", path: "/a", answer: answerSchema, key: "k" } as const;
  await send(command);
  await send(command);
  const fresh = await read("/b", answerSchema);
  expect(calls.map((call) => call.headers.get("Ledger-Position"))).toEqual([null, null, "7"]);
  expect(fresh).toMatchObject({ value: { balance: 2 }, freshTo: 9, isStale: false });
});

it("an answer that was asked for before a mutation ended is outdated", async () => {
  const { read, send, isOutdated } = await client();
  answers = [json({ balance: 1 }), json({ balance: 2 }), json({ balance: 3 })];
  const before = await read("/users/u/balance", answerSchema);
  expect(isOutdated(before)).toBe(false);
  const sending = send({ method: "POST", path: "/sales", answer: answerSchema, key: "k" });
  // When it ends, all that is on screen is read again.
  expect(isOutdated(before)).toBe(false);
  await sending;
  expect(isOutdated(before)).toBe(true);
  expect(isOutdated(await read("/users/u/balance", answerSchema))).toBe(false);
});

it("a stale answer is marked and keeps its shape", async () => {
  const { read } = await client();
  answers = [json({ balance: 3, stale: true })];
  expect(await read("/b", answerSchema)).toMatchObject({ value: { balance: 3 }, isStale: true });
});

it("a 401 renews the token once and repeats the call with the same key", async () => {
  const { adoptToken, send } = await client();
  await adoptToken(signedIn("old"));
  answers = [json({}, 401), signedIn("new"), json({ balance: 4 })];
  await send({ method: "POST", path: "/a", body: { x: 1 }, answer: answerSchema, key: "once" });
  expect(calls.map((call) => call.path)).toEqual(["/api/a", "/api/identity/refresh", "/api/a"]);
  expect(calls[0]?.headers.get("Authorization")).toBe("Bearer old");
  expect(calls[2]?.headers.get("Authorization")).toBe("Bearer new");
  expect(calls[2]?.headers.get("Idempotency-Key")).toBe("once");
  expect(calls[2]?.body).toBe('{"x":1}');
});

it("a session that cannot be renewed signs out", async () => {
  const { adoptToken, read, whenSignedOut, sessionHint } = await client();
  const signedOut = vi.fn<() => void>();
  whenSignedOut(signedOut);
  await adoptToken(signedIn("old"));
  answers = [json({ error: "invalid_token", message: "x" }, 401), json({}, 401)];
  await expect(read("/b", answerSchema)).rejects.toMatchObject({ status: 401 });
  expect(signedOut).toHaveBeenCalledOnce();
  expect(sessionHint.read()).toBe("closed");
});

it("a renewal whose answer is lost is requested again, and nobody is signed out", async () => {
  const { adoptToken, read, whenSignedOut, sessionHint } = await client();
  const signedOut = vi.fn<() => void>();
  whenSignedOut(signedOut);
  await adoptToken(json({ uid: "u", idToken: "ending", expiresIn: 1 }));
  lost = 1;
  answers = [signedIn("new"), json({ balance: 1 })];
  await read("/a", answerSchema);
  expect(calls.map((call) => call.path)).toEqual([
    "/api/identity/refresh",
    "/api/identity/refresh",
    "/api/a",
  ]);
  expect(signedOut).not.toHaveBeenCalled();
  expect(sessionHint.read()).toBe("open");
});

it("two calls that need a new token renew it once", async () => {
  const { adoptToken, read } = await client();
  await adoptToken(json({ uid: "u", idToken: "ending", expiresIn: 1 }));
  answers = [signedIn("new"), json({ balance: 1 }), json({ balance: 2 })];
  await Promise.all([read("/a", answerSchema), read("/b", answerSchema)]);
  expect(calls.filter((call) => call.path.endsWith("/refresh"))).toHaveLength(1);
});

it("a position above the head is forgotten and the read repeated", async () => {
  const { read, noticePosition } = await client();
  noticePosition(99);
  answers = [json({ error: "position_unknown", message: "x" }, 400), json({ balance: 1 })];
  await read("/b", answerSchema);
  expect(calls.map((call) => call.headers.get("Ledger-Position"))).toEqual(["99", null]);
});

it("a refusal keeps its code, sentence and fields", async () => {
  const { read, ApiError } = await client();
  const details = [{ path: "amount", message: "Please enter a valid amount" }];
  answers = [json({ error: "validation_failed", message: "Not valid", details }, 400)];
  const error = await read("/b", answerSchema).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 400,
    code: "validation_failed",
    isUncertain: false,
    details,
  });
});

it("a 403 reads again who is signed in, except for that read itself", async () => {
  const { read, whenForbidden } = await client();
  const forbidden = vi.fn<() => void>();
  whenForbidden(forbidden);
  const refused = () => json({ error: "forbidden", message: "Admin access required" }, 403);
  answers = [refused(), refused()];
  await expect(read("/a", answerSchema)).rejects.toMatchObject({ status: 403 });
  await expect(read("/auth/me", answerSchema)).rejects.toMatchObject({ status: 403 });
  expect(forbidden).toHaveBeenCalledOnce();
});

it("a missing answer is an uncertain error", async () => {
  const { read } = await client();
  await expect(read("/b", answerSchema)).rejects.toMatchObject({ status: 0, isUncertain: true });
});

it("an answer with another shape is an error, not a broken screen", async () => {
  const { read } = await client();
  answers = [json({ balance: "much" })];
  const { isOlderPage } = await import("./page-age.ts");
  expect(isOlderPage()).toBe(false);
  await expect(read("/b", answerSchema)).rejects.toMatchObject({
    code: "unexpected_answer",
    message: "This page is older than the store. Reload it.",
    isOfOlderPage: true,
  });
  expect(isOlderPage()).toBe(true);
});

it("a page notices that the server has another build than its own, once", async () => {
  const { read } = await client();
  const { isOlderPage, whenOlderPage } = await import("./page-age.ts");
  const noticed = vi.fn<() => void>();
  whenOlderPage(noticed);
  vi.stubGlobal("document", { documentElement: { dataset: { build: "first" } } });
  const servedBy = (build: string) => json({ balance: 1 }, 200, { "Web-Build": build });
  answers = [servedBy("first"), json({ balance: 1 }), servedBy("second"), servedBy("second")];
  await read("/a", answerSchema);
  await read("/a", answerSchema);
  expect(isOlderPage()).toBe(false);
  await read("/a", answerSchema);
  await read("/a", answerSchema);
  expect(isOlderPage()).toBe(true);
  expect(noticed).toHaveBeenCalledOnce();
});

it("a page that nobody uses renews its token without prolonging the session", async () => {
  const { renewToken } = await client();
  const { noticeUse } = await import("./page-use.ts");
  answers = ["a", "b", "c", "d"].map(signedIn);
  // Opening the page was a use.
  await renewToken();
  await renewToken();
  noticeUse();
  await renewToken();
  await renewToken();
  expect(calls.map(({ body }) => body)).toEqual(["{}", '{"idle":true}', "{}", '{"idle":true}']);
});

it("an answer that is not an error of ours says that an error occurred", async () => {
  const { errorOf, asApiError } = await client();
  expect(await errorOf(new Response("<h1>Bad gateway</h1>", { status: 502 }))).toMatchObject({
    status: 502,
    message: "An error occurred",
  });
  expect(asApiError("thrown words").message).toBe("An error occurred");
});

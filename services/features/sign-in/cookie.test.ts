// Known browsers: each has its own count of guesses for its account, and a cookie that nobody else can make.
import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeBrowserCookie } from "#features/sign-in/cookie.ts";
import {
  BROWSER_COOKIE,
  moved,
  networkOf,
  type Siege,
  SIEGE_PASSWORD,
  siegeOf,
} from "#testing/service/siege.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { textIn, visitorOf } from "#testing/service/visitor.ts";

const DAY_MS = 86_400_000;
const password = SIEGE_PASSWORD;

let shop: TestApp;
let count = 0;
let siege: Siege;

beforeAll(async () => {
  shop = await openTestApp({ proxyCount: 1 });
});

beforeEach(async () => {
  await shop.database.sql`delete from identity.rate_limits`;
  count += 1;
  siege = siegeOf(shop, `owner${count}@people.test`);
});

afterAll(() => shop.close());

describe("a known browser", () => {
  test("may guess ten times and then has to wait, but the owner's other browsers do not", async () => {
    const owner = await siege.signUp();
    const second = visitorOf(shop, networkOf(1_006));
    await siege.signIn(second);
    const stolen = moved(shop, owner, networkOf(4_000));
    const tries = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        siege.signIn(index % 2 === 0 ? stolen : owner, `guess ${index}`),
      ),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(10);
    const limited = await siege.signIn(stolen);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await siege.signIn(second)).status).toBe(200);
    shop.advance(15 * 60_000);
    expect((await siege.signIn(stolen)).status).toBe(200);
  });

  test("may sign in successfully any number of times, and a right password resets the count", async () => {
    const owner = await siege.signUp();
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 5; index += 1) {
        expect((await siege.signIn(owner, "mistyped")).status).toBe(400);
      }
      expect((await siege.signIn(owner)).status).toBe(200);
    }
  });

  test("gets no more guesses by refreshing its session, with or without its cookie", async () => {
    const owner = await siege.signUp();
    const browserIn = (cookie: string | undefined) => cookie?.split(".")[1];
    const first = browserIn(owner.cookies.get(BROWSER_COOKIE));
    owner.cookies.delete(BROWSER_COOKIE);
    await owner.enter("/api/identity/refresh", {});
    expect(browserIn(owner.cookies.get(BROWSER_COOKIE))).toBe(first);
    await siege.signIn(owner);
    expect(browserIn(owner.cookies.get(BROWSER_COOKIE))).not.toBe(first);
  });

  test("is known only to its own account", async () => {
    await siege.signUp();
    const other = await siegeOf(shop, `other${count}@people.test`).signUp(
      visitorOf(shop, networkOf(1_007)),
    );
    await siege.attack();
    expect((await siege.signIn(other)).status).toBe(429);
    expect((await siege.askForLetter(other)).status).toBe(429);
  });

  test("is not known by a cookie that was changed, combined or made up, and such a cookie causes no error", async () => {
    const owner = await siege.signUp();
    const other = await siegeOf(shop, `other${count}@people.test`).signUp(
      visitorOf(shop, networkOf(1_008)),
    );
    await siege.attack();
    const [mine = "", theirs = ""] = [
      owner.cookies.get(BROWSER_COOKIE),
      other.cookies.get(BROWSER_COOKIE),
    ];
    const [account = ""] = mine.split(".");
    const rest = theirs.split(".").slice(1).join(".");
    const forged = [
      `${account}.${rest}`,
      mine.replace(/\.\d+\./, ".9999999999."),
      `${mine.slice(0, -1)}${mine.endsWith("A") ? "B" : "A"}`,
      mine.slice(0, -1),
      `${mine}${mine}`,
      "~~~",
      "%",
      "a.b.c.d",
      "",
    ];
    for (const cookie of forged) {
      const visitor = visitorOf(shop, networkOf(5_000));
      visitor.cookies.set(BROWSER_COOKIE, cookie);
      expect((await siege.signIn(visitor)).status).toBe(429);
    }
    expect((await siege.signIn(owner)).status).toBe(200);
  });

  test("reveals no more about other people's accounts than any other browser", async () => {
    await siege.signUp();
    const other = await siegeOf(shop, `other${count}@people.test`).signUp(
      visitorOf(shop, networkOf(1_009)),
    );
    const asked = async (as: Siege) => {
      const answers = [];
      for (let index = 0; index < 11; index += 1) {
        const { status, body } = await as.signIn(other, "guess");
        answers.push(index < 10 ? status : { status, body });
      }
      return answers;
    };
    expect(await asked(siege)).toEqual(await asked(siegeOf(shop, `nobody${count}@people.test`)));
  });

  test("is known to several accounts, at most eight", async () => {
    const shared = visitorOf(shop, "198.51.100.1");
    const people = Array.from({ length: 9 }, (_, index) =>
      siegeOf(shop, `till${index}-${count}@people.test`),
    );
    for (const person of people) {
      await person.signUp(shared);
      shared.cookies.delete("refresh_token");
    }
    const known = shared.cookies.get(BROWSER_COOKIE) ?? "";
    expect(known.split("~")).toHaveLength(8);
    const answers = [];
    for (const person of [...people.slice(0, 2), ...people.slice(8)]) {
      await shop.database.sql`delete from identity.rate_limits`;
      await person.attack();
      answers.push((await person.signIn(moved(shop, shared, networkOf(6_000)))).status);
    }
    expect(answers).toEqual([429, 200, 200]);
  });

  test("is known for a year after its last use, and a refresh counts as use", async () => {
    const [idle, used] = [await siege.signUp(), visitorOf(shop, networkOf(1_010))];
    await used.enter("/api/identity/sign-in", { email: siege.email, password });
    const old = used.cookies.get(BROWSER_COOKIE);
    await used.enter("/api/identity/refresh", {});
    expect(used.cookies.get(BROWSER_COOKIE)).toBe(old);
    shop.advance(8 * DAY_MS);
    await used.enter("/api/identity/refresh", {});
    expect(used.cookies.get(BROWSER_COOKIE)).not.toBe(old);
    shop.advance(358 * DAY_MS);
    await siege.attack();
    expect((await siege.signIn(moved(shop, used, networkOf(2_004)))).status).toBe(200);
    expect((await siege.signIn(moved(shop, idle, networkOf(2_005)))).status).toBe(429);
    // Nobody is forgotten because of a clock that was a year ahead.
    shop.advance(-366 * DAY_MS);
    await siege.attack();
    expect((await siege.signIn(moved(shop, idle, networkOf(2_006)))).status).toBe(200);
  });
});

test("has a cookie that scripts cannot read, that stays on this site, and that contains nothing personal", async () => {
  const visitor = visitorOf(shop, networkOf(1_011));
  const answer = await visitor.enter("/api/identity/sign-up", { email: siege.email, password });
  const line =
    answer.headers.getSetCookie().find((one) => one.startsWith(`${BROWSER_COOKIE}=`)) ?? "";
  expect(line).toMatch(/; Max-Age=31536000; Path=\/api; HttpOnly; SameSite=Lax$/);
  const said = line.split(";")[0] ?? "";
  expect(said).not.toContain(textIn(answer, "uid"));
  expect(Buffer.from(said, "base64url").toString("latin1")).not.toContain("owner");

  const app = new Hono();
  app.get("/", (c) => {
    writeBrowserCookie(c, "known", { isSecure: true, keepSeconds: 60 });
    return c.text("");
  });
  expect((await app.request("/")).headers.get("Set-Cookie")).toContain("; Secure");
});

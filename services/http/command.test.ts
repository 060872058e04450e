// A command over HTTP is executed once, however often it is sent, and its answer says how far the ledger is.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { fillOverHttp, jarFeature } from "#testing/jar/jar-feature.ts";

let shop: TestApp;
let boss: TestPerson;
let deputy: TestPerson;
let avery: TestPerson;
let blake: TestPerson;

beforeAll(async () => {
  shop = await openTestApp(jarFeature);
  [boss, deputy, avery, blake] = await Promise.all([
    shop.person("Boss", "admin"),
    shop.person("Deputy", "admin"),
    shop.person("Avery"),
    shop.person("Blake"),
  ]);
});

afterAll(() => shop.close());

function fill(jar: string, cents: number, key: string, as = boss) {
  return fillOverHttp(shop, as, { jar, cents, key });
}

test("an accepted command is answered with the position at which it can be read", async () => {
  const answer = await fill("a", 100, "a-1");
  expect(answer).toMatchObject({ status: 200, body: { cents: 100 } });
  expect(Number(answer.headers.get("Ledger-Position"))).toBeGreaterThan(0);
  expect(answer.headers.get("Idempotency-Replayed")).toBeNull();
});

test("the same key and request give the first answer and change nothing, also for another admin", async () => {
  const first = await fill("b", 100, "b-1");
  await fill("b", 50, "b-2");
  for (const as of [boss, deputy]) {
    const again = await fill("b", 100, "b-1", as);
    expect(again).toMatchObject({ status: 200, body: { cents: 100 } });
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.headers.get("Ledger-Position")).toBe(first.headers.get("Ledger-Position"));
  }
  const read = await shop.call("GET", "/api/jars/b", { as: boss });
  expect(read.body).toEqual({ cents: 150 });
});

test("the same key with another body or path is a 422, and a query that the call does not take is a 400", async () => {
  await fill("c", 100, "c-1");
  for (const [path, cents, status, error] of [
    ["/api/jars/c/fill", 200, 422, "idempotency_key_reused"],
    ["/api/jars/d/fill", 100, 422, "idempotency_key_reused"],
    ["/api/jars/c/fill?again=1", 100, 400, "validation_failed"],
  ] as const) {
    const answer = await shop.call("POST", path, {
      as: boss,
      body: { cents },
      headers: { "Idempotency-Key": "c-1" },
    });
    expect(answer).toMatchObject({ status, body: { error } });
  }
});

test("the order of fields and white space do not change the request's hash", async () => {
  await fill(boss.uid, 100, "j-0");
  const send = async (body: string) => {
    const answer = await shop.app.request(`http://app.test/api/jars/${boss.uid}/pay`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${boss.token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "j-1",
      },
      body,
    });
    return [answer.status, answer.headers.get("Idempotency-Replayed")];
  };
  expect(await send('{"cents":5,"to":"sink"}')).toEqual([200, null]);
  expect(await send('{ "to": "sink",  "cents": 5 }')).toEqual([200, "true"]);
});

test("each person has their own keys, and an admin's keys are the store's", async () => {
  await fill(avery.uid, 1_000, "e-1");
  await fill(blake.uid, 1_000, "e-2");
  const pay = (as: TestPerson, jar: string, cents: number) =>
    shop.call("POST", `/api/jars/${jar}/pay`, {
      as,
      body: { to: "sink", cents },
      headers: { "Idempotency-Key": "same-key" },
    });
  expect(await pay(avery, avery.uid, 100)).toMatchObject({ status: 200, body: { left: 900 } });
  expect(await pay(blake, blake.uid, 200)).toMatchObject({ status: 200, body: { left: 800 } });
  expect(await pay(boss, avery.uid, 300)).toMatchObject({ status: 200, body: { left: 600 } });
  expect(await pay(avery, blake.uid, 100)).toMatchObject({
    status: 403,
    body: { error: "forbidden" },
  });
});

test("a rejection has its status, code and message, and a 409 is repeated for the same key", async () => {
  await fill("f", 50, "f-0");
  const pay = (key: string, jar: string) =>
    shop.call("POST", `/api/jars/${jar}/pay`, {
      as: boss,
      body: { to: "sink", cents: 60 },
      headers: { "Idempotency-Key": key },
    });
  const first = await pay("f-1", "f");
  await fill("f", 50, "f-2");
  const again = await pay("f-1", "f");
  for (const answer of [first, again]) {
    expect(answer).toMatchObject({
      status: 409,
      body: { error: "jar_too_low", message: "The jar holds 50 cents" },
    });
    expect(answer.headers.get("Ledger-Position")).toBe(first.headers.get("Ledger-Position"));
  }
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  expect(await pay("f-3", "f")).toMatchObject({ status: 200 });
  expect(await pay("f-4", "nobody")).toMatchObject({
    status: 404,
    body: { error: "jar_not_found", message: "There is no jar nobody" },
  });
});

test("without a key, each request is separate", async () => {
  const once = () => shop.call("POST", "/api/jars/g/fill", { as: boss, body: { cents: 5 } });
  expect([(await once()).body, (await once()).body]).toEqual([{ cents: 5 }, { cents: 10 }]);
});

test.each(["", "with space", "x".repeat(201)])("the key %j is a 400", async (key) => {
  const answer = await fill("h", 5, key);
  expect(answer).toMatchObject({ status: 400, body: { error: "invalid_idempotency_key" } });
});

test("a command that throws is an opaque 500 and stores nothing", async () => {
  const answer = await fill("i", 13, "i-1");
  expect(answer).toMatchObject({ status: 500, body: { error: "internal_error" } });
  expect(await fill("i", 20, "i-2")).toMatchObject({ status: 200, body: { cents: 20 } });
});

test.each(["import:x1", "migrate:7:avery"])(
  "nobody chooses a key that the program makes itself: %s",
  async (key) => {
    const answer = await fill("i", 100, key);
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_idempotency_key" } });
  },
);

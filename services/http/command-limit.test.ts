// A consignor cannot fill the ledger with answers that are kept forever; admins and points of sale are never limited.
import { afterEach, expect, test } from "vitest";
import { defaultCommandRules } from "#http/command-limit.ts";
import type { CommandRules } from "#http/command-limit.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;

afterEach(() => shop.close());

async function open(rules: Partial<CommandRules> = {}): Promise<void> {
  const commandRules = { ...defaultCommandRules, ...rules };
  shop = await openTestApp({ commandRules });
}

/** The statuses of a number of requests, one after the other, for more than the balance. */
async function ask(times: number, as: TestPerson, whose: TestPerson): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) {
    statuses.push((await askOnce(as, whose, `k-${index}`)).status);
  }
  return statuses;
}

const askOnce = (as: TestPerson, whose: TestPerson, key: string) =>
  shop.call("POST", `/api/payouts/${whose.uid}/request`, {
    as,
    headers: { "Idempotency-Key": key },
    body: { amount: 1, method: "venmo", paymentUsername: "avery" },
  });

async function keysKept(): Promise<number> {
  const rows = await shop.database.sql`select from log.command_keys where scope like 'user:%'`;
  return rows.length;
}

test("the 61st command of a minute is a 429 that says when to come back, and stores nothing", async () => {
  await open();
  const [avery, blake] = [await shop.person("Avery"), await shop.person("Blake")];
  expect(await ask(60, avery, avery)).toEqual(Array.from({ length: 60 }, () => 409));
  const refused = await askOnce(avery, avery, "one-more");
  expect(refused).toMatchObject({ status: 429, body: { error: "too_many_attempts" } });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  expect(await keysKept()).toBe(60);
  expect((await askOnce(blake, blake, "other")).status).toBe(409);
});

test("at most 600 a day are allowed, whatever the limit per minute", async () => {
  expect(defaultCommandRules).toEqual({
    perMinute: { attempts: 60, perSeconds: 60 },
    perDay: { attempts: 600, perSeconds: 86_400 },
  });
  await open({ perDay: { attempts: 3, perSeconds: 86_400 } });
  const avery = await shop.person("Avery");
  expect(await ask(4, avery, avery)).toEqual([409, 409, 409, 429]);
  const { headers } = await askOnce(avery, avery, "again");
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(3_600);
});

test("a repeated command counts like any other, and is answered until the limit is reached", async () => {
  await open({ perMinute: { attempts: 2, perSeconds: 60 } });
  const avery = await shop.person("Avery");
  const answers = [];
  for (let index = 0; index < 3; index += 1) {
    answers.push(await askOnce(avery, avery, "same"));
  }
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 429]);
  expect(answers[1]?.headers.get("Idempotency-Replayed")).toBe("true");
});

test("an admin sends as many as they want, also for somebody else", async () => {
  await open({ perMinute: { attempts: 2, perSeconds: 60 } });
  const [boss, avery] = [await shop.person("Boss", "admin"), await shop.person("Avery")];
  expect(new Set(await ask(10, boss, avery))).toEqual(new Set([409]));
});

test("a keyed call that is not a command counts with the commands, so that its kept answers are limited too", async () => {
  await open({ perMinute: { attempts: 3, perSeconds: 60 } });
  const [boss, avery] = [await shop.person("Boss", "admin"), await shop.person("Avery")];
  const choose = async (as: TestPerson, key: string) => {
    const headers = { "Idempotency-Key": key };
    const body = { discordNotificationsEnabled: true };
    return (await shop.call("PUT", "/api/auth/me", { as, headers, body })).status;
  };
  expect(await ask(1, avery, avery)).toEqual([409]);
  const statuses = [await choose(avery, "a"), await choose(avery, "b"), await choose(avery, "c")];
  expect(statuses).toEqual([200, 200, 429]);
  const kept = await shop.database.sql`select from identity.kept_answers`;
  expect(kept).toHaveLength(2);
  for (const key of ["d", "e", "f", "g"]) {
    expect(await choose(boss, key)).toBe(200);
  }
});

test("reads do not count", async () => {
  await open({ perMinute: { attempts: 1, perSeconds: 60 } });
  const avery = await shop.person("Avery");
  await ask(2, avery, avery);
  const info = await shop.call("GET", `/api/payouts/${avery.uid}/payment-info`, { as: avery });
  expect(info.status).toBe(200);
});

// A payout goes to the requested account: the event binds the handle, which is stored with it and erased with its owner.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { setBalance } from "#features/accounts/decider.ts";
import { payoutChecks } from "#features/payouts/checks.ts";
import { payoutRoutes } from "#features/payouts/routes.ts";
import type { RouteDeps } from "#http/deps.ts";
import { HandleBoundMeanwhile } from "#identity/payout-handles.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp, TEST_NOW } from "#testing/service/test-app.ts";
import { allRoutes } from "#testing/shop/register.ts";
import { events, projections, streams } from "../../features.ts";

let shop: TestApp;
let boss: TestPerson;
/** While set, this many look-ups of a handle wait for each other. */
let meeting: { readonly size: number; waiting: (() => void)[] } | undefined;

/** Routes whose requests look their handles up before any of them is decided. */
function meetingRoutes(deps: RouteDeps) {
  const bind: PayoutHandles["bind"] = async (uid, method, handle, by) => {
    const bound = await deps.payoutHandles.bind(uid, method, handle, by);
    await new Promise<void>((resolve) => {
      if (meeting === undefined) {
        resolve();
        return;
      }
      meeting.waiting.push(resolve);
      if (meeting.waiting.length === meeting.size) {
        meeting.waiting.forEach((go) => go());
        meeting = undefined;
      }
    });
    return bound;
  };
  return payoutRoutes({ ...deps, payoutHandles: { ...deps.payoutHandles, bind } });
}

beforeEach(async () => {
  meeting = undefined;
  const routes = allRoutes.map((one) => (one === payoutRoutes ? meetingRoutes : one));
  shop = await openTestApp({ routes });
  boss = await shop.person("Boss", "admin");
});

afterEach(() => shop.close());

async function consignorWith(name: string, cents: number): Promise<TestPerson> {
  const person = await shop.person(name);
  const command = {
    uid: person.uid,
    balanceCents: cents,
    expectedCents: null,
    noteId: null,
    happenedAt: TEST_NOW.toISOString(),
  };
  const context = { actor: boss.uid, scope: "store", key: randomUUID(), requestHash: "00" };
  await shop.deps.ledger.execute(setBalance, command, context);
  return person;
}

const ask = (person: TestPerson, amount: number, paymentUsername: string, method = "cashapp") =>
  shop.call("POST", `/api/payouts/${person.uid}/request`, {
    as: person,
    body: { amount, method, paymentUsername },
  });

const requestShape = z.object({ payoutId: z.string() });
const payoutIdOf = (answer: { readonly body: unknown }) => requestShape.parse(answer.body).payoutId;

type Bound = { position: number; id: string; hash: string };

async function requested(): Promise<Bound[]> {
  const rows = await shop.database.sql<Bound[]>`
    select position, data ->> 'handleId' as id, data ->> 'handleHash' as hash from log.events
    where type = 'PayoutRequested' order by position`;
  return [...rows];
}

async function rowsKept() {
  return shop.database.sql<{ handle: string; salt: Buffer | null }[]>`
    select handle, salt from identity.payout_handles order by handle`;
}

async function verify() {
  const { sql } = shop.database;
  const books = { sql, streams, events, projections, heads: [], checks: payoutChecks };
  return verifyBooks({ ...books, withoutReplay: true });
}

describe("a refused request", () => {
  it("stores no handle, however often it is sent", async () => {
    const avery = await consignorWith("Avery", 500);
    for (let index = 0; index < 30; index += 1) {
      expect((await ask(avery, 6, `handle${index}`)).status).toBe(409);
    }
    expect(await rowsKept()).toHaveLength(0);
    expect((await ask(avery, 5, "handle0")).status).toBe(200);
    expect(await rowsKept()).toMatchObject([{ handle: "$handle0", salt: expect.any(Buffer) }]);
  });
});

describe("requests at the same moment", () => {
  it("with the same new handle use the same id and hash, and do not block others", async () => {
    const [avery, blake] = [await consignorWith("Avery", 900), await consignorWith("Blake", 900)];
    meeting = { size: 4, waiting: [] };
    const answers = await Promise.all([
      ask(avery, 1, "avery"),
      ask(avery, 2, "avery"),
      ask(avery, 3, "avery"),
      ask(blake, 1, "avery"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const events = await requested();
    const rows = await rowsKept();
    expect(events).toHaveLength(4);
    expect(rows).toHaveLength(2);
    expect(new Set(events.map(({ id, hash }) => `${id} ${hash}`)).size).toBe(2);
    expect((await verify()).problems).toEqual([]);
  });

  it("have the second one decided again with the stored salt", async () => {
    const { uid } = await shop.person("Avery");
    const { payoutHandles } = shop.identity;
    const { sql } = shop.deps;
    const bind = async () => {
      const bound = await payoutHandles.bind(uid, "venmo", "@avery", uid);
      if (bound === undefined) {
        throw new Error("Avery is known");
      }
      return bound;
    };
    const [first, second] = [await bind(), await bind()];
    expect(second.id).toBe(first.id);
    expect(second.hash).not.toBe(first.hash);
    await sql.begin(first.keep);
    await expect(sql.begin(second.keep)).rejects.toThrow(HandleBoundMeanwhile);
    const third = await bind();
    await sql.begin(third.keep);
    expect(third).toMatchObject({ id: first.id, hash: first.hash });
  });
});

describe("verify", () => {
  it("reports payout and position of each changed handle, whatever was changed", async () => {
    const changes = [
      ["another handle", "set handle = '$mallory'", "its row is not the handle that was requested"],
      ["another method", "set method = 'venmo'", "its row has another method"],
      ["another salt", "set salt = sha256('x')::bytea", "its row is not the handle"],
      ["no salt", "set salt = null", "its row is not the handle"],
      ["another owner", "set uid = '{blake}'", "its row is another person's"],
      ["another id", "set id = gen_random_uuid()", "its row is gone, but the consignor was not"],
    ] as const;
    const blake = await shop.person("Blake");
    const asked: { readonly uid: string; readonly payoutId: string }[] = [];
    for (const index of changes.keys()) {
      const avery = await consignorWith(`Avery${index}`, 900);
      asked.push({ uid: avery.uid, payoutId: payoutIdOf(await ask(avery, 1, `avery${index}`)) });
    }
    expect((await verify()).problems).toEqual([]);
    const { ownerSql } = shop.database;
    await ownerSql.unsafe(
      "alter table identity.payout_handles drop constraint payout_handles_salt_length",
    );
    for (const [index, [, change]] of changes.entries()) {
      await ownerSql.unsafe(
        `update identity.payout_handles ${change.replace("{blake}", blake.uid)} where uid = '${asked[index]?.uid}'`,
      );
    }
    const events = await requested();
    const { problems } = await verify();
    const pending = await shop.call("GET", "/api/payouts/pending", { as: boss });
    for (const [index, [, , found]] of changes.entries()) {
      const [event, payoutId] = [events[index], asked[index]?.payoutId];
      expect(problems).toContainEqual({
        check: "identity",
        position: event?.position,
        message: expect.stringMatching(`payout ${payoutId}, handle ${event?.id}: ${found}`),
      });
      const handleChanged = !found.includes("its row is gone");
      expect(pending.body).toMatchObject({
        payouts: expect.arrayContaining([
          expect.objectContaining({ id: payoutId, handle: null, handleChanged, cashAppLink: null }),
        ]),
      });
    }
  });

  it("the screen offers no handle that the read table leads to, but that the payout's own events do not name", async () => {
    const [avery, mallory] = [
      await consignorWith("Avery", 900),
      await consignorWith("Mallory", 900),
    ];
    const payoutId = payoutIdOf(await ask(avery, 1, "avery"));
    await ask(mallory, 1, "mallory");
    await shop.runner.catchUp();
    const [, thief] = await requested();
    const { sql } = shop.database;
    const forged = randomUUID();
    await sql`
      insert into identity.payout_handles (id, uid, method, handle, salt)
      select ${forged}, ${avery.uid}, method, handle, salt from identity.payout_handles
      where id = ${thief?.id ?? ""}`;
    const seen = async () => {
      const { body } = await shop.call("GET", "/api/payouts/pending", { as: boss });
      const payouts: unknown = Reflect.get(Object(body), "payouts");
      return Array.isArray(payouts)
        ? payouts.find((payout) => Reflect.get(Object(payout), "id") === payoutId)
        : undefined;
    };
    expect(await seen()).toMatchObject({ handle: "$avery", handleChanged: false });
    for (const position of [0, thief?.position ?? 0]) {
      await sql`
        update read.payouts set handle_id = ${forged}, handle_position = ${position}
        where payout_id = ${payoutId}`;
      const refused = { handle: null, handleChanged: true, cashAppLink: null };
      expect(await seen()).toMatchObject(refused);
    }
  });

  it("finds a handle that no request ever named, which would be suggested for the next one", async () => {
    const avery = await consignorWith("Avery", 900);
    await ask(avery, 1, "avery");
    await shop.database.ownerSql`
      insert into identity.payout_handles (id, uid, method, handle, last_used_at)
      values (gen_random_uuid(), ${avery.uid}, 'cashapp', '$mallory', '2099-01-01')`;
    expect((await verify()).problems).toMatchObject([
      { check: "identity", message: expect.stringContaining("it would be suggested, but") },
    ]);
  });

  it("finds a handle that only an admin's request named and that would be suggested all the same", async () => {
    const avery = await consignorWith("Avery", 900);
    await ask(avery, 1, "avery");
    const inPlace = { amount: 1, method: "cashapp", paymentUsername: "eviladmin" };
    const path = `/api/payouts/${avery.uid}/request`;
    const asked = await shop.call("POST", path, { as: boss, body: inPlace });
    const gone = `/api/payouts/${avery.uid}/${payoutIdOf(asked)}`;
    expect((await shop.call("DELETE", gone, { as: boss })).status).toBe(200);
    expect((await verify()).problems).toEqual([]);
    await shop.database.sql`
      update identity.payout_handles set last_used_at = now() where handle = '$eviladmin'`;
    expect((await verify()).problems).toMatchObject([
      {
        check: "identity",
        message: expect.stringContaining(`${avery.uid}: it would be suggested`),
      },
    ]);
  });

  it("refuses a handle with invisible characters", async () => {
    const avery = await consignorWith("Avery", 900);
    for (const handle of ["a\nb", "a\u202Eb", "a\u200Bb"]) {
      expect(await ask(avery, 1, handle)).toMatchObject({ status: 400 });
    }
  });

  it("finds two swapped handles, and a missing one", async () => {
    const avery = await consignorWith("Avery", 900);
    for (const handle of ["one", "two", "three"]) {
      await ask(avery, 1, handle);
    }
    const { ownerSql } = shop.database;
    const [one, two, three] = await requested();
    const [a, b] = [one?.id ?? "", two?.id ?? ""];
    const meanwhile = randomUUID();
    const move = (from: string, to: string) =>
      ownerSql`update identity.payout_handles set id = ${to} where id = ${from}`;
    await move(a, meanwhile);
    await move(b, a);
    await move(meanwhile, b);
    await ownerSql`delete from identity.payout_handles where id = ${three?.id ?? ""}`;
    expect((await verify()).problems.map(({ position }) => position)).toEqual(
      [one, two, three].map((event) => event?.position),
    );
  });

  it("accepts requests of an erased person, whose row, salt and secret are gone", async () => {
    const avery = await consignorWith("Avery", 100);
    const payoutId = payoutIdOf(await ask(avery, 1, "avery"));
    await shop.call("PATCH", `/api/payouts/${avery.uid}/${payoutId}/paid`, { as: boss });
    const gone = await shop.call("DELETE", `/api/auth/users/${avery.uid}`, { as: boss });
    expect(gone.status).toBe(200);
    expect(await rowsKept()).toHaveLength(0);
    const [profile] = await shop.database.sql`
      select handle_secret from identity.profiles where uid = ${avery.uid}`;
    expect(profile).toEqual({ handle_secret: null });
    expect(await verify()).toMatchObject({
      problems: [],
      notes: ["1 payout requests name handles that were erased with their consignors"],
    });
  });
});

it("a requested handle cannot be changed by the application itself", async () => {
  const { sql } = shop.database;
  for (const change of [
    "handle = '$x'",
    "method = 'venmo'",
    "id = gen_random_uuid()",
    "uid = ''",
  ]) {
    await expect(sql.unsafe(`update identity.payout_handles set ${change}`)).rejects.toThrow(
      /permission denied/u,
    );
  }
});

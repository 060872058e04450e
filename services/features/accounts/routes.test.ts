// Accounts over HTTP: what is owed and why, line by line, and an admin's correction of a balance.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explanations } from "../../features.ts";
import { exportLedger } from "#features/accounts/queries.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { looseNotes } from "#testing/shop/sale-shop.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;
let made = 0;

beforeAll(async () => {
  shop = await openTestApp();
  admin = await shop.person("Admin", "admin");
});

afterAll(() => shop.close());

/** A custom sale of this many cents, each at a different time. */
async function sell(person: TestPerson, cents: number, happenedAt: string): Promise<void> {
  made += 1;
  const outcome = await shop.deps.ledger.execute(
    recordCustomSale,
    {
      saleId: `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`,
      consignorId: person.uid,
      itemName: `Thing ${made}`,
      amountCents: cents,
      happenedAt,
    },
    { actor: admin.uid, scope: "store", key: `sale-${made}`, requestHash: "00" },
  );
  expect(outcome.kind).toBe("accepted");
}

const get = (path: string, as: TestPerson) => shop.call("GET", `/api${path}`, { as });
const put = (person: TestPerson, body: unknown) =>
  shop.call("PUT", `/api/sales/balance/${person.uid}`, { as: admin, body });

describe("setting a balance", () => {
  it("books the difference with its reason, and the consignor sees both", async () => {
    const avery = await shop.person("Avery");
    expect(await put(avery, { balance: 12.34, reason: "Opening balance" })).toMatchObject({
      status: 200,
      body: { balance: 12.34, balanceBefore: 0 },
    });
    expect((await get(`/sales/balance/${avery.uid}`, avery)).body).toEqual({
      balance: 12.34,
      inTransit: 0,
    });
    expect((await get(`/sales/ledger/${avery.uid}`, avery)).body).toMatchObject({
      lines: [
        {
          line: 1,
          kind: "adjustment",
          amount: 12.34,
          balanceAfter: 12.34,
          note: "Opening balance",
          description: "Balance set from $0.00 to $12.34 by the store",
        },
      ],
      lineCount: 1,
      nextBefore: null,
    });
  });

  it("that is held back says so with the number it was, to its owner and to admins, and to nobody else", async () => {
    const [avery, blake] = [await shop.person("Avery H"), await shop.person("Blake H")];
    await put(avery, { balance: 5 });
    const { sql } = shop.database;
    await sql`
      insert into read.quarantine (projection, generation, key, at_position, error)
      select name, generation, ${`consignor:${avery.uid}:available`}, 1, 'division by zero'
      from read.projections where name = 'balances' and state = 'live'`;
    for (const person of [avery, admin]) {
      for (const path of [`/sales/balance/${avery.uid}`, `/accounts/${avery.uid}/summary`]) {
        expect((await get(path, person)).body).toMatchObject({ held: 1 });
      }
    }
    expect((await get("/auth/all-users", admin)).body).toMatchObject({ held: 1 });
    for (const person of [blake, admin]) {
      expect((await get(`/sales/balance/${blake.uid}`, person)).body).not.toHaveProperty("held");
    }
    await sql`delete from read.quarantine`;
  });

  it("refuses to overwrite a balance that changed since the form showed it", async () => {
    const avery = await shop.person("Avery 2");
    await put(avery, { balance: 5 });
    const late = { balance: 9, expectedBalance: 4, reason: "Counted again" };
    expect(await put(avery, late)).toMatchObject({
      status: 409,
      body: { error: "balance_changed", message: "The balance is $5.00 by now" },
    });
    expect((await put(avery, { balance: 5, reason: "It is so already" })).status).toBe(200);
    // A reason is not kept if nothing happened.
    expect(await looseNotes(shop)).toEqual([]);
  });

  it("keeps the reason out of the log", async () => {
    const avery = await shop.person("Avery 3");
    await put(avery, { balance: 1, reason: "a secret about Avery" });
    const [found] = await shop.database.sql<{ count: number }[]>`
      select count(*) from log.events e, log.command_keys k
      where e.data::text like '%secret%' or k.answer::text like '%secret%'`;
    expect(found?.count).toBe(0);
  });

  it("keeps the reason of a write-off as the admin's own once the person is deleted", async () => {
    const avery = await shop.person("Avery W");
    await put(avery, { balance: -5 });
    const { ownerSql } = shop.database;
    await ownerSql`update identity.profiles set deactivated_at = now() where uid = ${avery.uid}`;
    expect((await put(avery, { balance: 0, reason: "Written off" })).status).toBe(200);
    const notes = await ownerSql`
      select about_uid from identity.notes where text = 'Written off'`;
    expect(notes).toEqual([{ about_uid: admin.uid }]);
  });

  it.each([[{ balance: 1.234 }], [{ balance: "5" }], [{}], [{ balance: 1, other: 1 }]])(
    "refuses %j",
    async (body) => {
      const avery = await shop.person(`Avery ${(made += 1)}`);
      expect((await put(avery, body)).status).toBe(400);
    },
  );

  it("is for admins, and an account is for its owner", async () => {
    const [avery, blake] = [await shop.person("Avery 4"), await shop.person("Blake 4")];
    const answer = await shop.call("PUT", `/api/sales/balance/${avery.uid}`, {
      as: avery,
      body: { balance: 1_000 },
    });
    expect(answer).toMatchObject({ status: 403, body: { message: "Admin access required" } });
    for (const path of ["/sales/balance/", "/sales/ledger/", "/accounts/"]) {
      const tail = path === "/accounts/" ? "/summary" : "";
      expect((await get(`${path}${avery.uid}${tail}`, blake)).status).toBe(403);
    }
  });
});

describe("the ledger of an account", () => {
  it("pages back with a running balance, and its months open where the one before closed", async () => {
    const avery = await shop.person("Avery 5");
    const instants = [
      "2026-08-31T23:00:00.000Z",
      "2026-09-01T12:00:00.000Z",
      "2026-10-05T08:00:00.000Z",
    ];
    for (const [index, at] of [
      ...instants,
      "2026-10-06T08:00:00.000Z",
      "2026-11-01T04:30:00.000Z",
    ].entries()) {
      await sell(avery, 1_000 * (index + 1), at);
    }
    const first = await get(`/sales/ledger/${avery.uid}?limit=2`, avery);
    expect(first.body).toMatchObject({
      lines: [
        { line: 5, amount: 50, balanceAfter: 150, month: "2026-10" },
        { line: 4, amount: 40, balanceAfter: 100, month: "2026-10" },
      ],
      // The store is in Chicago: 4:30 UTC on November 1 is still October there.
      months: [{ month: "2026-10", opening: 30, closing: 150, lines: 3 }],
      nextBefore: 4,
    });
    const second = await get(`/sales/ledger/${avery.uid}?limit=10&before=4`, avery);
    expect(second.body).toMatchObject({
      lines: [{ line: 3 }, { line: 2 }, { line: 1 }],
      months: [
        { month: "2026-10", opening: 30, closing: 150, lines: 3 },
        { month: "2026-09", opening: 10, closing: 30, lines: 1 },
        { month: "2026-08", opening: 0, closing: 10, lines: 1 },
      ],
      nextBefore: null,
    });
  });

  it("filters by type and by time of booking", async () => {
    const avery = await shop.person("Avery 6");
    await sell(avery, 500, "2026-05-01T12:00:00.000Z");
    await sell(avery, 700, "2026-06-01T12:00:00.000Z");
    await put(avery, { balance: 1 });
    const linesOf = async (query: string) => {
      const { body } = await get(`/sales/ledger/${avery.uid}?${query}`, avery);
      return (Reflect.get(Object(body), "lines") as { line: number }[]).map(({ line }) => line);
    };
    expect(await linesOf("type=BalanceSet")).toEqual([3]);
    expect(await linesOf("type=CustomSaleRecorded,BalanceSet")).toEqual([3, 2, 1]);
    expect(await linesOf("from=2026-05-15T00:00:00.000Z")).toEqual([3, 2]);
    expect(await linesOf("to=2026-05-15T00:00:00.000Z")).toEqual([1]);
    expect(await linesOf("from=2026-05-15T00:00:00.000Z&to=2026-07-01T00:00:00.000Z")).toEqual([2]);
  });

  it("closes a month with the account's balance at the requested time", async () => {
    const avery = await shop.person("Avery 10");
    await sell(avery, 500, "2026-05-01T12:00:00.000Z");
    await sell(avery, 700, "2026-05-20T12:00:00.000Z");
    const asOf = await get(`/sales/ledger/${avery.uid}?to=2026-05-15T00:00:00.000Z`, avery);
    expect(asOf.body).toMatchObject({ months: [{ opening: 0, closing: 5, lines: 1 }] });
  });

  it("exports the filtered lines, oldest first, and says in which month each is booked", async () => {
    const avery = await shop.person("Avery 7");
    await sell(avery, 500, "2026-05-01T12:00:00.000Z");
    await sell(avery, 700, "2026-06-01T12:00:00.000Z");
    await sell(avery, 100, "2026-05-20T12:00:00.000Z");
    const answer = await get(`/sales/ledger/${avery.uid}/export`, avery);
    expect(answer.headers.get("content-disposition")).toContain("ledger.csv");
    const rows = String(answer.body).trim().split("\r\n");
    expect(rows).toHaveLength(4);
    expect(rows[2]).toMatch(/^2,2026-06-01T12:00:00\.000Z,.*,7\.00,12\.00,0\.00,$/u);
    expect(rows[3]).toMatch(/^3,2026-05-20T12:00:00\.000Z,[^,]+,\d+,2026-06,/u);
    const query = {
      uid: avery.uid,
      timeZone: "UTC",
      closings: { closed: [] },
      filters: { types: [], from: undefined, to: undefined },
    };
    const people = { ...shop.deps, explanations };
    const first = (most: number) => exportLedger(shop.deps.searches, people, query, most).next();
    await expect(first(3)).resolves.toMatchObject({ value: { length: 3 } });
    await expect(first(2)).rejects.toMatchObject({
      status: 400,
      code: "too_many_lines",
    });
  });
});

describe("the overview", () => {
  it("sums up the tiles, and gives the balance day by day", async () => {
    const avery = await shop.person("Avery 8");
    await sell(avery, 5_000, "2026-11-18T12:00:00.000Z");
    await shop.call("POST", `/api/payouts/${avery.uid}/request`, {
      as: avery,
      body: { amount: 20, method: "venmo", paymentUsername: "avery" },
    });
    expect((await get(`/accounts/${avery.uid}/summary`, avery)).body).toEqual({
      available: 30,
      inTransit: 20,
      heldForTrades: 0,
      activeItems: 0,
      unitsInTrades: 0,
      salesCount: 1,
      totalPaid: 0,
    });
    const series = await get(`/accounts/${avery.uid}/balance-series?days=5`, avery);
    // Each day as in the history: at noon in the store's time zone.
    expect(series.body).toMatchObject({
      points: [
        { at: "2026-11-18T18:00:00.000Z", balance: 50, inTransit: 0 },
        { at: "2026-11-19T18:00:00.000Z", balance: 50, inTransit: 0 },
        { at: "2026-11-20T18:00:00.000Z", balance: 50, inTransit: 0 },
        { at: "2026-11-21T10:00:00.000Z", balance: 30, inTransit: 20 },
      ],
    });
  });

  it("shows zero without any line", async () => {
    const avery = await shop.person("Avery 9");
    expect((await get(`/sales/ledger/${avery.uid}`, avery)).body).toEqual({
      lines: [],
      months: [],
      lineCount: 0,
      nextBefore: null,
    });
    expect((await get(`/accounts/${avery.uid}/balance-series`, avery)).body).toEqual({
      points: [],
    });
  });
});

describe("a statement", () => {
  const november = "from=2026-11-01&to=2026-11-30";

  it("is for the consignor and for admins, as data, CSV and PDF", async () => {
    const [avery, blake] = [await shop.person("Paula"), await shop.person("Quinn")];
    await sell(avery, 500, "2026-10-31T23:59:59.000Z");
    // One second into November where the store is.
    await sell(avery, 700, "2026-11-01T05:00:01.000Z");
    await put(avery, { balance: 1, reason: '=cmd|"x"' });
    const path = `/accounts/${avery.uid}/statement?${november}`;
    const own = await get(path, avery);
    expect(own).toMatchObject({
      status: 200,
      body: {
        consignorID: avery.uid,
        displayName: "Paula",
        timeZone: "America/Chicago",
        opening: { balance: 5, inTransit: 0 },
        sums: [
          { kind: "sale", lines: 1, amount: 7, inTransitChange: 0 },
          { kind: "adjustment", lines: 1, amount: -11, inTransitChange: 0 },
        ],
        closing: { balance: 1, inTransit: 0 },
        lines: [{ amount: 7 }, { amount: -11, note: '=cmd|"x"' }],
        chainHead: expect.stringMatching(/^[0-9a-f]{64}$/u),
      },
    });
    expect((await get(path, admin)).body).toMatchObject({ displayName: "Paula" });
    expect((await get(path, blake)).status).toBe(403);
    expect((await shop.call("GET", `/api${path}`)).status).toBe(401);

    const csv = await get(`${path}&format=csv`, avery);
    expect(csv.headers.get("content-disposition")).toContain("statement-2026-11-01-2026-11-30.csv");
    const rows = String(csv.body).trimEnd().split("\r\n");
    expect(rows).toHaveLength(8);
    expect(rows[1]).toContain(
      ",Opening balance,2026-11-01 to 2026-11-30 (America/Chicago),,5.00,,0.00,",
    );
    expect(rows[3]).toContain(`-11.00,1.00,0.00,0.00,"'=cmd|""x"""`);
    expect(rows[4]).toContain(",Closing balance so far,");
    expect(rows[5]).toContain(",Store,Consignment Ledger,");
    expect(rows[6]).toContain(String(Reflect.get(Object(own.body), "chainHead")));

    expect(rows[7]).toMatch(/^,,,,Signature,eyJ[\w.-]+,,,,,$/u);

    const pdf = await get(`${path}&format=pdf&paper=a4`, avery);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect(String(pdf.body)).toMatch(/^%PDF-1\.7/u);
  });

  it("without any entry is empty, and adds up to zero", async () => {
    const carol = await shop.person("Ruth");
    expect((await get(`/accounts/${carol.uid}/statement?${november}`, carol)).body).toMatchObject({
      opening: { balance: 0 },
      closing: { balance: 0 },
      sums: [],
      lines: [],
    });
    const pdf = await get(`/accounts/${carol.uid}/statement?${november}&format=pdf`, carol);
    expect(pdf.status).toBe(200);
  });

  it.each([
    ["from=2026-11-01", "to"],
    ["from=2026-12-01&to=2026-11-30", "to"],
    ["from=2026-02-30&to=2026-11-30", "from"],
    ["from=1999-12-31&to=2026-11-30", "from"],
    ["from=2026-11-1&to=2026-11-30", "from"],
    [`${november}&format=doc`, "format"],
    [`${november}&paper=a3`, "paper"],
    [`${november}&position=-1`, "position"],
    [`${november}&position=999999999999999`, "position"],
  ])("refuses the query %s", async (query, path) => {
    const answer = await get(`/accounts/${admin.uid}/statement?${query}`, admin);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it("works at both ends of the calendar", async () => {
    const path = `/accounts/${admin.uid}/statement?from=2000-01-01&to=9999-12-31`;
    expect((await get(path, admin)).status).toBe(200);
  });
});

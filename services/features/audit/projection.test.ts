// The audit's rows: the same live, replayed, folded by hand and folded again one by one.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { auditProjection } from "#features/audit/projection.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, moneyStep, ordinaryDays, plainStep } from "#testing/shop/money-steps.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { sized } from "#testing/trial/size.ts";

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop(AVERY);
});

afterAll(() => shop.close());

type Row = Record<string, unknown>;

/** The actor sells own goods and takes all of the price. */
const allToTheOwner = { ...plainStep, act: "sell", price: 4_000, percentage: 100 } as const;

const asDate = (micros: bigint) => new Date(Number(micros / 1000n));

function peopleOf({ data, streams }: StoredEvent): string[] {
  const fields = Object(data) as Row;
  const offers = Array.isArray(fields["offers"]) ? (fields["offers"] as Row[]) : [];
  const named = ["ownerUid", "consignorId", "uid", "buyerUid", "sellerUid"].map(
    (name) => fields[name],
  );
  const streamed = streams.map(
    ({ streamId }) => /^(?:consignor|user|trader)-(.*)$/u.exec(streamId)?.[1],
  );
  const all = [...named, ...streamed, ...offers.map((offer) => offer["sellerUid"])];
  return [...new Set(all.filter((uid) => typeof uid === "string"))].sort();
}

function isOwnKind({ type, data }: StoredEvent): boolean {
  const fields = Object.keys(Object(data) as Row);
  return type === "SaleRecorded"
    ? fields.includes("usualPercentage") || fields.includes("lowerDefaultPercentage")
    : /^(?:BalanceSet|ConsignorShareAgreed|CustomSaleRecorded|Payout(?:Deleted|Paid|Returned)|(?:Trade|Sale)Refunded|SaleCorrected|UnitsAllocated|UserMigrated)$/u.test(
        type,
      );
}

function fold(events: readonly StoredEvent[]): Row[] {
  return events.map((event) => {
    const amounts = event.postings.map(({ cents }) => cents);
    const own = event.postings
      .filter(({ from, to }) => `${from} ${to}`.includes("consignor:"))
      .map(({ cents }) => cents);
    const cents = amounts.length === 0 ? null : Math.max(...amounts);
    const share = own.length === 0 ? null : Math.max(...own);
    return {
      position: event.position,
      type: event.type,
      actor: event.actor,
      happened_at: asDate(event.happenedAtMicros),
      recorded_at: asDate(event.recordedAtMicros),
      cents,
      share_cents: share === cents ? null : share,
      own_entry: isOwnKind(event) && peopleOf(event).includes(event.actor),
      people: peopleOf(event),
    };
  });
}

const read = () => shop.database.sql<Row[]>`
  select a.*, coalesce((
    select array_agg(p.uid order by p.uid collate "C") from read.audit_people p where p.position = a.position
  ), '{}') as people
  from read.audit_events a order by a.position`;

test("live, replayed and folded by hand every event has the same row and touches the same people", async () => {
  const { sql } = shop.database;
  const steps = fc.array(moneyStep, { minLength: 8, maxLength: 24, size: "max" });
  let through = 0;
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 60 }), async (day, chunk) => {
      for (const step of [...day, ...ordinaryDays.flat(), allToTheOwner]) {
        await shop.take(step);
      }
      await shop.runner.catchUp();
      const expected = fold(await shop.events());
      expect([...(await read())]).toEqual(expected);
      const options = { chunk, events: shop.register };
      const rebuilt = await rebuildProjection(sql, auditProjection, options);
      expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
      expect([...(await read())]).toEqual(expected);
      // Each event is a row key: some of them are enough.
      through = Math.max(through, expected.length - sized(10, 200));
      ({ through } = await refoldEachKey(sql, auditProjection, shop.register, through));
      expect([...(await read())]).toEqual(expected);
    }),
    { numRuns: sized(1, 10), endOnFailure: true },
  );
  const rows = await read();
  // There was enough for a meaningful comparison.
  expect(rows.some((row) => row["share_cents"] !== null)).toBe(true);
  expect(rows.some((row) => row["cents"] === null)).toBe(true);
  const sales = rows.filter((row) => row["type"] === "SaleRecorded");
  expect(new Set(sales.map((row) => row["own_entry"]))).toEqual(new Set([true, false]));
  expect(new Set(rows.map((row) => String(row["people"]))).size).toBeGreaterThan(2);
}, 240_000);

test("an event that cannot be added is held back alone, and its people are told", async () => {
  const { sql } = shop.database;
  const [live] = await sql<{ generation: number }[]>`
    select generation from read.projections where name = 'audit' and state = 'live'`;
  const table = `read.audit_events_g${live?.generation ?? 0}`;
  await sql.unsafe(`alter table ${table} add constraint poison check (cents <> 13) not valid`);
  await shop.take({ ...plainStep, price: 13 });
  await shop.take({ ...plainStep, price: 14 });
  await shop.runner.catchUp();
  const events = await shop.events();
  const last = events.length;
  expect((await read()).map((row) => row["position"]).slice(-2)).toEqual([last - 2, last]);
  const held = await sql`select key from read.quarantine where projection = 'audit'`;
  expect(held).toMatchObject([{ key: String(last - 1) }]);
  const [streams] = await sql`select log.streams_at(${String(last - 1)}) as names`;
  expect(streams?.["names"]).toContain(consignorStreamId(plainStep.uid));
});

// The audit's rows: the same live, replayed, folded by hand and folded again one by one.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredEvent } from "#ledger/log/read.ts";
import { auditProjection } from "#features/audit/projection.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
});

afterAll(() => shop.close());

type Row = Record<string, unknown>;

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
  await expectLiveReplayFold(shop, auditProjection, read, fold);
  const rows = await read();
  // There was enough for a meaningful comparison.
  expect(rows.some((row) => row["share_cents"] !== null)).toBe(true);
  expect(rows.some((row) => row["cents"] === null)).toBe(true);
  expect(new Set(rows.map((row) => String(row["people"]))).size).toBeGreaterThan(2);
}, 240_000);

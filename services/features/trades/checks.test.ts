// Verify proves what trades hold: true books pass, and a cent, a unit or a paper that is wrong is named by its trade.
import { afterAll, beforeAll, expect, it } from "vitest";
import { COMPLETION_DAYS, LABEL_DAYS } from "#features/trades/contract.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let tradeId: string;

beforeAll(async () => {
  market = await openTradeShop();
  const done = await market.accepted();
  await market.upload(market.admin, done.tradeId);
  await market.post(market.admin, `${done.tradeId}/fulfill`);
  const gone = await market.accepted();
  await market.post(market.admin, `${gone.tradeId}/cancel`, {});
  const { seller, ...asked } = await market.requested();
  await market.post(seller, offerPath(asked.tradeId, 1, "decline"));
  ({ tradeId } = await market.accepted());
});

afterAll(() => market.close());

it("finds nothing wrong with trades that are open, fulfilled, cancelled and declined", async () => {
  expect(await market.wrongInBooks({ withoutReplay: true })).toEqual([]);
});

it.each([
  ["an address", "identity.trade_addresses"],
  ["a tracking number", "identity.trade_labels"],
])(
  "finds %s that is gone, one that is somebody else's, and one that nothing names",
  async (_what, table) => {
    const { ownerSql } = market.shop.database;
    const { buyer, seller, ...first } = await market.accepted();
    const second = await market.accepted();
    await market.upload(market.admin, first.tradeId);
    await market.upload(market.admin, second.tradeId);
    const { uid: secondUid } = second.buyer;
    const [row] = await ownerSql<{ id: string }[]>`
    select id from ${ownerSql(table)} where uid = ${secondUid}`;
    await ownerSql`update ${ownerSql(table)} set uid = ${seller.uid} where uid = ${buyer.uid}`;
    await ownerSql`update ${ownerSql(table)} set id = gen_random_uuid() where uid = ${secondUid}`;
    const messages = (await market.wrongInBooks({ withoutReplay: true })).map((found) =>
      String(Reflect.get(Object(found), "message")),
    );
    expect(messages).toEqual([
      expect.stringContaining(`trade ${first.tradeId}`),
      expect.stringContaining("it is gone, but the buyer was not deleted"),
      expect.stringContaining("no event names it"),
    ]);
    await ownerSql`update ${ownerSql(table)} set uid = ${buyer.uid} where uid = ${seller.uid}`;
    await ownerSql`update ${ownerSql(table)} set id = ${row?.id ?? ""} where uid = ${secondUid}`;
  },
);

it.each([
  ["key is gone", "identity.label_keys", "its key is gone, but its owner was not deleted"],
  ["file is gone", "files.labels", "its file is gone"],
])("finds a label in use whose %s", async (_what, table, said) => {
  const { ownerSql } = market.shop.database;
  const { buyer, tradeId: labeled } = await market.accepted();
  await market.upload(market.admin, labeled);
  const [label] = await ownerSql<{ id: string }[]>`
    select id from identity.label_keys where uid = ${buyer.uid}`;
  const id = label?.id ?? "";
  const aside = crypto.randomUUID();
  await ownerSql`update ${ownerSql(table)} set id = ${aside} where id = ${id}`;
  expect(await market.wrongInBooks({ withoutReplay: true })).toMatchObject([
    { check: "identity", message: `trade ${labeled}, label ${id}: ${said}` },
  ]);
  await ownerSql`update ${ownerSql(table)} set id = ${id} where id = ${aside}`;
});

it.each([
  [
    "a held cent",
    "update read.trades set held_cents = held_cents + 1",
    "balances",
    "1401 cents held",
  ],
  [
    "an accepted unit",
    "update read.trade_offers set accepted_units = accepted_units + 1",
    "units",
    "3 units in open acceptances, but it holds 2",
  ],
])("names the trade when %s is wrong", async (_what, tamper, check, said) => {
  const { sql } = market.shop.database;
  await sql.unsafe(`${tamper} where trade_id = '${tradeId}'`);
  const found = await market.wrongInBooks({ withoutReplay: true });
  expect(found).toContainEqual(
    expect.objectContaining({ check, message: expect.stringContaining(`${tradeId}: `) }),
  );
  expect(JSON.stringify(found)).toContain(said);
  await sql.unsafe(`${tamper.replace(" + 1", " - 1")} where trade_id = '${tradeId}'`);
});

it("finds an open offer whose expiry was answered without an event, so that nothing will ever close it", async () => {
  const { ownerSql } = market.shop.database;
  const { tradeId: open } = await market.requested();
  await market.shop.runner.catchUp();
  const [offer] = await ownerSql<{ id: string; expires: Date }[]>`
    select offer_id as id, expires_at as expires from read.trade_offers where trade_id = ${open}`;
  const key = `expire:${offer?.id}:${offer?.expires.toISOString()}`;
  await ownerSql`
    insert into log.command_keys (scope, key, request_hash, answer, position, events)
    values ('system:trades', ${key}, '', '{"happened": false}', 1, 0)`;
  expect(await market.wrongInBooks({ withoutReplay: true })).toContainEqual(
    expect.objectContaining({
      check: "units",
      message: `offer ${offer?.id}: its expiry was answered under ${key}, but nothing was booked`,
    }),
  );
  await ownerSql`delete from log.command_keys where scope = 'system:trades' and key = ${key}`;
});

it("finds a trade whose completion, cancellation or reminder was answered without an event, so that nothing will ever end it", async () => {
  const { sql, ownerSql } = market.shop.database;
  const owed = "provides_own_shipping = true where trade_id =";
  await sql.unsafe(`update read.trades set ${owed} '${tradeId}'`);
  const [waiting] = await sql<{ since: Date }[]>`
    select status_since as since from read.trades where trade_id = ${tradeId}`;
  const [done] = await sql<{ id: string; fulfilled: Date }[]>`
    select trade_id as id, fulfilled_at as fulfilled from read.trades where status = 'fulfilled'`;
  const after = (since: Date | undefined, days: number) =>
    new Date((since?.getTime() ?? 0) + days * 86_400_000).toISOString();
  const keys = [
    `complete:${done?.id}:${after(done?.fulfilled, COMPLETION_DAYS)}`,
    `cancel:${tradeId}:${after(waiting?.since, LABEL_DAYS)}`,
    // A deadline that has moved since is answered so too.
    `complete:${done?.id}:${after(done?.fulfilled, 1)}`,
    `remind:label:${tradeId}:${after(waiting?.since, 0)}:10`,
  ];
  await ownerSql`
    insert into log.command_keys (scope, key, request_hash, answer, position, events)
    select 'system:trades', key, '', '{"kind": "accepted"}', 1, 0 from unnest(${keys}::text[]) key`;
  const messages = (await market.wrongInBooks({ withoutReplay: true })).map((found) =>
    String(Reflect.get(Object(found), "message")),
  );
  expect(messages).toEqual(
    [
      `trade ${tradeId}: its cancellation was answered under ${keys[1]}, but nothing was booked`,
      `trade ${done?.id}: its completion was answered under ${keys[0]}, but nothing was booked`,
      `trade ${tradeId}: its reminder was answered under ${keys[3]}, but nothing was booked`,
    ].toSorted(),
  );
  await ownerSql`delete from log.command_keys where scope = 'system:trades' and key = any(${keys}::text[])`;
  await sql.unsafe(`update read.trades set ${owed.replace("true", "false")} '${tradeId}'`);
});

it("finds nothing wrong once everything is as it was", async () => {
  expect(await market.wrongInBooks()).toEqual([]);
});

// Six months of the sample store, day by day: goods come in, and there are sales, payouts, refunds and corrections.
import { DEFAULT_RATES } from "#features/settings/streams.ts";
import { shareOf } from "#ledger/money.ts";
import { catalog } from "./catalog.ts";
import { SampleMoney } from "./money.ts";
import type { SamplePayout, SampleSale } from "./money.ts";
import { between, locationOf, onDay, pick } from "./past.ts";
import type { Past } from "./past.ts";
import { consignors } from "./people.ts";
import type { SampleConsignor } from "./people.ts";
import { seededRandom } from "./random.ts";
import { tellOfShipments } from "./shipments.ts";
import { SampleStock } from "./stock.ts";
import type { SampleItem } from "./stock.ts";
import { setUpStore } from "./settings.ts";
import { tellOfTags, tellStories } from "./stories.ts";
import { tellOfTrades } from "./trades.ts";
import { SampleCommands } from "./commands.ts";
import type { SampleUids } from "./commands.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const DAYS = 182;
const ITEMS = 300;
const conditions = ["New in box", "Like new", "Open box", "Very good", "Lightly used"];
const refundReasons = [
  "Buyer changed their mind, within 14 days",
  "Not as described: scratch on the back",
  "Arrived damaged, carrier claim filed",
  "Wrong size",
  "Missing a part",
];
const correctionReasons = [
  "Offer was accepted at a lower price",
  "Price typed wrongly",
  "Marketplace credited a coupon",
];

/** All commands in order of time, none later than `now`. */
export function makePast(now: Date, uids: SampleUids): SampleCommands {
  const commands = new SampleCommands(uids);
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const past: Past = {
    stock: new SampleStock(commands),
    money: new SampleMoney(commands),
    random: seededRandom(20_240_531),
    at: (daysAgo, hour, minute = 0) =>
      new Date(midnight - daysAgo * DAY_MS + hour * 3_600_000 + minute * 60_000),
    later: new Map(),
    storyFrom: new Map(),
  };
  setUpStore(commands, (minute) => past.at(DAYS, 13, minute));
  openStore(past);
  tellStories(past);
  tellOfShipments(past, commands);
  for (let daysAgo = DAYS - 2; daysAgo >= 1; daysAgo -= 1) {
    liveDay(past, daysAgo);
  }
  tellOfTrades(past, commands, now);
  tellOfTags(past, now);
  commands.inTurn.sort((one, other) => Date.parse(one.happenedAt) - Date.parse(other.happenedAt));
  return commands;
}

/** A new item of a product that this owner does not have yet, if there is one left. */
function bringIn(past: Past, at: Date, owner: SampleConsignor | null): void {
  const { stock } = past;
  const left = catalog.filter((product) => stock.itemOf(owner, product) === undefined);
  if (left.length > 0) {
    const product = pick(past, left);
    const quantity = owner === null ? between(past, 2, 8) : between(past, 1, 4);
    const location = locationOf(past, product);
    stock.add(at, owner, product, { quantity, location, condition: pick(past, conditions) });
  }
}

function openStore(past: Past): void {
  for (let count = 0; count < 60; count += 1) {
    bringIn(past, past.at(DAYS, 14, count), null);
  }
  for (const [index, who] of consignors.entries()) {
    for (let count = 0; count < 11; count += 1) {
      bringIn(past, past.at(DAYS - 1, 13 + (index >> 1), (index % 2) * 30 + count), who);
    }
  }
}

/** Gives the times of a day in order, each a little later than the one before. */
function liveDay(past: Past, daysAgo: number): void {
  let minute = 0;
  const next = (): Date => {
    minute = Math.min(minute + between(past, 4, 25), 600);
    return past.at(daysAgo, 13, minute);
  };
  for (const work of past.later.get(daysAgo) ?? []) {
    work(next());
  }
  takeIn(past, daysAgo, next);
  const sales = between(past, 2, 6);
  for (let count = 0; count < sales; count += 1) {
    sellSomething(past, daysAgo, next());
  }
  if (past.random() < 0.09) {
    const who = pick(past, freeConsignors(past, daysAgo));
    const names = [
      "Lot of phone cases",
      "Local pick-up: bookshelf",
      "Bundle of DVDs",
      "Trade show sale",
    ];
    past.money.sellCustom(next(), who, pick(past, names), between(past, 8, 60) * 100);
  }
  for (const who of freeConsignors(past, daysAgo)) {
    if (past.money.availableOf(who) > 12_000 && past.random() < 0.1) {
      askForMoney(past, daysAgo, who, next());
    }
  }
}

/** Consignors without a story of their own. */
function freeConsignors(past: Past, daysAgo: number): SampleConsignor[] {
  return consignors.filter((who) => (past.storyFrom.get(who) ?? 0) < daysAgo);
}

function takeIn(past: Past, daysAgo: number, next: () => Date): void {
  const { stock } = past;
  if (daysAgo % 4 === 0 && stock.items.length < ITEMS) {
    const owner = past.random() < 0.25 ? null : pick(past, consignors);
    const at = next();
    for (let count = 0; count < 3 && stock.items.length < ITEMS; count += 1) {
      bringIn(past, at, owner);
    }
  }
  if (daysAgo % 23 === 7) {
    allocateSomething(past, next());
  }
  if (daysAgo % 61 === 30) {
    copySomething(past, next());
  }
  if (daysAgo % 70 === 40) {
    const who = pick(past, consignors);
    const product = pick(past, catalog);
    stock.scan(next(), who, product, { location: locationOf(past, product), units: 6 });
  }
  if (daysAgo % 19 === 3) {
    const item = pick(past, stock.onHand());
    stock.relocate(next(), item, `${item.product.aisle}-09-${pick(past, ["01", "02", "03"])}`);
  }
  if (daysAgo % 24 === 11) {
    const item = pick(
      past,
      stock.onHand().filter(({ quantity }) => quantity > 1),
    );
    stock.count(next(), item, item.quantity - 1, "Stock-take: one was missing");
  }
}

function allocateSomething(past: Past, at: Date): void {
  const { stock } = past;
  const from = stock.onHand().find((item) => item.owner === null && item.quantity >= 4);
  const who = consignors.find(
    (candidate) => from !== undefined && stock.itemOf(candidate, from.product) === undefined,
  );
  if (from !== undefined && who !== undefined) {
    stock.allocate(at, from, who, 2);
  }
}

function copySomething(past: Past, at: Date): void {
  const { stock } = past;
  const from = stock.onHand().find((item) => item.owner !== null && item.quantity >= 2);
  const who = consignors.find(
    (candidate) => from !== undefined && stock.itemOf(candidate, from.product) === undefined,
  );
  if (from !== undefined && who !== undefined) {
    stock.copy(at, from, who, 1);
  }
}

function sellSomething(past: Past, daysAgo: number, at: Date): void {
  const { stock } = past;
  const free = new Set<SampleConsignor | null>([null, ...freeConsignors(past, daysAgo)]);
  const items = stock.onHand().filter(({ owner }) => free.has(owner));
  if (items.length === 0) {
    return;
  }
  const item = pick(past, items);
  const sale = sellItem(past, at, item);
  if (item.quantity === 0 && past.random() < 0.85) {
    const units = between(past, 1, 4);
    onDay(past, daysAgo - between(past, 3, 12), (day) => {
      if (!item.isArchived) {
        stock.receive(day, item, units);
      }
    });
  }
  follow(past, daysAgo, sale);
}

/** Sells at a price near the usual one: online with shipping, or at the point of sale with tax. */
function sellItem(past: Past, at: Date, item: SampleItem): SampleSale {
  const units = item.quantity > 2 && past.random() < 0.1 ? 2 : 1;
  const near = item.product.priceCents * units * (0.84 + past.random() * 0.28);
  const priceCents = Math.max(500, Math.round(near / 50) * 50 - (past.random() < 0.4 ? 1 : 0));
  if (past.random() < 0.25) {
    // Prices at the point of sale include tax.
    const pretaxCents = shareOf(priceCents, 10_000, 10_000 + DEFAULT_RATES.taxRateBasisPoints);
    const salesTaxCents = priceCents - pretaxCents;
    return past.money.sell(at, item, {
      units,
      priceCents: pretaxCents,
      salesTaxCents,
      channel: "pos",
    });
  }
  if (item.owner === null) {
    const priced = past.random() < 0.85 ? priceCents : null;
    return past.money.sell(at, item, { units, priceCents: priced });
  }
  // Cheap things are not sent by an expensive carrier.
  const shippingCents = Math.round(
    Math.min(item.product.shippingCents * (0.8 + past.random() * 0.5), priceCents * 0.18),
  );
  return past.money.sell(at, item, { units, priceCents, shippingCents });
}

/** Some sales are refunded, and some were entered wrong. */
function follow(past: Past, daysAgo: number, sale: SampleSale): void {
  const fate = past.random();
  const day = daysAgo - between(past, 2, 9);
  const { owner } = sale.item;
  const storyFrom = owner === null ? 0 : (past.storyFrom.get(owner) ?? 0);
  if (day <= storyFrom || sale.priceCents === 0) {
    return;
  }
  if (fate < 0.035) {
    const reason = pick(past, refundReasons);
    const isSound = past.random() < 0.7;
    onDay(past, day, (at) => {
      const restock = isSound && !sale.item.isArchived;
      past.money.refund(at, sale, { units: 1, restock, reason });
    });
  } else if (fate < 0.05) {
    const priceCents = Math.max(100, sale.priceCents - between(past, 1, 8) * 50);
    const reason = pick(past, correctionReasons);
    onDay(past, day, (at) => past.money.correctPrice(at, sale, priceCents, reason));
  }
}

/** Most requests are paid within three days; the last ones are still pending. */
function askForMoney(past: Past, daysAgo: number, who: SampleConsignor, at: Date): void {
  const share = 0.55 + past.random() * 0.4;
  const amountCents = Math.floor((past.money.availableOf(who) * share) / 500) * 500;
  const payout: SamplePayout = past.money.requestPayout(at, who, amountCents);
  const paidOn = daysAgo - between(past, 1, 3);
  const isDeleted = past.random() < 0.05;
  if (daysAgo <= 6) {
    return;
  }
  onDay(past, paidOn, (day) =>
    isDeleted ? past.money.deletePayout(day, payout) : past.money.pay(day, payout),
  );
}

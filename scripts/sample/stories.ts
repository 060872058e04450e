// The accounts that a visitor of the demo opens first: each of their lines is written by hand, not by chance.
import type { SamplePayout, SampleSale } from "./money.ts";
import { onDay, ownItem } from "./past.ts";
import type { Past } from "./past.ts";
import { consignors } from "./people.ts";
import type { SampleConsignor } from "./people.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/** Avery has one of everything; Blake waits for money; Logan was paid before a big refund; some balances were adjusted. */
export function tellStories(past: Past): void {
  tellOfAvery(past, named("avery"));
  tellOfLogan(past, named("logan"));
  onDay(past, 97, (at) =>
    past.money.adjust(at, named("casey"), 1500, "Goodwill: one of your parcels was lost here"),
  );
  onDay(past, 55, (at) =>
    past.money.adjust(at, named("harper"), -850, "Return label that you asked for"),
  );
  onDay(past, 26, (at) => past.money.adjust(at, named("blake"), 420, "Shipping was charged twice"));
  tellOfBlake(past, named("blake"));
  tellOfShelves(past);
  for (const [name, daysAgo] of [
    ["gray", 5],
    ["indigo", 2],
    ["harper", 1],
  ] as const) {
    onDay(past, daysAgo, (at) => {
      const half = Math.floor(past.money.availableOf(named(name)) / 1000) * 500;
      if (half > 0) {
        past.money.requestPayout(at, named(name), half);
      }
    });
  }
}

function named(name: string): SampleConsignor {
  const found = consignors.find((who) => who.name === name);
  if (found === undefined) {
    throw new Error(`No consignor is named ${name}`);
  }
  return found;
}

/** A value that is set on one day and used on a later one. */
function held<Thing>(): { put: (thing: Thing) => void; get: () => Thing } {
  const things: Thing[] = [];
  return {
    put: (thing) => void things.push(thing),
    get: () => {
      const [thing] = things;
      if (thing === undefined) {
        throw new Error("The story's days are out of order");
      }
      return thing;
    },
  };
}

const STORY_OF_AVERY = 40;

function tellOfAvery(past: Past, avery: SampleConsignor): void {
  const { money } = past;
  past.storyFrom.set(avery, STORY_OF_AVERY);
  const firstPayout = held<SamplePayout>();
  const bounced = held<SamplePayout>();
  const jordan = held<SampleSale>();
  const bonsai = held<SampleSale>();
  onDay(past, 38, (at) => {
    const all = Math.floor(money.availableOf(avery) / 1000) * 1000;
    firstPayout.put(money.requestPayout(at, avery, all));
  });
  onDay(past, 36, (at) => money.pay(at, firstPayout.get()));
  onDay(past, 29, (at) => {
    const item = ownItem(past, at, avery, "Nintendo Switch OLED, white", 2);
    money.sell(at, item, { priceCents: 27_400, shippingCents: 1_285 });
  });
  onDay(past, 24, (at) => {
    const item = ownItem(past, at, avery, "Air Jordan 1 Mid, size 10", 1);
    jordan.put(money.sell(at, item, { priceCents: 1_225, shippingCents: 0 }));
  });
  onDay(past, 23, (at) =>
    money.correctPrice(at, jordan.get(), 12_250, "The price was typed without its last digit"),
  );
  onDay(past, 18, (at) => {
    const item = ownItem(past, at, avery, "LEGO 10281 Bonsai Tree, sealed", 3);
    bonsai.put(money.sell(at, item, { units: 2, priceCents: 9_500, shippingCents: 845 }));
  });
  onDay(past, 13, (at) =>
    money.refund(at, bonsai.get(), {
      units: 1,
      restock: false,
      reason: "One box arrived crushed; the buyer kept the other",
    }),
  );
  // Keys of their own, so that those of all later payouts stay as they were.
  onDay(past, 12, (at) => bounced.put(money.requestPayout(at, avery, 6_000, "bounced-payout")));
  onDay(past, 10, (at) => money.pay(at, bounced.get(), "bounced-payment"));
  onDay(past, 7, (at) =>
    money.returnPayout(at, bounced.get(), "CashApp sent it back: the account takes no money"),
  );
  onDay(past, 11, (at) => money.sellCustom(at, avery, "Lot of game cases, local pick-up", 2_400));
  onDay(past, 8, (at) => {
    const item = ownItem(past, at, avery, "KitchenAid Artisan Stand Mixer, red", 1);
    money.sell(at, item, { priceCents: 20_323, salesTaxCents: 1_677, channel: "pos" });
  });
  onDay(past, 5, (at) => {
    const item = ownItem(past, at, avery, "Sony WH-1000XM4 Headphones, black", 2);
    money.sell(at, item, { priceCents: 17_150, shippingCents: 1_120 });
  });
  onDay(past, 3, (at) => money.requestPayout(at, avery, 15_000));
  onDay(past, 1, (at) => {
    const item = ownItem(past, at, avery, "Pokémon 151 Elite Trainer Box", 2);
    money.sell(at, item, { priceCents: 6_650, shippingCents: 540 });
  });
}

function tellOfBlake(past: Past, blake: SampleConsignor): void {
  past.storyFrom.set(blake, 6);
  onDay(past, 6, (at) => {
    const item = ownItem(past, at, blake, "Garmin inReach Mini", 2);
    past.money.sell(at, item, { priceCents: 17_900, shippingCents: 980 });
  });
  onDay(past, 4, (at) => past.money.requestPayout(at, blake, 6_500));
}

function tellOfLogan(past: Past, logan: SampleConsignor): void {
  const { money } = past;
  past.storyFrom.set(logan, 22);
  const falcon = held<SampleSale>();
  const payout = held<SamplePayout>();
  onDay(past, 21, (at) => {
    const item = ownItem(past, at, logan, "LEGO 75192 Millennium Falcon, used", 1);
    falcon.put(money.sell(at, item, { priceCents: 56_500, shippingCents: 2_400 }));
  });
  onDay(past, 16, (at) => {
    payout.put(money.requestPayout(at, logan, money.availableOf(logan)));
  });
  onDay(past, 15, (at) => money.pay(at, payout.get()));
  onDay(past, 7, (at) =>
    money.refund(at, falcon.get(), {
      units: 1,
      restock: true,
      reason: "Sent back: eleven pieces are missing",
    }),
  );
}

const TAGGED_DAYS_AGO = 20;
const MARKED_DOWN_DAYS_AGO = 6;

/**
 * Tag prices, a markdown of what has been there for longest, and units that left without a sale. Told last and without
 * chance, so that nothing else of the past depends on it.
 */
export function tellOfTags({ stock }: Past, now: Date): void {
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS);
  const onHand = stock.onHand();
  // In the order of intake: these were there before the tags.
  const there = onHand.slice(0, Math.floor(onHand.length * 0.7));
  const tagged = there.filter((_, index) => index % 4 !== 0);
  stock.price(at(TAGGED_DAYS_AGO), tagged);
  stock.markDown(at(MARKED_DOWN_DAYS_AGO), tagged.slice(0, 12), 25);
  const many = onHand.filter(({ quantity }) => quantity >= 4);
  const consigned = many.findLast(({ owner }) => owner !== null);
  // One with a tag price, so that a lost unit has a value.
  const own = tagged.findLast(({ owner, quantity }) => owner === null && quantity >= 4);
  if (consigned !== undefined && own !== undefined) {
    stock.remove(at(1), consigned, 1, "returned_to_consignor");
    stock.remove(at(1), own, 1, "damaged");
  }
}

/** Items that left the shelves, and one that came back. */
function tellOfShelves(past: Past): void {
  const { stock } = past;
  for (const daysAgo of [120, 71, 34]) {
    onDay(past, daysAgo, (at) => {
      const item = stock.onHand().find(({ owner }) => owner === null);
      if (item !== undefined) {
        stock.archive(at, item);
        if (daysAgo === 71) {
          onDay(past, 69, (day) => stock.restore(day, item));
        }
      }
    });
  }
}

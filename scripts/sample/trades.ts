// A dozen trades of the last two weeks in every state, so that each list of trades in the demo has something to show.
import { acceptOffer, declineOffer } from "#features/trades/decider-answer.ts";
import { cancelTrade } from "#features/trades/decider-cancel.ts";
import { counterOffer } from "#features/trades/decider-counter.ts";
import { expireOffer } from "#features/trades/decider-deadlines.ts";
import { reportTrade } from "#features/trades/decider-problem.ts";
import { requestTrade } from "#features/trades/decider-request.ts";
import { confirmTrade, fulfillTrade, uploadTradeLabel } from "#features/trades/decider-ship.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { labelFile } from "./label.ts";
import type { SampleCommands } from "./commands.ts";
import { sampleId } from "./commands.ts";
import type { Past } from "./past.ts";
import { consignors } from "./people.ts";
import type { SampleConsignor } from "./people.ts";
import type { SampleItem } from "./stock.ts";
import { samplePicture } from "./pictures.ts";

const HOUR_MS = 3_600_000;

/** How far a trade gets. Each ending includes the steps before it. */
type Ending =
  | "asked"
  | "countered"
  | "countered-by-both"
  | "declined"
  | "withdrawn"
  | "expired"
  | "accepted"
  | "labelled"
  | "fulfilled"
  | "reported"
  | "completed";

type Plan = {
  readonly buyer: string;
  readonly ending: Ending;
  /** When it was requested. */
  readonly hoursAgo: number;
  readonly pricePerItem: number;
  readonly ownLabel?: boolean;
  /** Whose item it is; by default anybody's but the buyer's. */
  readonly seller?: string;
};

const plans: readonly Plan[] = [
  { buyer: "casey", ending: "asked", hoursAgo: 6, pricePerItem: 900, seller: "avery" },
  { buyer: "devon", ending: "countered", hoursAgo: 20, pricePerItem: 1_100, seller: "avery" },
  { buyer: "avery", ending: "countered", hoursAgo: 16, pricePerItem: 700 },
  { buyer: "avery", ending: "countered-by-both", hoursAgo: 30, pricePerItem: 650 },
  { buyer: "avery", ending: "accepted", hoursAgo: 50, pricePerItem: 600 },
  { buyer: "ellis", ending: "accepted", hoursAgo: 100, pricePerItem: 800, ownLabel: true },
  { buyer: "frankie", ending: "labelled", hoursAgo: 70, pricePerItem: 1_250 },
  { buyer: "avery", ending: "fulfilled", hoursAgo: 120, pricePerItem: 550 },
  { buyer: "jules", ending: "reported", hoursAgo: 200, pricePerItem: 1_000 },
  { buyer: "kendall", ending: "completed", hoursAgo: 200, pricePerItem: 1_500, seller: "avery" },
  { buyer: "gray", ending: "declined", hoursAgo: 220, pricePerItem: 300 },
  { buyer: "indigo", ending: "withdrawn", hoursAgo: 150, pricePerItem: 450 },
  { buyer: "avery", ending: "expired", hoursAgo: 260, pricePerItem: 400 },
];

/** Adds the trades after everything else: they take goods and money that are there in the end. */
export function tellOfTrades(past: Past, commands: SampleCommands, now: Date): void {
  const taken = new Set<SampleItem>();
  for (const plan of plans) {
    const buyer = named(plan.buyer);
    const item = past.stock.onHand().find(({ owner, quantity, ...rest }) => {
      const isSellers = plan.seller === undefined ? owner !== buyer : owner?.name === plan.seller;
      const isTaken = [...taken].some(
        ({ id, product }) => id === rest.id || product === rest.product,
      );
      return owner !== null && quantity >= 1 && isSellers && !isTaken;
    });
    if (item !== undefined && past.money.availableOf(buyer) >= 3 * plan.pricePerItem + 400) {
      taken.add(item);
      new SampleTrade(commands, { plan, buyer, item, now }).play();
    }
  }
}

function named(name: string): SampleConsignor {
  const found = consignors.find((who) => who.name === name);
  if (found === undefined) {
    throw new Error(`No consignor is named ${name}`);
  }
  return found;
}

/** One trade of one unit, whose steps are some hours apart. */
class SampleTrade {
  readonly #commands: SampleCommands;
  readonly #plan: Plan;
  readonly #item: SampleItem;
  readonly #now: Date;
  readonly #id: string;
  readonly #offerId: string;
  readonly #buyer: SampleConsignor;
  readonly #buyerUid: string;
  readonly #sellerUid: string;

  constructor(
    commands: SampleCommands,
    given: {
      readonly plan: Plan;
      readonly buyer: SampleConsignor;
      readonly item: SampleItem;
      readonly now: Date;
    },
  ) {
    const { plan, buyer, item, now } = given;
    this.#commands = commands;
    this.#plan = plan;
    this.#item = item;
    this.#now = now;
    this.#id = sampleId(commands.nextKey("trade"));
    this.#offerId = offerIdOf(this.#id, 1);
    this.#buyer = buyer;
    this.#buyerUid = commands.uids.of(buyer);
    this.#sellerUid = item.owner === null ? "" : commands.uids.of(item.owner);
  }

  play(): void {
    const { ending, pricePerItem } = this.#plan;
    const offerId = this.#offerId;
    this.#request();
    switch (ending) {
      case "asked": {
        break;
      }
      case "countered":
      case "countered-by-both": {
        const unseen = { quantity: null, shownPricePerItem: null };
        const higher = { offerId, pricePerItem: pricePerItem + 150, ...unseen };
        this.#step(3, counterOffer, { ...higher, actorUid: this.#sellerUid }, this.#sellerUid);
        if (ending === "countered-by-both") {
          const between = { ...higher, pricePerItem: pricePerItem + 75 };
          this.#step(9, counterOffer, { ...between, actorUid: this.#buyerUid }, this.#buyerUid);
        }
        break;
      }
      case "declined": {
        const answer = { offerId, actorUid: this.#sellerUid, shownPricePerItem: null };
        this.#step(5, declineOffer, answer, this.#sellerUid);
        break;
      }
      case "withdrawn": {
        const actor = { uid: this.#buyerUid, isAdmin: false };
        this.#step(7, cancelTrade, { tradeId: this.#id, actor, noteId: null }, this.#buyerUid);
        break;
      }
      case "expired": {
        const expiresAt = this.#at(48);
        this.#step(48, expireOffer, { offerId, expiresAt }, "system:trades");
        break;
      }
      default: {
        this.#ship(ending);
      }
    }
  }

  #ship(ending: Ending): void {
    const tradeId = this.#id;
    const accept = { offerId: this.#offerId, pricePerItem: null, quantity: null };
    this.#step(4, acceptOffer, { ...accept, actorUid: this.#sellerUid }, this.#sellerUid);
    if (ending === "accepted") {
      return;
    }
    this.#label();
    if (ending === "labelled") {
      return;
    }
    this.#step(50, fulfillTrade, { tradeId }, this.#commands.uids.admin);
    const actorUid = this.#buyerUid;
    if (ending === "reported") {
      const report = { tradeId, actorUid, kind: "damaged" as const, noteId: null };
      this.#step(120, reportTrade, report, actorUid);
    } else if (ending === "completed") {
      this.#step(140, confirmTrade, { tradeId, actorUid }, actorUid);
    }
  }

  #request(): void {
    const { pricePerItem, ownLabel = false } = this.#plan;
    const { product, id, quantity } = this.#item;
    const addressId = sampleId(`address:${this.#id}`);
    const { papers } = this.#commands.uids;
    const uid = this.#buyerUid;
    const key = this.#step(
      0,
      requestTrade,
      {
        tradeId: this.#id,
        buyerUid: uid,
        itemName: product.name,
        barcode1: product.barcode,
        itemLink: product.link,
        imageUrl: samplePicture(product),
        quantity: 1,
        pricePerItem,
        providesOwnShipping: ownLabel,
        addressId,
        sellers: [{ uid: this.#sellerUid, itemIds: [id], stock: quantity }],
      },
      uid,
    );
    const address = { ...DEMO_ADDRESS, name: this.#buyer.displayName };
    this.#commands.rows.set(key, (transaction) =>
      papers.keepAddress(transaction, { id: addressId, uid, address }),
    );
  }

  #label(): void {
    const labelId = sampleId(`label:${this.#id}`);
    const { papers, labels, admin } = this.#commands.uids;
    const uid = this.#buyerUid;
    const actor = { uid: admin, isAdmin: true };
    const upload = { tradeId: this.#id, actor, labelId, carrier: "USPS" as const };
    const key = this.#step(26, uploadTradeLabel, upload, admin);
    this.#commands.rows.set(key, async (transaction) => {
      const label = labels.prepare({ id: labelId, ownerUid: uid, bytes: await labelFile() });
      await label.stage();
      await label.write(transaction);
      await papers.keepTracking(transaction, {
        id: labelId,
        uid,
        trackingNumber: "9400111899223197428490",
      });
    });
  }

  #at(hours: number): string {
    return new Date(this.#now.getTime() + (hours - this.#plan.hoursAgo) * HOUR_MS).toISOString();
  }

  /** Adds a command this many hours after the request; returns its key. */
  #step<Command, Answer>(
    hours: number,
    decider: Decider<Command & { readonly happenedAt: string }, Answer>,
    command: Command,
    actor: string,
  ): string {
    const key = this.#commands.nextKey("trade-step");
    this.#commands.addInTurn(key, decider, { ...command, happenedAt: this.#at(hours) }, actor);
    return key;
  }
}

const DEMO_ADDRESS = {
  street: "18 Lakeview Road",
  city: "Madison",
  state: "WI",
  zip: "53703",
  country: "USA",
};

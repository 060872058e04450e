// A market for the model tests of trades: three people who all buy and sell, every command by a number.
import type { Decider } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { archiveItem, restoreItem } from "#features/inventory/decider-archive.ts";
import { addItem } from "#features/inventory/decider.ts";
import { itemStreamId, itemStream } from "#features/inventory/streams.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import type { Deadline } from "#features/trades/deadlines.ts";
import { dueOf } from "#features/trades/deadlines.ts";
import type { DeadlineAnswer } from "#features/trades/decider-deadlines.ts";
import {
  cancelOverdueTrade,
  completeTrade,
  expireOffer,
  remindTrade,
} from "#features/trades/decider-deadlines.ts";
import { requestTrade } from "#features/trades/decider-request.ts";
import type { Trade } from "#features/trades/streams.ts";
import {
  traderStream,
  traderStreamId,
  tradeStream,
  tradeStreamId,
} from "#features/trades/streams.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import { hasLeft, userStream, userStreamId } from "#features/users/streams.ts";
import type { Decided } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { detailsOf, idOf } from "#testing/shop/stock-room.ts";

const START = Date.parse("2024-05-31T12:00:00.000Z");
const HOUR_MS = 3_600_000;

export const people = [
  "person-a-0000000000001",
  "person-b-0000000000002",
  "person-c-0000000000003",
] as const;
export const admin = { uid: "admin-00000000000000001", isAdmin: true };

/** Follows what happens in a market, to do the same elsewhere. */
export type MarketWatch = {
  readonly ran: (type: string, command: unknown, decided: Decided<unknown>) => void;
  readonly waited: (hours: number) => void;
  /** Instead of the market's own sweep: says later in which order the deadlines were met. */
  readonly sweeps: () => void;
  /** Whether somebody can send nothing any more, so that the market does not either. */
  readonly isSilent: (command: unknown) => boolean;
};

type MarketOptions = {
  readonly unitsEach?: number;
  readonly people?: readonly string[];
  readonly barcode?: string;
  readonly startsAt?: number;
  readonly watch?: MarketWatch;
};

export class TradeMarket {
  readonly books = memoryBooks();
  readonly people: readonly string[];
  readonly tradeIds: string[] = [];
  /** Commands that were taken a second time. */
  readonly takenTwice: string[] = [];
  readonly items: { readonly itemId: string; readonly ownerUid: string }[] = [];
  readonly #barcode: string;
  readonly #startsAt: number;
  readonly #watch: MarketWatch | null;
  #hours = 0;
  #lastId = 0;

  constructor(options: MarketOptions = {}) {
    const { unitsEach = 3, barcode = "B-1", startsAt = START, watch = null } = options;
    this.people = options.people ?? people;
    this.#barcode = barcode;
    this.#startsAt = startsAt;
    this.#watch = watch;
    for (const uid of this.people) {
      this.earn(uid, 3_000);
      this.addItem(uid, unitsEach);
    }
  }

  get now(): string {
    return new Date(this.#startsAt + this.#hours * HOUR_MS).toISOString();
  }

  wait(hours: number): void {
    this.#hours += hours;
    this.#watch?.waited(hours);
  }

  newId(): string {
    this.#lastId += 1;
    return idOf(this.#lastId);
  }

  run<Command, Answer>(
    decider: Decider<Command & { readonly happenedAt: string }, Answer>,
    command: Omit<Command, "happenedAt">,
  ): Decided<Answer> {
    if (this.#watch?.isSilent(command) === true) {
      return { ...reject(404, "silent", "Nobody is there to send it"), added: [] };
    }
    const full = { ...command, happenedAt: this.now } as Command & { readonly happenedAt: string };
    const decided = this.books.when(decider, full);
    this.#watch?.ran(decider.type, full, decided);
    return decided;
  }

  /** Runs a command that is never taken twice, twice. */
  once<Command, Answer>(
    decider: Decider<Command & { readonly happenedAt: string }, Answer>,
    command: Omit<Command, "happenedAt">,
  ): void {
    const first = this.run(decider, command);
    const second = this.run(decider, command);
    if (first.kind === "accepted" && second.kind === "accepted") {
      this.takenTwice.push(decider.type);
    }
  }

  earn(uid: string, balanceCents: number): void {
    this.run(setBalance, { uid, balanceCents, expectedCents: null, noteId: null });
  }

  addItem(ownerUid: string, quantity: number): void {
    const item = { itemId: this.newId(), ownerUid };
    const added = {
      ...item,
      details: detailsOf(this.#barcode),
      quantity,
      source: "manual" as const,
    };
    if (this.run(addItem, added).kind === "accepted") {
      this.items.push(item);
    }
  }

  archiveOrRestore(nth: number): void {
    const item = pick(this.items, nth);
    if (item !== undefined && this.run(archiveItem, item).kind === "rejected") {
      this.run(restoreItem, item);
    }
  }

  sell(nth: number, units: number): void {
    const item = pick(this.items, nth);
    if (item === undefined) {
      return;
    }
    this.run(recordSale, {
      saleId: this.newId(),
      consignorId: item.ownerUid,
      itemId: item.itemId,
      barcode1: null,
      units,
      priceCents: 100,
      shippingCents: 0,
      salesTaxCents: 0,
      taxRateBasisPoints: null,
      consignorPercentage: 50,
      channel: "online",
    });
  }

  /** Deletes the person; without an open trade, after money and stock were settled. */
  leave(uid: string): void {
    const own = this.items.filter((item) => item.ownerUid === uid);
    const { buying, selling } = this.bound(uid);
    if (buying.length + selling.length === 0 && !this.hasLeft(uid)) {
      this.earn(uid, 0);
      own
        .filter(({ itemId }) => !this.item(itemId).archived)
        .forEach((item) => this.run(archiveItem, item));
    }
    this.run(deactivateUser, { uid, itemIds: own.map(({ itemId }) => itemId), noteId: null });
  }

  /** Everybody who has it in stock; whose item is oldest comes first. */
  #sellers(buyerUid: string) {
    const inStock = this.items.filter(({ itemId, ownerUid }) => {
      const { archived, quantity } = this.item(itemId);
      return ownerUid !== buyerUid && !archived && quantity > 0;
    });
    return [...Map.groupBy(inStock, ({ ownerUid }) => ownerUid)].map(([uid, items]) => ({
      uid,
      itemIds: items.map(({ itemId }) => itemId),
      stock: items.reduce((sum, { itemId }) => sum + this.item(itemId).quantity, 0),
    }));
  }

  request(buyerUid: string, quantity: number, pricePerItem: number, own: boolean): void {
    const tradeId = this.newId();
    const decision = this.run(requestTrade, {
      tradeId,
      buyerUid,
      itemName: detailsOf(this.#barcode).itemName,
      barcode1: this.#barcode,
      itemLink: "",
      imageUrl: "",
      quantity,
      pricePerItem,
      providesOwnShipping: own,
      addressId: this.newId(),
      sellers: this.#sellers(buyerUid),
    });
    if (decision.kind === "accepted") {
      this.tradeIds.push(tradeId);
    }
  }

  /** What a worker does at a time: everything that is due. */
  sweep(): void {
    if (this.#watch !== null) {
      this.#watch.sweeps();
      return;
    }
    this.due().forEach(({ tradeId, due }) => this.meet(tradeId, due));
  }

  /** Every deadline that is due. */
  due() {
    return this.tradeIds.flatMap((tradeId) =>
      dueOf(tradeId, this.trade(tradeId), this.now).map((due) => ({ tradeId, due })),
    );
  }

  meet(tradeId: string, due: Deadline): Decided<DeadlineAnswer> {
    const { dueAt } = due;
    if (due.kind === "expire") {
      return this.run(expireOffer, { offerId: due.offerId, expiresAt: dueAt });
    }
    if (due.kind === "remind") {
      const { about, day, offerId } = due;
      return this.run(remindTrade, { tradeId, dueAt, about, day, offerId });
    }
    const end = due.kind === "cancel" ? cancelOverdueTrade : completeTrade;
    return this.run(end, { tradeId, dueAt });
  }

  trade(tradeId: string): Trade {
    const { trade } = this.books.stream(tradeStream, tradeStreamId(tradeId)).state;
    if (trade === null) {
      throw new Error(`${tradeId} was never requested`);
    }
    return trade;
  }

  item(itemId: string) {
    return this.books.stream(itemStream, itemStreamId(itemId)).state;
  }

  hasLeft(uid: string): boolean {
    const state = this.books.stream(userStream, userStreamId(uid));
    return hasLeft({ has: () => true, get: () => state as never }, uid);
  }

  bound(uid: string) {
    return this.books.stream(traderStream, traderStreamId(uid)).state;
  }
}

export function pick<Thing>(things: readonly Thing[], nth: number): Thing | undefined {
  return things[nth % Math.max(1, things.length)];
}

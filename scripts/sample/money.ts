// The sample store's sales and payouts as commands, and the balances they leave, so that the next one is possible.
import { setBalance } from "#features/accounts/decider.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import type { SaleTender } from "#features/sales/events.ts";
import type { SaleChannel } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { DEFAULT_RATES } from "#features/settings/streams.ts";
import type { Cents } from "#ledger/money.ts";
import { payoutOf, shareOf } from "#ledger/money.ts";
import type { SampleConsignor } from "./people.ts";
import type { SampleItem } from "./stock.ts";
import type { SampleCommands } from "./commands.ts";
import { sampleId } from "./commands.ts";

export type SampleSale = {
  readonly id: string;
  readonly item: SampleItem;
  readonly soldAt: Date;
  /** Null for a sale online. */
  readonly tender: SaleTender | null;
  units: number;
  priceCents: Cents;
  readonly shippingCents: Cents;
  payoutCents: Cents;
  refundedUnits: number;
};

export type SamplePayout = {
  readonly id: string;
  readonly who: SampleConsignor;
  readonly amountCents: Cents;
};

/** Half of the customers pay in cash. */
function tenderOf(saleId: string): SaleTender {
  const digit = Number.parseInt(saleId.slice(0, 1), 16);
  return digit < 8 ? "cash" : digit < 15 ? "card" : "other";
}

export class SampleMoney {
  readonly #commands: SampleCommands;
  readonly #available = new Map<string, Cents>();

  constructor(commands: SampleCommands) {
    this.#commands = commands;
  }

  availableOf(who: SampleConsignor): Cents {
    return this.#available.get(who.name) ?? 0;
  }

  sell(
    at: Date,
    item: SampleItem,
    given: {
      readonly units?: number;
      /** Null for a sale that only moves stock, which is possible for the store's own items alone. */
      readonly priceCents: Cents | null;
      readonly shippingCents?: Cents;
      readonly salesTaxCents?: Cents;
      readonly channel?: SaleChannel;
    },
  ): SampleSale {
    const { units = 1, priceCents, shippingCents = 0, salesTaxCents = 0 } = given;
    const { channel = "online" } = given;
    const key = this.#commands.nextKey("sale");
    const { owner, id: itemId } = item;
    const id = sampleId(key);
    const terms = {
      saleId: id,
      itemId,
      units,
      salesTaxCents,
      taxRateBasisPoints: salesTaxCents > 0 ? DEFAULT_RATES.taxRateBasisPoints : null,
      channel,
      ...(channel === "pos"
        ? { till: { receiptId: sampleId(`receipt:${key}`), tender: tenderOf(id) } }
        : {}),
      happenedAt: at.toISOString(),
    };
    const price = priceCents ?? 0;
    const payoutCents = owner === null ? 0 : payoutOf(price, shippingCents, owner.percentage);
    if (owner === null) {
      this.#commands.add(key, recordMasterSale, { ...terms, priceCents });
    } else {
      this.#commands.add(key, recordSale, {
        ...terms,
        priceCents: price,
        shippingCents,
        consignorId: this.#commands.uids.of(owner),
        barcode1: item.product.barcode,
        consignorPercentage: owner.percentage,
      });
      this.#credit(owner, payoutCents);
    }
    item.quantity -= units;
    const tender = channel === "pos" ? tenderOf(id) : null;
    const money = { tender, priceCents: price, shippingCents, payoutCents, refundedUnits: 0 };
    return { id, item, soldAt: at, units, ...money };
  }

  sellCustom(at: Date, who: SampleConsignor, itemName: string, amountCents: Cents): void {
    const key = this.#commands.nextKey("custom-sale");
    this.#commands.add(key, recordCustomSale, {
      saleId: sampleId(key),
      consignorId: this.#commands.uids.of(who),
      itemName,
      amountCents,
      happenedAt: at.toISOString(),
    });
    this.#credit(who, amountCents);
  }

  refund(
    at: Date,
    sale: SampleSale,
    given: { readonly units: number; readonly restock: boolean; readonly reason: string },
  ): void {
    const { units, restock, reason } = given;
    const key = this.#commands.nextKey("refund");
    const { owner } = sale.item;
    this.#commands.add(key, refundSale, {
      saleId: sale.id,
      units,
      amountCents: null,
      restock,
      ...(sale.tender === null ? {} : { tender: sale.tender }),
      expectedVersion: null,
      noteId: this.#commands.note(key, reason, owner),
      happenedAt: at.toISOString(),
    });
    const shareUpTo = (refunded: number): Cents => shareOf(sale.payoutCents, refunded, sale.units);
    const back = shareUpTo(sale.refundedUnits + units) - shareUpTo(sale.refundedUnits);
    sale.refundedUnits += units;
    sale.item.quantity += restock ? units : 0;
    if (owner !== null) {
      this.#credit(owner, -back);
    }
  }

  /** Corrects the price of a sale without refunds. */
  correctPrice(at: Date, sale: SampleSale, priceCents: Cents, reason: string): void {
    const key = this.#commands.nextKey("correction");
    const { owner } = sale.item;
    this.#commands.add(key, correctSale, {
      saleId: sale.id,
      changes: {
        itemName: null,
        units: null,
        priceCents,
        shippingCents: null,
        salesTaxCents: null,
        consignorPercentage: null,
        payoutCents: null,
      },
      expectedVersion: null,
      noteId: this.#commands.note(key, reason, owner),
      happenedAt: at.toISOString(),
    });
    sale.priceCents = priceCents;
    if (owner !== null) {
      const payoutCents = payoutOf(priceCents, sale.shippingCents, owner.percentage);
      this.#credit(owner, payoutCents - sale.payoutCents);
      sale.payoutCents = payoutCents;
    }
  }

  /** The consignor requests money, which they must have. */
  requestPayout(
    at: Date,
    who: SampleConsignor,
    amountCents: Cents,
    series = "payout",
  ): SamplePayout {
    const key = this.#commands.nextKey(series);
    const id = sampleId(key);
    const consignorId = this.#commands.uids.of(who);
    const { method } = who;
    const happenedAt = at.toISOString();
    const handle = this.#commands.uids.handleOf(who);
    const named = { method, handleId: handle.id, handleHash: handle.hash };
    const command = { payoutId: id, consignorId, amountCents, ...named, happenedAt };
    this.#commands.add(key, requestPayout, command, consignorId);
    this.#commands.handles.set(key, handle);
    this.#credit(who, -amountCents);
    return { id, who, amountCents };
  }

  pay(at: Date, payout: SamplePayout, series = "payment"): void {
    const command = { ...this.#settled(at, payout), reference: null, handleId: null };
    this.#commands.add(this.#commands.nextKey(series), markPayoutPaid, command);
  }

  /** The transfer of a paid payout failed. */
  returnPayout(at: Date, payout: SamplePayout, reason: string): void {
    const key = this.#commands.nextKey("payout-return");
    const noteId = this.#commands.note(key, reason, payout.who);
    this.#commands.add(key, returnPayout, { ...this.#settled(at, payout), noteId });
    this.#credit(payout.who, payout.amountCents);
  }

  deletePayout(at: Date, payout: SamplePayout): void {
    const by = { actorUid: this.#commands.uids.admin, by: "store" } as const;
    const command = { ...this.#settled(at, payout), ...by };
    this.#commands.add(this.#commands.nextKey("payout-deletion"), deletePayout, command);
    this.#credit(payout.who, payout.amountCents);
  }

  /** Changes a balance by hand by this amount. */
  adjust(at: Date, who: SampleConsignor, byCents: Cents, reason: string): void {
    const key = this.#commands.nextKey("adjustment");
    const balanceCents = this.availableOf(who) + byCents;
    this.#commands.add(key, setBalance, {
      uid: this.#commands.uids.of(who),
      balanceCents,
      expectedCents: null,
      noteId: this.#commands.note(key, reason, who),
      happenedAt: at.toISOString(),
    });
    this.#credit(who, byCents);
  }

  #settled(at: Date, { id, who }: SamplePayout) {
    return { payoutId: id, consignorId: this.#commands.uids.of(who), happenedAt: at.toISOString() };
  }

  #credit(who: SampleConsignor, cents: Cents): void {
    this.#available.set(who.name, this.availableOf(who) + cents);
  }
}

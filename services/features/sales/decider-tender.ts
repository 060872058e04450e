// Decides corrections of how a customer paid or how a refund went back. They move no money and no units.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { SaleTender } from "#features/sales/events.ts";
import { RefundTenderCorrected, SaleTenderCorrected } from "#features/sales/events.ts";
import { findSale } from "#features/sales/found-sale.ts";
import type { RecordedSale } from "#features/sales/streams.ts";
import { saleStream, saleStreamId } from "#features/sales/streams.ts";

export type CorrectTender = {
  /** The sale that the admin saw. */
  readonly saleId: string;
  /** All sales of its receipt, itself among them: a customer pays a receipt in one way. */
  readonly saleIds: readonly string[];
  readonly tender: SaleTender;
  readonly expectedVersion: number | null;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type TenderCorrectedAnswer = {
  readonly saleId: string;
  readonly version: number;
  /** How many sales of the receipt were changed. */
  readonly sales: number;
};

/**
 * Rejects 404 `sale_not_found`; 409 `sale_changed`, `nothing_paid` for a sale without a price and for a custom sale.
 * Appends no event for sales that have this tender already.
 */
export const correctTender: Decider<CorrectTender, TenderCorrectedAnswer> = {
  type: "CorrectTender",
  streams: ({ saleIds }) => saleIds.map(saleStreamId),
  decide: ({ saleId, saleIds, tender, expectedVersion, noteId, happenedAt }, states) => {
    const found = findSale(states, saleId, expectedVersion);
    if (found.kind === "rejected") {
      return found;
    }
    if (!isPaid(found.sale)) {
      return reject(
        409,
        "nothing_paid",
        found.sale.kind === "custom"
          ? "A custom sale does not go through the till"
          : "This sale has no price: nobody paid for it",
      );
    }
    const events = saleIds.flatMap((id) => {
      const { state } = states.get(saleStream, saleStreamId(id));
      if (state.status === "none" || !isPaid(state) || state.tender === tender) {
        return [];
      }
      const { consignorId, tender: before } = state;
      return [
        emit(
          SaleTenderCorrected,
          { saleId: id, consignorId, before, after: tender, noteId },
          { streams: [saleStreamId(id)], happenedAt },
        ),
      ];
    });
    const isChanged = found.sale.tender !== tender;
    const version = found.version + (isChanged ? 1 : 0);
    return accept(events, { saleId, version, sales: events.length });
  },
};

export type CorrectRefundTender = {
  readonly saleId: string;
  /** Which refund of the sale: 1 is its first. */
  readonly refund: number;
  readonly tender: SaleTender;
  readonly expectedVersion: number | null;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type RefundTenderAnswer = {
  readonly saleId: string;
  readonly version: number;
  readonly isChanged: boolean;
};

/**
 * Rejects 404 `sale_not_found`, `refund_not_found`; 409 `sale_changed`. Appends no event if the refund has this tender
 * already.
 */
export const correctRefundTender: Decider<CorrectRefundTender, RefundTenderAnswer> = {
  type: "CorrectRefundTender",
  streams: ({ saleId }) => [saleStreamId(saleId)],
  decide: ({ saleId, refund, tender, expectedVersion, noteId, happenedAt }, states) => {
    const found = findSale(states, saleId, expectedVersion);
    if (found.kind === "rejected") {
      return found;
    }
    const { sale, version } = found;
    const before = sale.refundTenders[refund - 1];
    if (before === undefined) {
      return reject(404, "refund_not_found", "There is no such refund of this sale");
    }
    if (before === tender) {
      return accept([], { saleId, version, isChanged: false });
    }
    const { consignorId } = sale;
    const event = emit(
      RefundTenderCorrected,
      { saleId, consignorId, refund, before, after: tender, noteId },
      { streams: [saleStreamId(saleId)], happenedAt },
    );
    return accept([event], { saleId, version: version + 1, isChanged: true });
  },
};

function isPaid({ kind, terms }: RecordedSale): boolean {
  return kind !== "custom" && terms.priceCents !== null;
}

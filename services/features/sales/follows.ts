// What each event of a sale may say by the state of its streams before it, whoever wrote it: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows, saysOther } from "#ledger/verify/stream-rules.ts";
import type { ItemState } from "#features/inventory/streams.ts";
import { itemStream, itemStreamId, refuseUnits } from "#features/inventory/streams.ts";
import {
  CustomSaleRecorded,
  MasterSaleRecorded,
  RefundTenderCorrected,
  SaleCorrected,
  SaleRecorded,
  SaleRefunded,
  SaleTenderCorrected,
} from "#features/sales/events.ts";
import type { RecordedSale, SaleState } from "#features/sales/streams.ts";
import { saleStream, saleStreamId } from "#features/sales/streams.ts";

type OfSale = { readonly saleId: string; readonly consignorId?: string | null };

const ofSale: Subject<OfSale, SaleState> = {
  check: "balances",
  definition: saleStream,
  streamOf: ({ saleId }) => saleStreamId(saleId),
};

const ofItem: Subject<{ readonly itemId: string }, ItemState> = {
  check: "units",
  definition: itemStream,
  streamOf: ({ itemId }) => itemStreamId(itemId),
};

const isNew = (_data: OfSale, { status }: SaleState): string | null =>
  status === "none" ? null : "it was recorded before";

/** For what follows on a sale: it is of the same consignor, and nothing else is wrong. */
function after<Data extends OfSale>(wrong: (data: Data, sale: RecordedSale) => string | null) {
  return (data: Data, before: SaleState): string | null => {
    if (before.status === "none") {
      return "there is no sale";
    }
    const { consignorId } = before;
    return saysOther({ consignorId: data.consignorId }, { consignorId }) ?? wrong(data, before);
  };
}

/** Whether no more is refunded than is left of the sale, of each of these amounts. */
function moreThanLeft(
  back: RecordedSale["refunded"],
  { terms, refunded }: RecordedSale,
): string | null {
  const sold = { ...terms, priceCents: terms.priceCents ?? 0 };
  for (const name of ["units", "priceCents", "salesTaxCents", "payoutCents"] as const) {
    const left = sold[name] - refunded[name];
    if (back[name] > left) {
      return `it says ${name} ${back[name]}, but only ${left} can still be refunded`;
    }
  }
  return null;
}

export const saleFollows: readonly BookCheck[] = [
  follows(SaleRecorded, ofSale, isNew),
  follows(MasterSaleRecorded, ofSale, isNew),
  follows(CustomSaleRecorded, ofSale, isNew),
  follows(
    SaleRecorded,
    ofItem,
    ({ consignorId, units }, item) =>
      refuseUnits(item, { ownerUid: consignorId, units })?.message ?? null,
  ),
  follows(
    MasterSaleRecorded,
    ofItem,
    ({ units }, item) => refuseUnits(item, { ownerUid: null, units })?.message ?? null,
  ),
  follows(
    SaleCorrected,
    ofSale,
    after(({ itemId, before }, sale) =>
      saysOther({ itemId, before }, { itemId: sale.itemId, before: sale.terms }),
    ),
  ),
  follows(
    SaleRefunded,
    ofSale,
    after(
      ({ itemId, ...back }, sale) =>
        saysOther({ itemId }, { itemId: sale.itemId }) ?? moreThanLeft(back, sale),
    ),
  ),
  follows(
    SaleTenderCorrected,
    ofSale,
    after(({ before }, { tender }) => saysOther({ before }, { before: tender })),
  ),
  follows(
    RefundTenderCorrected,
    ofSale,
    after(({ refund, before }, { refundTenders }) =>
      refund > refundTenders.length
        ? `it has only ${refundTenders.length} refunds`
        : saysOther({ before }, { before: refundTenders[refund - 1] ?? null }),
    ),
  ),
];

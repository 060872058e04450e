// What the numbers of a report and the reasons of lost units are called.
import type { ReportFigures, ReportNumber } from "#features/reports/contract.ts";

export const reportNames: Readonly<Record<ReportNumber, string>> = {
  sold: "Goods sold",
  kept: "Kept by the store",
  ownSold: "Own goods",
  consignedSold: "Consigned goods",
  refunds: "Refunds",
  corrections: "Corrections",
  ownShare: "Kept of own goods",
  storeShare: "Store's share",
  consignorShare: "Consignors' shares of sales",
  shipping: "Shipping",
  payouts: "Payouts",
  commission: "Trade commission",
  tradeFees: "Trade shipping fees",
  traded: "Trades between consignors",
  adjustments: "Adjustments",
  takenOver: "Taken over from the old app",
  taxable: "Taxable sales",
  exempt: "Exempt sales",
  untaxedOnline: "Untaxed online sales",
  otherUntaxed: "Other untaxed sales",
  taxCollected: "Tax collected",
  taxRefunded: "Tax refunded",
  owed: "Owed at the end",
  owedAvailable: "Available",
  owedPending: "Pending payouts",
  owedHeld: "Held for trades",
  unitsLost: "Units lost",
};

export const reasonNames: Readonly<Record<ReportFigures["shrinkage"][number]["reason"], string>> = {
  returned_to_consignor: "Returned to consignor",
  lost: "Lost",
  damaged: "Damaged",
  donated: "Donated",
  miscount: "Miscount",
  counted: "Counted",
  none: "No reason given",
};

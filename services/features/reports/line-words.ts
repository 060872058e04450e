// How the report's lines read to an admin: the words of the history that says most about the event. Pure.
import type { EventExplanations } from "#features/histories.ts";
import { shrinkageReason, shrinkageReasonNames } from "#features/reports/contract-month.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";

/** A line with its event; `amount` are cents or units. */
export type SaidLine = {
  /** '' is the store. */
  readonly uid: string;
  readonly amount: number;
  /** How many units left without a sale, where the line is about them; null for lines of money. */
  readonly units: number | null;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  /** The item's name as the inventory has it; null where the line is about no item. */
  readonly item_name: string | null;
};

const KINDS: Readonly<Record<string, string>> = {
  SaleRecorded: "Consignors' sales",
  MasterSaleRecorded: "Own sales",
  CustomSaleRecorded: "Custom sales",
  SaleRefunded: "Refunds",
  SaleCorrected: "Corrections",
  PayoutRequested: "Payouts requested",
  PayoutPaid: "Payouts paid",
  PayoutDeleted: "Payout requests deleted",
  PayoutReturned: "Payouts returned",
  BalanceSet: "Balances set by hand",
  OfferAccepted: "Offers accepted",
  AcceptanceCancelled: "Acceptances cancelled",
  TradeCancelled: "Trades cancelled",
  TradeFulfilled: "Trades fulfilled",
  TradeRefunded: "Trades refunded",
  UserMigrated: "Taken over from the old app",
  SalesTaxRemitted: "Remittances",
  SalesTaxRemittanceReversed: "Remittances taken back",
};

/** "Damaged" for a reason, "Refunds" for a type of event. */
export function groupLabel(kind: string): string {
  const reason = shrinkageReason.safeParse(kind).data;
  return reason === undefined ? (KINDS[kind] ?? spelledOut(kind)) : shrinkageReasonNames[reason];
}

function textIn(data: unknown, field: string): string | null {
  const text: unknown = Reflect.get(Object(data), field);
  return typeof text === "string" ? text : null;
}

/** The sale that the event is about. */
export function saleIn({ data }: Pick<SaidLine, "data">): string | null {
  return textIn(data, "saleId");
}

/** "Desk lamp: 1 unit damaged in a trade", as the item's history has it. */
function unitsWords(
  explanations: EventExplanations,
  event: { readonly type: string; readonly schemaVersion: number; readonly data: unknown },
  units: number,
  name: string | null,
): string {
  const title = readIn(explanations, "item", event, { unitsDelta: 0 - units })?.words.title;
  if (title === undefined) {
    return spelledOut(event.type);
  }
  return name === null ? title : `${name}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

/** "2 × Desk lamp sold" */
export function lineWords(explanations: EventExplanations, line: SaidLine): string {
  const { uid, amount, units, type, data } = line;
  const event = { type, schemaVersion: line.schema_version, data };
  if (units !== null) {
    // The ledger has the money of the same event, which goes back to the buyer.
    return unitsWords(explanations, event, units, line.item_name ?? textIn(data, "itemName"));
  }
  const ledger = uid === "" ? null : readIn(explanations, "consignor", event, { uid });
  if (ledger !== null) {
    return ledger.words.description;
  }
  const name = line.item_name ?? textIn(data, "itemName");
  const trade = readIn(explanations, "trade", event, null);
  if (trade !== null) {
    const { description } = trade.words;
    return name === null ? description : `${description} (trade of ${name})`;
  }
  const remitted = readIn(explanations, "remittances", event, null);
  if (remitted !== null) {
    return remitted.words.description;
  }
  return unitsWords(explanations, event, amount, name);
}

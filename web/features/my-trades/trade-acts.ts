// What a buyer can do with a trade in each of its states: the main act, and the others.
import {
  Check,
  MapPin,
  OctagonAlert,
  PackageX,
  TrendingUp,
  Undo2,
  Upload,
  type LucideIcon,
} from "lucide-react";
import type { Trade } from "#features/trades/contract.ts";
import { isOpenOffer } from "#web/shared/trade/trade-words.ts";

export type TradeAct =
  | "raise"
  | "withdraw"
  | "close-rest"
  | "upload"
  | "address"
  | "confirm"
  | "report"
  | "close-report";

export type ActChoice = {
  readonly act: TradeAct;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isDanger: boolean;
};

function choice(act: TradeAct, label: string, icon: LucideIcon, isDanger = false): ActChoice {
  return { act, label, icon, isDanger };
}

const withdraw = choice("withdraw", "Withdraw request", PackageX, true);
const address = choice("address", "Change address", MapPin);

/** Whether the store has owed the label for so long that the buyer may cancel: the server decides, so it is offered. */
function choicesOf(trade: Trade): readonly ActChoice[] {
  const hasOpen = trade.offers.some(isOpenOffer);
  switch (trade.status) {
    case "pending":
      return trade.acceptedQuantity > 0
        ? [choice("close-rest", "Close the rest", Check), address]
        : [choice("raise", "Raise price", TrendingUp), withdraw, address];
    case "awaiting_shipping":
      return [
        ...(trade.providesOwnShipping ? [choice("upload", "Upload label", Upload)] : []),
        ...(hasOpen ? [choice("close-rest", "Close the rest", Check)] : []),
        address,
        ...(trade.providesOwnShipping ? [] : [choice("withdraw", "Cancel trade", PackageX, true)]),
      ];
    case "shipping_uploaded":
      return [
        ...(trade.providesOwnShipping ? [choice("upload", "Replace label", Upload)] : []),
        address,
      ];
    case "fulfilled":
    case "completed":
      return [
        ...(trade.status === "fulfilled" && trade.report === null
          ? [choice("confirm", "Confirm arrival", Check)]
          : []),
        ...(trade.report === null
          ? trade.reportUntil !== null && Date.parse(trade.reportUntil) > Date.now()
            ? [choice("report", "Report a problem", OctagonAlert)]
            : []
          : [choice("close-report", "Take the report back", Undo2)]),
      ];
    case "cancelled":
    case "expired":
      return [];
  }
}

export function actsOf(trade: Trade): {
  readonly main: ActChoice | undefined;
  readonly others: readonly ActChoice[];
} {
  const [main, ...others] = choicesOf(trade);
  return { main, others };
}

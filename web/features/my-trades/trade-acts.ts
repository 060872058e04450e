// What a buyer can do with a trade in each state: the main action, and the others.
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
import { LABEL_DAYS } from "#features/trades/contract.ts";
import { type Trade } from "#features/trades/contract-reads.ts";
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
const closeRest = choice("close-rest", "Close the rest", Check);

/** The buyer may cancel if the store has owed the label for too long. */
function mayCancel({ providesOwnShipping, statusSince }: Trade): boolean {
  return !providesOwnShipping && Date.parse(statusSince) + LABEL_DAYS * 86_400_000 < Date.now();
}

function beforeLabel(trade: Trade): readonly ActChoice[] {
  const hasOpen = trade.offers.some(isOpenOffer);
  if (trade.status === "pending") {
    // A counter is answered: raising leaves it as it is.
    const mayRaise = trade.offers.some(({ status }) => status === "pending");
    if (trade.acceptedQuantity > 0) {
      return [closeRest, address];
    }
    return mayRaise
      ? [choice("raise", "Raise price", TrendingUp), withdraw, address]
      : [address, withdraw];
  }
  return [
    ...(trade.providesOwnShipping ? [choice("upload", "Upload label", Upload)] : []),
    ...(hasOpen ? [closeRest] : []),
    address,
    ...(mayCancel(trade) ? [choice("withdraw", "Cancel trade", PackageX, true)] : []),
  ];
}

function afterFulfillment({ status, report, reportUntil }: Trade): readonly ActChoice[] {
  if (report !== null) {
    return [choice("close-report", "Take back report", Undo2)];
  }
  const mayReport = reportUntil !== null && Date.parse(reportUntil) > Date.now();
  return [
    ...(status === "fulfilled" ? [choice("confirm", "Confirm arrival", Check)] : []),
    ...(mayReport ? [choice("report", "Report a problem", OctagonAlert)] : []),
  ];
}

function choicesOf(trade: Trade): readonly ActChoice[] {
  const { status } = trade;
  if (status === "pending" || status === "awaiting_shipping") {
    return beforeLabel(trade);
  }
  if (status === "shipping_uploaded") {
    return trade.providesOwnShipping
      ? [choice("upload", "Replace label", Upload), address]
      : [address];
  }
  return status === "fulfilled" || status === "completed" ? afterFulfillment(trade) : [];
}

export function actsOf(trade: Trade): {
  readonly main: ActChoice | undefined;
  readonly others: readonly ActChoice[];
} {
  const [main, ...others] = choicesOf(trade);
  return { main, others };
}

/** The acts whose dialogs are not shared with the store's. */
type OwnAct = Exclude<TradeAct, "upload" | "address">;

const overWords: Readonly<Record<OwnAct, string>> = {
  raise: "its price cannot be raised any more",
  withdraw: "it cannot be taken back any more",
  "close-rest": "no open offers are left",
  confirm: "there is nothing left to confirm",
  report: "no problem can be reported now",
  "close-report": "the report is settled",
};

/** One sentence once the trade has moved on so that the buyer cannot do this any more; undefined while it is possible. */
export function whyOver(trade: Trade, act: OwnAct): string | undefined {
  return choicesOf(trade).some((one) => one.act === act)
    ? undefined
    : `This trade changed in the meantime: ${overWords[act]}.`;
}

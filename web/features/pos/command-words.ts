// The label and placeholder of the till's field for each thing it can ask for.
import { Banknote, Hash, Tag, type LucideIcon } from "lucide-react";
import { formatMoney } from "#web/lib/formats.ts";
import { ScanIcon } from "#web/ui/thing-icons.ts";
import { lineOf, type Cart, type CartLine } from "./cart.ts";
import { lastPrice } from "./price-memory.ts";
import type { Mode } from "./till-state.ts";

export type CommandWords = {
  readonly label: string;
  readonly placeholder: string;
  readonly icon: LucideIcon;
};

const scan: CommandWords = {
  label: "Scan or search",
  placeholder: "Scan a barcode, or type a name",
  icon: ScanIcon,
};

const pay: CommandWords = {
  label: "Cash received",
  placeholder: "Cash, or Enter if exact",
  icon: Banknote,
};

function priceWords(line: CartLine): CommandWords {
  const known = line.unitPriceCents ?? lastPrice(line.item.id);
  return {
    label: `Price of ${line.item.itemName}, tax included`,
    placeholder:
      known === undefined ? "Price, tax included" : `Enter for ${formatMoney(known)} as before`,
    icon: Tag,
  };
}

export function commandWords(mode: Mode, cart: Cart): CommandWords {
  if (mode.kind === "pay") {
    return mode.askedCents === undefined
      ? pay
      : { ...pay, placeholder: "Enter if it is right, or the cash" };
  }
  if (mode.kind === "choose") {
    return {
      label: `Whose is ${mode.code}?`,
      placeholder: "Choose the owner below",
      icon: ScanIcon,
    };
  }
  const line = mode.kind === "scan" ? undefined : lineOf(cart, mode.lineId);
  if (line === undefined) {
    return scan;
  }
  return mode.kind === "price"
    ? priceWords(line)
    : { label: `Quantity of ${line.item.itemName}`, placeholder: "Quantity", icon: Hash };
}

// One line of the cart, like a line of a receipt: what, whose, how many, what for; the newest one on top.
import { Minus, Plus, X } from "lucide-react";
import { parseDollars, parseWhole } from "#web/lib/amount.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { ownerName } from "#web/features/inventory/owner-chip.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Money } from "#web/ui/money.tsx";
import { grossOf, type CartLine } from "./cart.ts";
import { askPrice, askQuantity, changeUnits, takeOut, type Mode } from "./till.ts";

type CartLineRowProps = {
  readonly line: CartLine;
  readonly mode: Mode;
  /** What stands in the field while it asks for this line's price or quantity. */
  readonly typed: string;
  readonly isNewest: boolean;
};

const small =
  "inline-flex h-8 min-w-8 items-center justify-center rounded-control px-2 text-14 tabular-nums transition-colors duration-120 hover:bg-hover touch:h-11 touch:min-w-11";

export function CartLineRow({ line, mode, typed, isNewest }: CartLineRowProps) {
  const { lineId, item, units } = line;
  const asked = mode.kind === "price" || mode.kind === "quantity" ? mode : undefined;
  const isAsked = asked?.lineId === lineId;
  const shown = isAsked ? withTyped(line, asked.kind, typed) : line;
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-2 px-4 py-2 max-sm:px-3 ${isAsked || isNewest ? "bg-accent-tint" : ""}`}
    >
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium">{item.itemName}</span>
        <span className="truncate text-12 text-muted">{ownerName(item)}</span>
      </span>
      <Money cents={grossOf(shown)} className="text-16 font-semibold" />
      <IconButton
        icon={X}
        label={`Take out ${item.itemName}`}
        onClick={() => takeOut(lineId)}
        className="-me-2"
      />
      <span className="col-span-3 -ms-2 flex flex-wrap items-center gap-1 text-muted">
        <button
          type="button"
          onClick={() => askPrice(lineId)}
          aria-label={`Price of ${item.itemName}: ${shown.unitPriceCents === null ? "missing" : formatMoney(shown.unitPriceCents)}`}
          className={`${small} ${isAsked && asked.kind === "price" ? "bg-surface font-semibold text-accent ring-2 ring-accent" : shown.unitPriceCents === null ? "font-medium text-danger" : ""}`}
        >
          {shown.unitPriceCents === null ? "Price?" : `${formatMoney(shown.unitPriceCents)} each`}
        </button>
        <span className="ms-auto flex items-center">
          <IconButton
            icon={Minus}
            label={`One ${item.itemName} less`}
            disabled={units <= 1}
            onClick={() => changeUnits(lineId, units - 1)}
          />
          <button
            type="button"
            onClick={() => askQuantity(lineId)}
            aria-label={`Quantity of ${item.itemName}: ${units}`}
            className={`${small} ${isAsked && asked.kind === "quantity" ? "bg-surface font-semibold text-accent ring-2 ring-accent" : "font-medium text-text"}`}
          >
            {shown.units}
          </button>
          <IconButton
            icon={Plus}
            label={`One ${item.itemName} more`}
            onClick={() => changeUnits(lineId, units + 1)}
          />
        </span>
      </span>
    </li>
  );
}

/** The line as it will be if what stands in the field is entered. */
function withTyped(line: CartLine, asked: "price" | "quantity", typed: string): CartLine {
  if (asked === "price") {
    return { ...line, unitPriceCents: parseDollars(typed) ?? line.unitPriceCents };
  }
  return { ...line, units: parseWhole(typed) ?? line.units };
}

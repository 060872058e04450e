// One line of the cart, like a line on a receipt: item, owner, units, price. The newest line is on top.
import { Minus, Plus, X } from "lucide-react";
import { memo } from "react";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { ownerName } from "#web/shared/item/owner-chip.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Money } from "#web/ui/money.tsx";
import { grossOf, type CartLine } from "./cart.ts";
import { askInstead, askPrice, askQuantity } from "./till.ts";
import { changeUnits, takeOut } from "./till-cart.ts";

type CartLineRowProps = {
  readonly line: CartLine;
  /** What the field asks for on this line. */
  readonly asked: "price" | "quantity" | undefined;
  readonly isNewest: boolean;
  /** What was agreed with the consignor; undefined where the slider's share counts. */
  readonly agreedShare: number | undefined;
};

const amountButton =
  "inline-flex h-(--control) min-w-9 items-center justify-center rounded-control px-2 whitespace-nowrap tabular-nums transition-colors duration-120 hover:bg-hover";
const askedFor = "bg-surface font-semibold text-accent ring-2 ring-accent";

/** Two rows with the picture next to them. Rerenders only when it changes, because scans arrive faster than 200 rows can render. */
export const CartLineRow = memo(function CartLineRow({
  line,
  asked,
  isNewest,
  agreedShare,
}: CartLineRowProps) {
  const { lineId, item, units, unitPriceCents } = line;
  const price = unitPriceCents === null ? "Price?" : `${formatMoney(unitPriceCents)} each`;
  return (
    <li
      className={`flex items-center gap-3 py-2 ps-4 pe-2 [--control:2.25rem] max-sm:ps-3 touch:[--control:2.75rem] ${asked !== undefined || isNewest ? "bg-accent-tint" : ""}`}
    >
      <ItemImage url={item.imageUrl} size="line" />
      <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)_auto_var(--control)] items-center gap-x-2">
        <span className="flex min-w-0 flex-col">
          <span className="line-clamp-2 text-16 font-medium wrap-anywhere" title={item.itemName}>
            {item.itemName}
          </span>
          <span className="truncate text-12 text-muted">
            {agreedShare === undefined
              ? ownerName(item)
              : `${ownerName(item)} · agreed share ${agreedShare}%`}
          </span>
        </span>
        <Money cents={grossOf(line)} className="text-end text-16 font-semibold" />
        <IconButton icon={X} label={`Take out ${item.itemName}`} onClick={() => takeOut(lineId)} />
        <button
          type="button"
          onClick={() => askInstead(() => askPrice(lineId))}
          aria-label={withIsolatedNames(`${price}, ${item.itemName}`)}
          className={`${amountButton} -ms-2 justify-self-start ${asked === "price" ? askedFor : unitPriceCents === null ? "font-medium text-danger" : "text-muted"}`}
        >
          {price}
        </button>
        <span className="col-span-2 flex items-center justify-self-end">
          <IconButton
            icon={Minus}
            label={`One ${item.itemName} less`}
            disabled={units <= 1}
            onClick={() => changeUnits(lineId, units - 1)}
          />
          <button
            type="button"
            onClick={() => askInstead(() => askQuantity(lineId))}
            aria-label={withIsolatedNames(`${units} of ${item.itemName}`)}
            className={`${amountButton} ${asked === "quantity" ? askedFor : "font-medium"}`}
          >
            {units}
          </button>
          <IconButton
            icon={Plus}
            label={`One ${item.itemName} more`}
            onClick={() => changeUnits(lineId, units + 1)}
          />
        </span>
      </div>
    </li>
  );
});

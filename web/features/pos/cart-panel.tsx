// The right side of the till: the cart as a receipt, as high as the screen, so that the button to pay never moves.
import { PauseCircle, ShoppingCart } from "lucide-react";
import { parseDollars, parseWhole } from "#web/lib/amount.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { agreedShareOf } from "#web/shared/sale/selling-terms.ts";
import { cartSums, setPrice, setUnits, type Cart } from "./cart.ts";
import { CartLineRow } from "./cart-line.tsx";
import { CartSums } from "./cart-sums-part.tsx";
import { park } from "./parked.ts";
import { Payment } from "./payment-part.tsx";
import type { Mode, TillState } from "./till-state.ts";
import { useTerms } from "./use-till.ts";

type CartPanelProps = {
  readonly cart: Cart;
  readonly till: TillState;
  readonly typed: string;
};

/** The cart as it would be if the text in the field were entered. */
function withTyped(cart: Cart, mode: Mode, typed: string): Cart {
  if (mode.kind === "price") {
    return setPrice(cart, mode.lineId, parseDollars(typed)) ?? cart;
  }
  if (mode.kind === "quantity") {
    const changed = setUnits(cart, mode.lineId, parseWhole(typed), Number.POSITIVE_INFINITY);
    return changed === undefined || "kind" in changed ? cart : changed;
  }
  return cart;
}

function askedOf(mode: Mode, lineId: number): "price" | "quantity" | undefined {
  return (mode.kind === "price" || mode.kind === "quantity") && mode.lineId === lineId
    ? mode.kind
    : undefined;
}

export function CartPanel({ cart: stored, till, typed }: CartPanelProps) {
  const cart = withTyped(stored, till.mode, typed);
  const terms = useTerms();
  const sums = cartSums(cart, terms);
  const units = cart.lines.reduce((sum, line) => sum + line.units, 0);
  const newest = cart.lines.at(-1);
  return (
    <section
      aria-label="Cart"
      className="min-h-0 max-lg:contents lg:sticky lg:top-[calc(var(--top-bar)+1rem)] lg:card lg:flex lg:h-[calc(100dvh-var(--top-bar)-6.5rem)] lg:flex-col"
    >
      <div className="max-lg:flex max-lg:flex-col max-lg:card lg:contents">
        <header className="flex h-12 shrink-0 items-center justify-between border-b border-border ps-4 pe-2 max-sm:ps-3">
          <h2 className="text-16 font-semibold">
            Cart{" "}
            {units === 0 ? null : (
              <span className="ms-1 text-14 font-normal text-muted">
                {formatQuantity(units, "unit")}
              </span>
            )}
          </h2>
          <Button variant="quiet" icon={PauseCircle} disabled={units === 0} onClick={park}>
            Park
          </Button>
        </header>
        {newest === undefined ? (
          <div className="lg:grow">
            <EmptyState icon={ShoppingCart} title="Cart is empty">
              Scan the first item. Then enter its price.
            </EmptyState>
          </div>
        ) : (
          <ol
            aria-label="Lines, the newest first"
            className="min-h-0 divide-y divide-border overflow-y-auto lg:min-h-0 lg:grow lg:basis-0"
          >
            {cart.lines.toReversed().map((line) => (
              <CartLineRow
                key={line.lineId}
                line={line}
                asked={askedOf(till.mode, line.lineId)}
                isNewest={line === newest}
                agreedShare={
                  line.item.consignorID === null
                    ? undefined
                    : agreedShareOf(terms, line.item.consignorID)
                }
              />
            ))}
          </ol>
        )}
        <CartSums cart={cart} sums={sums} terms={terms} />
      </div>
      <Payment cart={cart} sums={sums} till={till} typed={typed} />
    </section>
  );
}

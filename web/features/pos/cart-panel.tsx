// The right side of the till: the cart as a receipt, its sums, the consignor's share, and the button to pay.
import { PauseCircle, ShoppingCart } from "lucide-react";
import { useId, type ReactNode } from "react";
import { parseDollars, parseWhole } from "#web/lib/amount.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Money } from "#web/ui/money.tsx";
import { CameraScan } from "./camera-scan.tsx";
import { agreedShareOf, type SellingTerms } from "#web/shared/sale/selling-terms.ts";
import { cartSums, setPrice, setUnits, sliderShare, type Cart } from "./cart.ts";
import { taxLabel, type SaleSums } from "./cart-sums.ts";
import { CartLineRow } from "./cart-line.tsx";
import { park } from "./parked.ts";
import { askScan, pay } from "./till.ts";
import { setShare } from "./till-cart.ts";
import { complete } from "./till-payment.ts";
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
      className="min-h-0 max-lg:contents lg:sticky lg:top-[calc(var(--top-bar)+1rem)] lg:card lg:flex lg:max-h-[calc(100dvh-var(--top-bar)-6.5rem)] lg:flex-col"
    >
      <div className="max-lg:flex max-lg:flex-col max-lg:card lg:contents">
        <header className="flex h-12 shrink-0 items-center justify-between border-b border-border ps-4 pe-2 max-sm:ps-3">
          <h2 className="text-16 font-semibold">
            Cart
            {units === 0 ? null : (
              <span className="ms-2 text-14 font-normal text-muted">
                {formatQuantity(units, "unit")}
              </span>
            )}
          </h2>
          <Button variant="quiet" icon={PauseCircle} disabled={units === 0} onClick={park}>
            Park
          </Button>
        </header>
        {newest === undefined ? (
          <div className="lg:min-h-64">
            <EmptyState icon={ShoppingCart} title="Cart is empty">
              Scan the first item. Then enter its price.
            </EmptyState>
          </div>
        ) : (
          <ol
            aria-label="Lines, the newest first"
            className="min-h-0 divide-y divide-border overflow-y-auto lg:min-h-24 lg:grow"
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
        <div className="flex shrink-0 flex-col gap-3 border-t border-border p-4 max-sm:p-3 lg:pb-0">
          <Share cart={cart} sums={sums} terms={terms} />
          <Sums sums={sums} taxRateBasisPoints={terms.taxRateBasisPoints} />
        </div>
      </div>
      <Payment cart={cart} sums={sums} till={till} typed={typed} />
    </section>
  );
}

type ShareProps = {
  readonly cart: Cart;
  readonly sums: SaleSums;
  readonly terms: SellingTerms;
};

function Share({ cart, sums, terms }: ShareProps) {
  const id = useId();
  const share = sliderShare(cart, terms);
  const hasAgreed = cart.lines.some(
    ({ item }) => item.consignorID !== null && agreedShareOf(terms, item.consignorID) !== undefined,
  );
  const owners = new Set(
    cart.lines.flatMap(({ item }) => item.consignorDisplayName ?? item.consignorID ?? []),
  );
  const [owner] = owners;
  const who = owners.size === 1 && owner !== undefined ? owner : "Consignor";
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          Consignor share
        </label>
        <output htmlFor={id} className="font-medium tabular-nums">
          {`${share}%`}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={1}
        value={share}
        onChange={(event) => setShare(event.target.valueAsNumber)}
        className="h-6 w-full accent-accent touch:h-11"
      />
      <p className="text-12 text-muted">
        {owners.size > 1 ? "Consignors get " : `${who} gets `}
        <span className="font-medium text-text tabular-nums">{formatMoney(sums.payoutCents)}</span>
        {hasAgreed ? ". Lines with an agreed share keep it." : null}
      </p>
    </div>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 text-muted">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type SumsProps = { readonly sums: SaleSums; readonly taxRateBasisPoints: number };

function Sums({ sums, taxRateBasisPoints }: SumsProps) {
  return (
    <dl className="flex flex-col gap-1 border-t border-border pt-3">
      <Row label="Subtotal">
        <Money cents={sums.subtotalCents} />
      </Row>
      <Row label={taxLabel(taxRateBasisPoints)}>
        <Money cents={sums.taxCents} />
      </Row>
    </dl>
  );
}

/** Below the breakpoint lg it is outside the card and sticks to the bottom of the screen. A phone in landscape has room for one row of it. */
function Payment({ cart, sums, till, typed }: CartPanelProps & { readonly sums: SaleSums }) {
  const isPaying = till.mode.kind === "pay";
  const cash = isPaying ? parseDollars(typed) : undefined;
  return (
    <div className="flex shrink-0 flex-col gap-3 px-4 py-3 max-lg:sticky max-lg:bottom-0 max-lg:z-10 max-lg:order-last max-lg:-mx-6 max-lg:mt-auto max-lg:-mb-6 max-lg:border-t max-lg:border-border max-lg:bg-surface max-lg:px-6 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:-mx-4 max-sm:-mb-4 max-sm:gap-2 max-sm:px-4 lg:pb-4 max-lg:[@media(max-height:30rem)]:flex-row max-lg:[@media(max-height:30rem)]:flex-wrap max-lg:[@media(max-height:30rem)]:items-center max-lg:[@media(max-height:30rem)]:justify-between">
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-16 font-semibold">Total</span>
        <output aria-label="Total" className="text-32 font-semibold">
          <Money cents={sums.totalCents} />
        </output>
      </div>
      {isPaying && cash !== undefined ? (
        <div className="flex items-baseline justify-between gap-4 text-16">
          <span>{cash < sums.totalCents ? "Still to pay" : "Change"}</span>
          <output className="text-20 font-semibold">
            <Money cents={Math.abs(cash - sums.totalCents)} />
          </output>
        </div>
      ) : null}
      {isPaying ? (
        <div className="grid grid-cols-[auto_1fr] gap-2">
          <Button onClick={askScan}>Back</Button>
          <Button
            variant="primary"
            isBusy={till.isTaking}
            busyLabel="Saving..."
            onClick={() => void complete(typed)}
          >
            Complete sale
          </Button>
        </div>
      ) : (
        <div className="flex gap-2">
          <span className="hidden touch:contents">
            <CameraScan word="Scan" className="h-12 text-16" />
          </span>
          <Button
            variant="primary"
            aria-keyshortcuts="F9"
            className="h-12 grow text-16"
            onClick={() => void pay(till.mode.kind === "price" ? typed : "")}
          >
            {cart.lines.length === 0 ? "Pay" : `Pay ${formatMoney(sums.totalCents)}`}
          </Button>
        </div>
      )}
    </div>
  );
}

// The bottom of the till's cart: the total and Pay. Paying takes cash, with quick amounts, a card, or something else.
import { CreditCard, Wallet } from "lucide-react";
import type { Cents } from "#ledger/money.ts";
import { parseDollars } from "#web/lib/amount.ts";
import { formatCount, formatMoney } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { Money } from "#web/ui/money.tsx";
import { CameraScan } from "./camera-scan.tsx";
import type { Cart } from "./cart.ts";
import type { SaleSums } from "./cart-sums.ts";
import { quickCash } from "./quick-cash.ts";
import { askScan, pay } from "./till.ts";
import type { Payment as Tendered } from "./taken-sale.ts";
import { complete, completeInCash } from "./till-payment.ts";
import type { TillState } from "./till-state.ts";

type PaymentProps = {
  readonly cart: Cart;
  readonly sums: SaleSums;
  readonly till: TillState;
  readonly typed: string;
};

/** Below the breakpoint lg it is outside the card and sticks to the bottom of the screen. A phone in landscape has room for one row of it, a page at 400 % for none: there it stands below the cart. */
export function Payment({ cart, sums, till, typed }: PaymentProps) {
  const { totalCents } = sums;
  const { mode } = till;
  const isPaying = mode.kind === "pay";
  const asked = isPaying && typed.trim() === "" ? mode.askedCents : undefined;
  const cash = isPaying ? (asked ?? parseDollars(typed)) : undefined;
  return (
    <div className="flex shrink-0 flex-col gap-3 px-4 py-3 max-lg:sticky max-lg:bottom-0 max-lg:z-10 max-lg:order-last max-lg:-mx-6 max-lg:mt-auto max-lg:-mb-6 max-lg:border-t max-lg:border-border max-lg:bg-surface max-lg:px-6 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:-mx-4 max-sm:-mb-4 max-sm:gap-2 max-sm:px-4 lg:pb-4 max-lg:short:flex-row max-lg:short:flex-wrap max-lg:short:items-center max-lg:short:justify-between max-lg:[@media(height<20rem)]:static">
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-16 font-semibold">Total</span>
        <output aria-label="Total" className="text-32 font-semibold">
          <Money cents={totalCents} />
        </output>
      </div>
      {isPaying && cash !== undefined ? (
        <div className="flex items-baseline justify-between gap-4 text-16">
          <span>{cash < totalCents ? "Still to pay" : "Change"}</span>
          <output className="text-20 font-semibold">
            <Money cents={Math.abs(cash - totalCents)} />
          </output>
        </div>
      ) : null}
      {isPaying ? (
        <Paying
          totalCents={totalCents}
          cash={cash}
          isAsked={asked !== undefined}
          till={till}
          typed={typed}
        />
      ) : (
        <div className="flex gap-2">
          <span className="hidden touch:contents">
            <CameraScan word="Scan" className="h-12 text-16" />
          </span>
          <Button
            variant="primary"
            aria-keyshortcuts="F9"
            className="h-12 grow text-16"
            onClick={() => void pay(typed)}
          >
            {cart.lines.length === 0 ? "Pay" : `Pay ${formatMoney(totalCents)}`}
          </Button>
        </div>
      )}
    </div>
  );
}

type PayingProps = {
  readonly totalCents: Cents;
  /** The amount in the field, or the one that is asked about; undefined if it is none. */
  readonly cash: Cents | undefined;
  readonly isAsked: boolean;
  readonly till: TillState;
  readonly typed: string;
};

/** Its buttons are deaf when they appear, because Exact cash takes the place of Pay. They do not look disabled, as that would flash at every sale. */
function Paying({ totalCents, cash, isAsked, till, typed }: PayingProps) {
  const { isTaking, isDeaf } = till;
  return (
    <>
      <Tenders totalCents={totalCents} isTaking={isTaking} isDeaf={isDeaf} />
      <div className="grid grid-cols-[auto_1fr] gap-2">
        <Button className="h-12 text-16" onClick={askScan}>
          Back
        </Button>
        <Button
          variant="primary"
          className="h-12 text-16"
          aria-disabled={isDeaf || undefined}
          isBusy={isTaking}
          busyLabel="Saving..."
          onClick={() => (isDeaf ? undefined : void completeInCash(typed))}
        >
          {cash !== undefined
            ? `${isAsked ? "Yes, cash" : "Cash"} ${formatMoney(cash)}`
            : typed.trim() === ""
              ? "Exact cash"
              : "Cash"}
        </Button>
      </div>
    </>
  );
}

type TendersProps = {
  readonly totalCents: Cents;
  readonly isTaking: boolean;
  readonly isDeaf: boolean;
};

/** One press each completes the sale. */
function Tenders({ totalCents, isTaking, isDeaf }: TendersProps) {
  const common = {
    className: "h-12 text-16",
    disabled: isTaking,
    "aria-disabled": isDeaf || undefined,
  };
  const take = (payment: Tendered) => () => (isDeaf ? undefined : void complete(payment));
  return (
    <fieldset aria-label="Pay with" className="grid grid-cols-4 gap-2 max-[26rem]:grid-cols-2">
      {quickCash(totalCents).map((cents) => (
        <Button key={cents} {...common} onClick={take({ tender: "cash", cashCents: cents })}>
          {`$${formatCount(cents / 100)}`}
        </Button>
      ))}
      <Button
        {...common}
        icon={CreditCard}
        aria-keyshortcuts="F8"
        onClick={take({ tender: "card", cashCents: null })}
      >
        Card
      </Button>
      <Button
        {...common}
        icon={Wallet}
        aria-keyshortcuts="F7"
        onClick={take({ tender: "other", cashCents: null })}
      >
        Other
      </Button>
    </fieldset>
  );
}

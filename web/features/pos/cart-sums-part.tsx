// Below the cart's lines: the consignors' share, the subtotal, and the tax or the certificate that frees from it.
import { useId, useState } from "react";
import { formatMoney } from "#web/lib/formats.ts";
import { taxLine } from "#web/shared/receipt/receipt-content.ts";
import { agreedShareOf, type SellingTerms } from "#web/shared/sale/selling-terms.ts";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { sliderShare, type Cart } from "./cart.ts";
import type { SaleSums } from "./cart-sums.ts";
import { setCertificate, setShare } from "./till-cart.ts";

const ExemptDialog = onDemand(() =>
  import("./exempt-dialog.tsx").then((file) => file.ExemptDialog),
);

type CartSumsProps = {
  readonly cart: Cart;
  readonly sums: SaleSums;
  readonly terms: SellingTerms;
};

export function CartSums({ cart, sums, terms }: CartSumsProps) {
  const [isAsking, setAsking] = useState(false);
  const certificate = cart.lines.length === 0 ? undefined : cart.certificate;
  const tax = taxLine("", terms.taxRateBasisPoints, certificate);
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-border p-4 py-3 max-sm:p-3 lg:pb-0">
      <Share cart={cart} sums={sums} terms={terms} />
      <dl className="flex flex-col gap-1 border-t border-border pt-2">
        <div className="flex items-baseline justify-between gap-4 text-muted">
          <dt>Subtotal</dt>
          <dd>
            <Money cents={sums.subtotalCents} />
          </dd>
        </div>
        <div className="flex items-baseline gap-x-3 text-muted">
          <dt className="min-w-0 truncate">{tax.label}</dt>
          <dd className="flex grow items-baseline gap-4">
            {cart.lines.length === 0 ? null : certificate === undefined ? (
              <TextButton onClick={() => setAsking(true)}>Exempt</TextButton>
            ) : (
              <TextButton onClick={() => setCertificate(undefined)}>Charge tax</TextButton>
            )}
            <Money cents={sums.taxCents} className="ms-auto" />
          </dd>
        </div>
      </dl>
      {isAsking ? <ExemptDialog onClose={() => setAsking(false)} /> : null}
    </div>
  );
}

function Share({ cart, sums, terms }: CartSumsProps) {
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
    <div className="flex flex-col">
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="font-medium whitespace-nowrap">
          Consignor share
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          step={1}
          value={share}
          onChange={(event) => setShare(event.target.valueAsNumber)}
          className="h-6 min-w-0 grow accent-accent touch:h-11"
        />
        <output htmlFor={id} className="w-11 text-end font-medium tabular-nums">
          {`${share}%`}
        </output>
      </div>
      <p className="text-12 text-muted">
        {owners.size > 1 ? "Consignors get " : `${who} gets `}
        <span className="font-medium text-text tabular-nums">{formatMoney(sums.payoutCents)}</span>
        {hasAgreed ? ". Lines with an agreed share keep it." : null}
      </p>
    </div>
  );
}

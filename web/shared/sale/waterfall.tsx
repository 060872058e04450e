// How a sale's money is split, step by step and as one bar: price − shipping → consignor $ / store $. Updates while typing.
import { formatMoney } from "#web/lib/formats.ts";
import { Money } from "#web/ui/money.tsx";
import type { SaleSplit } from "./sale-split.ts";

type WaterfallProps = {
  /** Undefined while the inputs are invalid; the steps are then empty. */
  readonly split: SaleSplit | undefined;
  /** Who gets the consignor's share; undefined for a sale of the store's own item. */
  readonly consignorName: string | undefined;
};

export function Waterfall({ split, consignorName }: WaterfallProps) {
  return (
    <figure aria-label="Calculation" className="flex flex-col gap-3 rounded-card bg-fill p-4">
      <Bar split={split} hasConsignor={consignorName !== undefined} />
      <dl className="flex flex-col gap-1">
        <Step label="Sale price" cents={split?.priceCents} />
        <Step
          label="Shipping"
          cents={split === undefined ? undefined : -split.shippingCents}
          swatch="shipping"
        />
        <Step
          label={consignorName === undefined ? "After shipping" : "To split"}
          cents={split?.restCents}
          isSum
        />
        {consignorName === undefined ? null : (
          <Step
            label={
              split?.isPayoutTyped === true
                ? `${consignorName}, as typed`
                : split === undefined
                  ? consignorName
                  : `${consignorName}, ${split.percentage}%`
            }
            cents={split?.consignorCents}
            swatch="consignor"
            isStrong
          />
        )}
        <Step label="Store" cents={split?.storeCents} swatch="store" isStrong />
      </dl>
      <p aria-live="polite" className="min-h-5 text-12 text-muted">
        {split === undefined
          ? "Enter a price to see who gets what."
          : sentence(split, consignorName)}
      </p>
    </figure>
  );
}

function sentence(split: SaleSplit, consignorName: string | undefined): string {
  const store =
    split.storeCents < 0
      ? `the store bears ${formatMoney(-split.storeCents)}`
      : `the store keeps ${formatMoney(split.storeCents)}`;
  return consignorName === undefined
    ? `${store.charAt(0).toUpperCase()}${store.slice(1)}.`
    : `${consignorName} gets ${formatMoney(split.consignorCents)}, ${store}.`;
}

type Part = "shipping" | "consignor" | "store";

const paint: Readonly<Record<Part, string>> = {
  shipping: "bg-border-strong",
  consignor: "bg-chart-1",
  store: "bg-chart-2",
};

function Step({
  label,
  cents,
  swatch,
  isSum = false,
  isStrong = false,
}: {
  readonly label: string;
  readonly cents: number | undefined;
  readonly swatch?: Part;
  readonly isSum?: boolean;
  readonly isStrong?: boolean;
}) {
  return (
    <div
      className={`flex items-center gap-2 ${isSum ? "mb-1 border-t border-border-strong pt-1" : ""} ${isStrong ? "font-semibold" : ""}`}
    >
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-pill ${swatch === undefined ? "" : paint[swatch]}`}
      />
      <dt className="min-w-0 grow truncate">{label}</dt>
      <dd>
        {cents === undefined ? <span className="text-faint">—</span> : <Money cents={cents} />}
      </dd>
    </div>
  );
}

/** The parts of the price as widths. What the store adds to cover a loss is not shown. */
function Bar({
  split,
  hasConsignor,
}: {
  readonly split: SaleSplit | undefined;
  readonly hasConsignor: boolean;
}) {
  const price = split?.priceCents ?? 0;
  const parts: readonly (readonly [Part, number])[] =
    split === undefined || price === 0
      ? []
      : [
          ["shipping", Math.min(split.shippingCents, price)],
          ...(hasConsignor
            ? ([["consignor", Math.min(split.consignorCents, price)]] as const)
            : []),
          ["store", Math.max(0, split.storeCents)],
        ];
  return (
    <div aria-hidden="true" className="flex h-3 gap-0.5 overflow-hidden rounded-pill bg-border">
      {parts.map(([part, cents]) =>
        cents === 0 ? null : (
          <span
            key={part}
            className={paint[part]}
            style={{ flexGrow: cents, flexBasis: 0, minWidth: "2px" }}
          />
        ),
      )}
    </div>
  );
}

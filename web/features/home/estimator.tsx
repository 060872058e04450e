// The home page's estimate of a payout: price, shipping and share, split as a sale of the ledger is. Drawn with an example.
import { useState } from "react";
import { dollarsText, parseDollars } from "#web/lib/amount.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { percentageOf, splitOf, type SaleSplit } from "#web/shared/sale/sale-split.ts";
import { Field } from "#web/ui/field.tsx";
import { TextInput } from "#web/ui/text-input.tsx";

const EXAMPLE = { priceCents: 6_000, shippingCents: 800 };

type NumberFieldProps = {
  readonly label: string;
  readonly before?: string;
  readonly after?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

function NumberField({ label, ...input }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <TextInput
          {...control}
          {...input}
          inputMode={input.after === undefined ? "decimal" : "numeric"}
          autoComplete="off"
          className="text-end tabular-nums"
        />
      )}
    </Field>
  );
}

export function Estimator({ usualShare }: { readonly usualShare: number }) {
  const [price, setPrice] = useState(dollarsText(EXAMPLE.priceCents));
  const [shipping, setShipping] = useState(dollarsText(EXAMPLE.shippingCents));
  const [share, setShare] = useState(String(usualShare));
  const priceCents = parseDollars(price);
  const shippingCents = shipping.trim() === "" ? 0 : parseDollars(shipping);
  const percentage = percentageOf(share, usualShare);
  const split =
    priceCents === undefined || shippingCents === undefined || percentage === undefined
      ? undefined
      : splitOf(priceCents, shippingCents, percentage);
  return (
    <section aria-labelledby="estimate" className="card flex flex-col gap-4 p-6 max-sm:p-4">
      <h2 id="estimate" className="text-16 font-semibold">
        What would you get?
      </h2>
      <div className="grid grid-cols-3 gap-3">
        <NumberField label="Sale price" before="$" value={price} onValue={setPrice} />
        <NumberField label="Shipping" before="$" value={shipping} onValue={setShipping} />
        <NumberField label="Your share" after="%" value={share} onValue={setShare} />
      </div>
      <Result split={split} />
    </section>
  );
}

function Result({ split }: { readonly split: SaleSplit | undefined }) {
  const store = split?.storeCents ?? 0;
  return (
    <div className="flex flex-col gap-3 rounded-card bg-fill p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3" aria-live="polite">
        <span className="text-14 font-medium">You get</span>
        <span className="text-32 font-semibold tabular-nums">
          {split === undefined ? "—" : formatMoney(split.consignorCents)}
        </span>
      </p>
      <Bar split={split} />
      <dl className="flex flex-col gap-1 text-14">
        <Line label="Sale price" cents={split?.priceCents} />
        <Line
          label="Shipping"
          cents={split === undefined ? undefined : -split.shippingCents}
          swatch="fill-border-strong"
        />
        <Line
          label={split === undefined ? "Your share" : `Your share, ${split.percentage}%`}
          cents={split?.consignorCents}
          swatch="fill-chart-1"
        />
        <Line
          label={store < 0 ? "The store bears" : "The store keeps"}
          cents={split === undefined ? undefined : Math.abs(store)}
          swatch="fill-chart-2"
        />
      </dl>
      <p className="text-12 text-muted">
        {split === undefined
          ? "Enter amounts such as 60.00, and a share from 0 to 100."
          : "Shipping is what it costs to send the item to its buyer."}
      </p>
    </div>
  );
}

type LineProps = {
  readonly label: string;
  /** Undefined while the fields are invalid. */
  readonly cents: number | undefined;
  readonly swatch?: string;
};

function Line({ label, cents, swatch = "fill-transparent" }: LineProps) {
  return (
    <div className="flex items-center gap-2">
      <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2 shrink-0">
        <circle cx="4" cy="4" r="4" className={swatch} />
      </svg>
      <dt className="min-w-0 grow truncate">{label}</dt>
      <dd className="tabular-nums">{cents === undefined ? "—" : formatMoney(cents)}</dd>
    </div>
  );
}

/** The parts of the price as widths. Drawn, because a served page may have no style attributes. */
function Bar({ split }: { readonly split: SaleSplit | undefined }) {
  const price = Math.max(1, split?.priceCents ?? 1);
  const widths = [
    ["fill-border-strong", Math.min(split?.shippingCents ?? 0, price)],
    ["fill-chart-1", Math.min(split?.consignorCents ?? 0, price)],
    ["fill-chart-2", Math.max(0, split?.storeCents ?? 0)],
  ] as const;
  const startOf = (index: number) =>
    widths.slice(0, index).reduce((sum, [, width]) => sum + width, 0);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${price} 1`}
      preserveAspectRatio="none"
      className="h-3 w-full rounded-pill bg-border"
    >
      {widths.map(([color, width], index) => (
        <rect key={color} x={startOf(index)} width={width} height="1" className={color} />
      ))}
    </svg>
  );
}

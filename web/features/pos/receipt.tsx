// A receipt as printed on 80 mm paper and as previewed on screen.
import { code128 } from "./code-128.ts";
import { receiptOf } from "./receipt-lines.ts";
import { unnamedStore } from "#web/ui/store-name.ts";
import type { TakenSale } from "./taken-sale.ts";
import { useTerms } from "./use-till.ts";

const quietModules = 10;
const barHeight = 40;

/** The position and width of each bar, in modules. */
function barsOf(code: string): {
  readonly bars: readonly [number, number][];
  readonly end: number;
} {
  const bars: [number, number][] = [];
  let x = quietModules;
  for (const [index, width] of code128(code).entries()) {
    if (index % 2 === 0) {
      bars.push([x, width]);
    }
    x += width;
  }
  return { bars, end: x + quietModules };
}

function Barcode({ code }: { readonly code: string }) {
  const { bars, end } = barsOf(code);
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here so that the bars print sharp
      role="img"
      aria-label={`Barcode ${code}`}
      viewBox={`0 0 ${end} ${barHeight}`}
      preserveAspectRatio="none"
      className="h-12 w-full"
      shapeRendering="crispEdges"
      fill="currentColor"
    >
      {bars.map(([x, width]) => (
        <rect key={x} x={x} y={0} width={width} height={barHeight} />
      ))}
    </svg>
  );
}

export function Receipt({ sale }: { readonly sale: TakenSale }) {
  const receipt = receiptOf(sale);
  const store = useTerms().receipt;
  return (
    <div className="flex flex-col gap-2 text-12">
      <div className="text-center">
        <p className="text-14 font-semibold wrap-anywhere">{store.storeName ?? unnamedStore}</p>
        {store.addressLines.map((line) => (
          <p key={line} className="wrap-anywhere">
            {line}
          </p>
        ))}
        <p>{receipt.soldAt}</p>
        <p>{receipt.number}</p>
      </div>
      <ul className="flex flex-col gap-1 border-y border-dashed border-border-strong py-2">
        {receipt.lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a receipt never changes
          <li key={index} className="flex items-start justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">
              {line.name}
              {line.units === "" ? null : <span className="block tabular-nums">{line.units}</span>}
            </span>
            <span className="tabular-nums">{line.amount}</span>
          </li>
        ))}
      </ul>
      <dl className="flex flex-col gap-1">
        <Amount label="Subtotal" amount={receipt.subtotal} />
        <Amount label={receipt.taxLabel} amount={receipt.tax} />
        <div className="flex justify-between gap-3 text-16 font-semibold">
          <dt>Total</dt>
          <dd className="tabular-nums">{receipt.total}</dd>
        </div>
        {receipt.cash === undefined ? null : (
          <>
            <Amount label="Cash" amount={receipt.cash.given} />
            <Amount label="Change" amount={receipt.cash.change} />
          </>
        )}
      </dl>
      <div className="mt-1 flex flex-col items-center gap-1">
        <Barcode code={receipt.number} />
        {store.returnPolicy === null ? null : (
          <p className="self-stretch text-center wrap-anywhere whitespace-pre-line">
            {store.returnPolicy}
          </p>
        )}
        <p>Thank you</p>
      </div>
    </div>
  );
}

function Amount({ label, amount }: { readonly label: string; readonly amount: string }) {
  return (
    <div className="flex justify-between gap-3">
      <dt>{label}</dt>
      <dd className="tabular-nums">{amount}</dd>
    </div>
  );
}

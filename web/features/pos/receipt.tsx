// A receipt as printed on 80 mm paper and as previewed on screen.
import { Barcode } from "#web/shared/code/barcode.tsx";
import { receiptOf } from "./receipt-lines.ts";
import { unnamedStore } from "#web/ui/store-name.ts";
import type { TakenSale } from "./taken-sale.ts";
import { useTerms } from "./use-till.ts";

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
        <Barcode className="h-12 w-full" code={receipt.number} />
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

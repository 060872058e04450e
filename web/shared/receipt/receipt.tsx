// A receipt as printed on 80 mm paper and as previewed on screen.
import { Barcode } from "#web/shared/code/barcode.tsx";
import { unnamedStore } from "#web/ui/store-name.ts";
import type { ReceiptContent } from "./receipt-content.ts";

export function Receipt({ content }: { readonly content: ReceiptContent }) {
  const { number, store, tax } = content;
  return (
    <div className="flex flex-col gap-2 text-12">
      <div className="text-center">
        <p className="text-14 font-semibold wrap-anywhere">{store.storeName ?? unnamedStore}</p>
        {store.addressLines.map((line) => (
          <p key={line} className="wrap-anywhere">
            {line}
          </p>
        ))}
        <p>{content.soldAt}</p>
        {number === null ? null : <p>{number}</p>}
      </div>
      <ul className="flex flex-col gap-1 border-y border-dashed border-border-strong py-2">
        {content.lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of a receipt keep their order
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
        <Amount label="Subtotal" amount={content.subtotal} />
        <Amount {...tax} />
        <div className="flex justify-between gap-3 text-16 font-semibold">
          <dt>Total</dt>
          <dd className="tabular-nums">{content.total}</dd>
        </div>
        {content.payments.map((payment, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the payments of a receipt keep their order
          <Amount key={index} {...payment} />
        ))}
      </dl>
      {content.isCorrected ? (
        <p>Corrected after the sale. These are the amounts that count.</p>
      ) : null}
      <div className="mt-1 flex flex-col items-center gap-1">
        {number === null ? null : <Barcode className="h-12 w-full" code={number} />}
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
      <dt className="min-w-0 wrap-anywhere">{label}</dt>
      <dd className="tabular-nums">{amount}</dd>
    </div>
  );
}

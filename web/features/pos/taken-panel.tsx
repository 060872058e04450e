// Shown after a sale until the next scan: the total, the change to give, and the receipt.
import { CircleCheck, Printer, X } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Money } from "#web/ui/money.tsx";
import { PrintedReceipt } from "./print-receipt.tsx";
import { Receipt } from "./receipt.tsx";
import { receiptNumber, type TakenSale } from "./taken-sale.ts";
import { showTaken } from "./till-payment.ts";

export function TakenPanel({ sale }: { readonly sale: TakenSale }) {
  const change = sale.cashCents === null ? undefined : sale.cashCents - sale.totalCents;
  return (
    <section
      aria-label="The last sale"
      className="card grid grid-cols-[minmax(0,1fr)_19rem] gap-6 p-6 max-[79.99rem]:grid-cols-1 max-sm:gap-4 max-sm:p-4"
    >
      <div className="flex min-w-0 flex-col items-start gap-4">
        <div className="flex w-full items-start justify-between gap-2">
          <p className="flex items-center gap-2 text-16 font-semibold">
            <Icon of={CircleCheck} size={20} className="text-credit" />
            Sale complete
          </p>
          <IconButton
            icon={X}
            label="Close the receipt"
            onClick={() => showTaken(undefined)}
            className="-my-1.5 -me-1.5"
          />
        </div>
        <div>
          <p className="text-muted">{change === undefined ? "Paid" : "Change to give"}</p>
          <p className="text-40 font-semibold">
            <Money cents={change ?? sale.totalCents} />
          </p>
          {change === undefined ? null : (
            <p className="text-muted">
              <Money cents={sale.cashCents ?? 0} /> for <Money cents={sale.totalCents} />
            </p>
          )}
        </div>
        <Button icon={Printer} onClick={() => print()}>
          Print receipt
        </Button>
        <p className="text-12 text-muted">
          {`Receipt ${receiptNumber(sale.saleId)}. The next scan starts a new sale.`}
        </p>
      </div>
      <div className="rounded-bit border border-border bg-bg p-4 max-[79.99rem]:hidden">
        <Receipt sale={sale} />
      </div>
      <PrintedReceipt sale={sale} />
    </section>
  );
}

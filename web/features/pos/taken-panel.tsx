// Shown after a sale until the next scan: the total, the change to give, and the receipt. Receipts that were looked up too.
import { CircleCheck, Printer, Receipt as ReceiptIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { toCents } from "#ledger/money.ts";
import { PrintedReceipt } from "#web/shared/receipt/print-receipt.tsx";
import {
  contentOf,
  tenderWords,
  type ReceiptContent,
} from "#web/shared/receipt/receipt-content.ts";
import { Receipt } from "#web/shared/receipt/receipt.tsx";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Money } from "#web/ui/money.tsx";
import { receiptOf } from "./receipt-lines.ts";
import type { TakenSale } from "./taken-sale.ts";
import { showReceipt } from "./till-payment.ts";
import type { ShownReceipt } from "./till-state.ts";
import { useTerms } from "./use-till.ts";

export function TakenPanel({ shown }: { readonly shown: ShownReceipt }) {
  const store = useTerms().receipt;
  if (shown.kind === "taken") {
    const { sale } = shown;
    return (
      <Panel label="The last sale" title="Sale complete" content={receiptOf(sale, store)}>
        <Paid sale={sale} />
      </Panel>
    );
  }
  const content = contentOf(shown.receipt);
  return (
    <Panel label="Receipt" title={`Receipt ${content.number ?? ""}`} content={content}>
      <div>
        <p className="text-muted">{content.soldAt}</p>
        <p className="text-40 font-semibold">
          <Money cents={toCents(shown.receipt.total)} />
        </p>
      </div>
    </Panel>
  );
}

function Paid({ sale }: { readonly sale: TakenSale }) {
  const { tender, cashCents, totalCents } = sale;
  const isChange = cashCents !== null && cashCents > totalCents;
  const paid =
    tender === undefined || tender === "other"
      ? "Paid"
      : `Paid, ${tenderWords[tender].toLowerCase()}`;
  return (
    <div>
      <p className="text-muted">{isChange ? "Change to give" : paid}</p>
      <p className="text-40 font-semibold">
        <Money cents={isChange ? cashCents - totalCents : totalCents} />
      </p>
      {isChange ? (
        <p className="text-muted">
          <Money cents={cashCents} /> for <Money cents={totalCents} />
        </p>
      ) : null}
    </div>
  );
}

type PanelProps = {
  readonly label: string;
  readonly title: string;
  readonly content: ReceiptContent;
  readonly children: ReactNode;
};

function Panel({ label, title, content, children }: PanelProps) {
  const isSale = label !== "Receipt";
  return (
    <section
      aria-label={label}
      className="card grid grid-cols-[minmax(0,1fr)_19rem] gap-6 p-6 max-[79.99rem]:grid-cols-1 max-sm:gap-4 max-sm:p-4"
    >
      <div className="flex min-w-0 flex-col items-start gap-4">
        <div className="flex w-full items-start justify-between gap-2">
          <p className="flex items-center gap-2 text-16 font-semibold">
            <Icon
              of={isSale ? CircleCheck : ReceiptIcon}
              size={20}
              className={isSale ? "text-credit" : "text-muted"}
            />
            {title}
          </p>
          <IconButton
            icon={X}
            label="Close the receipt"
            onClick={() => showReceipt(undefined)}
            className="-my-1.5 -me-1.5"
          />
        </div>
        {children}
        <Button icon={Printer} onClick={() => print()}>
          Print receipt
        </Button>
        <p className="text-12 text-muted">
          {`Receipt ${content.number ?? ""}. The next scan starts a new sale.`}
        </p>
      </div>
      <div className="rounded-bit border border-border bg-bg p-4 max-[79.99rem]:hidden">
        <Receipt content={content} />
      </div>
      <PrintedReceipt content={content} />
    </section>
  );
}

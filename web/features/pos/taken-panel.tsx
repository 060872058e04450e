// Shown after a sale until the next scan: the total, the change to give, and the receipt. Earlier sales and receipts that were looked up too.
import { CircleCheck, Mail, Printer, Receipt as ReceiptIcon, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toCents, type Cents } from "#ledger/money.ts";
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
import { onDemand } from "#web/ui/on-demand.tsx";
import { receiptOf } from "./receipt-lines.ts";
import { isLastOf, lineKeyOf, type TakenSale } from "./taken-sale.ts";
import type { TillBook } from "./till-book.ts";
import { showReceipt } from "./till-payment.ts";
import type { ShownReceipt } from "./till-state.ts";
import { useCart, useTerms, useTillBook } from "./use-till.ts";

const EmailDialog = onDemand(() =>
  import("#web/shared/receipt/email-receipt-dialog.tsx").then((file) => file.EmailReceiptDialog),
);

export function TakenPanel({ shown }: { readonly shown: ShownReceipt }) {
  const store = useTerms().receipt;
  const book = useTillBook();
  // When the panel opened: a sale in another tab must not take away the change that is being given here.
  const [isLast] = useState(() => shown.kind === "taken" && isLastOf(book.sales, shown.sale));
  if (shown.kind === "found") {
    const { receiptID, total } = shown.receipt;
    const content = contentOf(shown.receipt);
    return (
      <Panel isSale={false} content={content} receiptID={receiptID} isBooked>
        <Total content={content} cents={toCents(total)} />
      </Panel>
    );
  }
  const { sale } = shown;
  const content = receiptOf(sale, store);
  return (
    <Panel
      isSale={isLast}
      content={content}
      receiptID={sale.tender === undefined ? null : sale.saleId}
      isBooked={isBooked(book, sale)}
    >
      {isLast ? <Paid sale={sale} /> : <Total content={content} cents={sale.totalCents} />}
    </Panel>
  );
}

type TotalProps = { readonly content: ReceiptContent; readonly cents: Cents };

function Total({ content, cents }: TotalProps) {
  return (
    <div>
      <p className="text-muted">{content.soldAt}</p>
      <p className="text-40 font-semibold">
        <Money cents={cents} />
      </p>
    </div>
  );
}

/** Whether the server has every line. Lines of earlier days are not in the book: they were settled, or they would be. */
function isBooked({ lines }: TillBook, sale: TakenSale): boolean {
  return sale.lines.every(({ line }) => {
    const queued = lines.get(lineKeyOf(sale.saleId, line));
    return queued === undefined || queued.status === "booked";
  });
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
  /** True for the sale that was just made, false for any other receipt. */
  readonly isSale: boolean;
  readonly content: ReceiptContent;
  /** Null for a sale from before receipts. */
  readonly receiptID: string | null;
  /** False while the server does not have all of it. */
  readonly isBooked: boolean;
  readonly children: ReactNode;
};

function Panel({ isSale, content, receiptID, isBooked, children }: PanelProps) {
  const [isEmailing, setEmailing] = useState(false);
  const isCartEmpty = useCart().lines.length === 0;
  const receipt = `Receipt ${content.number ?? ""}`;
  return (
    <section
      aria-label={isSale ? "The last sale" : "Receipt"}
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
            {isSale ? "Sale complete" : receipt}
          </p>
          <IconButton
            icon={X}
            label="Close the receipt"
            onClick={() => showReceipt(undefined)}
            className="-my-1.5 -me-1.5"
          />
        </div>
        {children}
        <div className="flex flex-wrap gap-2">
          <Button icon={Printer} onClick={() => print()}>
            Print receipt
          </Button>
          {receiptID === null ? null : (
            <Button icon={Mail} disabled={!isBooked} onClick={() => setEmailing(true)}>
              Email receipt
            </Button>
          )}
        </div>
        <p className="text-12 text-muted">
          {isCartEmpty ? `${receipt}. The next scan starts a new sale.` : `${receipt}.`}
        </p>
      </div>
      <div className="rounded-bit border border-border bg-bg p-4 max-[79.99rem]:hidden">
        <Receipt content={content} />
      </div>
      <PrintedReceipt content={content} />
      {isEmailing && receiptID !== null ? (
        <EmailDialog receiptID={receiptID} onClose={() => setEmailing(false)} />
      ) : null}
    </section>
  );
}

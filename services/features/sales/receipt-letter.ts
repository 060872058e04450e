// A receipt as a letter to the customer: what was bought, what was paid, and the store's return policy.
import { formatDollars } from "#ledger/money.ts";
import type { Letter } from "#mail/letter.ts";
import type { ReceiptView } from "#features/sales/contract-receipt.ts";
import { byTender } from "#features/sales/explain.ts";

type Store = {
  readonly name: string;
  readonly url: string;
  /** An IANA name. */
  readonly timeZone: string;
};

/** The words of the letter, without its recipient. */
export function receiptLetter(receipt: ReceiptView, store: Store): Omit<Letter, "to"> {
  const { number, lines, taxExempt, taxRate, tender, refunds } = receipt;
  const day = new Intl.DateTimeFormat("en-US", {
    timeZone: store.timeZone,
    dateStyle: "long",
    timeStyle: "short",
  });
  const rate = taxRate === null ? "" : ` ${taxRate / 100}%`;
  const tax =
    taxExempt === null
      ? `Sales tax${rate}: ${formatDollars(receipt.tax)}`
      : ["Tax exempt", taxExempt.certificate].filter(Boolean).join(", ");
  return {
    subject: `Your receipt ${number ?? ""} from ${store.name}`.replace("  ", " "),
    paragraphs: [
      [store.name, ...receipt.store.addressLines].join(", "),
      `Receipt ${number ?? ""}, ${day.format(new Date(receipt.soldAt))}`,
      ...lines.map(
        ({ itemName, quantity, amount }) =>
          `${quantity === 1 ? "" : `${quantity} × `}${itemName}: ${formatDollars(amount)}`,
      ),
      `Subtotal: ${formatDollars(receipt.subtotal)}. ${tax}`,
      `Total: ${formatDollars(receipt.total)}${tender === null ? "" : `, paid ${byTender[tender]}`}`,
      ...(lines.some(({ isCorrected }) => isCorrected === true)
        ? ["This sale was corrected after it was made. These are the amounts that count."]
        : []),
      ...refunds.map(
        ({ amount, refundedAt }) =>
          `Refunded ${day.format(new Date(refundedAt))}: ${formatDollars(amount)}`,
      ),
      ...(receipt.store.returnPolicy === null ? [] : [receipt.store.returnPolicy]),
    ],
    action: { label: `Visit ${store.name}`, url: store.url },
    closing: "You get this receipt because you asked for it at the till. Thank you.",
  };
}

// Prints the receipt: hidden on screen, alone on an 80 mm page as long as the receipt.
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { Receipt } from "./receipt.tsx";
import type { ReceiptContent } from "./receipt-content.ts";

const mmPerPx = 25.4 / 96;
const marginMm = 4;

/** What `print()` prints while it is mounted. It measures once: pass the receipt's id as `key`. */
export function PrintedReceipt({ content }: { readonly content: ReceiptContent }) {
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // Chromium ignores "auto" as a page height, so the height is measured.
    // One extra millimeter, or rounding would start a second page.
    const heightMm = 1 + Math.ceil((ref.current?.offsetHeight ?? 0) * mmPerPx) + 2 * marginMm;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `@page { size: 80mm ${heightMm}mm; margin: 0; }
      @media print { body > :not([data-printed]) { display: none; } body { min-height: 0; } }`,
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, []);

  return createPortal(
    <div
      data-printed
      aria-hidden="true"
      className="fixed top-0 left-[-200mm] w-[72mm] bg-bg text-text print:static print:w-[80mm] print:p-[4mm]"
    >
      <div ref={ref}>
        <Receipt content={content} />
      </div>
    </div>,
    document.body,
  );
}

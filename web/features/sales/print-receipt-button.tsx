// Prints the receipt that a sale is on, on any device: the server has it.
import { Printer } from "lucide-react";
import { useEffect, useState } from "react";
import { useAction } from "#web/lib/action.ts";
import { receiptOfSale } from "#web/shared/receipt/receipt-api.ts";
import { contentOf, type ReceiptContent } from "#web/shared/receipt/receipt-content.ts";
import { PrintedReceipt } from "#web/shared/receipt/print-receipt.tsx";
import { Button } from "#web/ui/button.tsx";
import { showErrorToast } from "#web/ui/toast.ts";

export function PrintReceiptButton({ saleId }: { readonly saleId: string }) {
  const [content, setContent] = useState<ReceiptContent>();
  const action = useAction(async () => {
    try {
      setContent(contentOf(await receiptOfSale(saleId)));
    } catch (error) {
      showErrorToast("The receipt could not be loaded");
      throw error;
    }
  });
  return (
    <>
      <Button
        icon={Printer}
        isBusy={action.isBusy}
        busyLabel="Loading..."
        onClick={() => void action.run(undefined)}
      >
        Print receipt
      </Button>
      {content === undefined ? null : (
        <Printing content={content} onPrinted={() => setContent(undefined)} />
      )}
    </>
  );
}

type PrintingProps = { readonly content: ReceiptContent; readonly onPrinted: () => void };

/** Opens the browser's print dialog once the receipt is there, and takes the receipt away after it. */
function Printing({ content, onPrinted }: PrintingProps) {
  useEffect(() => {
    addEventListener("afterprint", onPrinted, { once: true });
    print();
    return () => removeEventListener("afterprint", onPrinted);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the receipt is there
  }, []);
  return <PrintedReceipt content={content} />;
}

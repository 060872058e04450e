// Takes the tax off a cart for a customer with a certificate. Its number goes on the receipt and stays out of the log.
import { useState } from "react";
import { certificateNumber } from "#features/sales/contract-commands.ts";
import { tooLongFor } from "#web/lib/form-errors.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { setCertificate } from "./till-cart.ts";

export function ExemptDialog({ onClose }: { readonly onClose: () => void }) {
  const [number, setNumber] = useState("");
  const [error, setError] = useState<string>();

  function exempt(): void {
    const wrong =
      number.trim() === ""
        ? "Enter the certificate's number"
        : tooLongFor(certificateNumber, number);
    if (wrong !== undefined) {
      setError(wrong);
      return;
    }
    setCertificate(number.trim());
    onClose();
  }

  return (
    <Dialog
      title="Tax-exempt sale"
      description="The customer pays the prices without tax. Consignors get the same."
      onClose={onClose}
      onSubmit={exempt}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Take off the tax
          </Button>
        </>
      }
    >
      <TextField
        label="Certificate number"
        error={error}
        value={number}
        onValue={(text) => {
          setNumber(text);
          setError(undefined);
        }}
        into={certificateNumber}
      />
    </Dialog>
  );
}

// Raises the price of a trade that nobody has accepted yet.
import { useState } from "react";
import { dollarsText, parseDollars } from "#web/lib/amount.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { raiseTrade, useTerms } from "#web/shared/trade/trade-api.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { showToast } from "#web/ui/toast.ts";
import type { ActDialogProps } from "./trade-act-dialog.tsx";
import { whyOver } from "./trade-acts.ts";

export function RaiseDialog({ trade, onClose }: ActDialogProps) {
  const available = useTerms().data?.availableCents;
  const [start] = useState(dollarsText(trade.pricePerItem));
  const [typed, setTyped] = useState(start);
  const submission = useSubmission(raiseTrade, { not_higher: "pricePerItem" });
  const cents = parseDollars(typed);
  const total = cents === undefined ? undefined : cents * trade.quantity + trade.shippingFee;

  async function raise(): Promise<void> {
    const wrong: FieldErrors =
      cents === undefined || cents <= trade.pricePerItem
        ? { pricePerItem: `The price is higher than ${formatMoney(trade.pricePerItem)}` }
        : {};
    const body = { tradeId: trade.tradeId, pricePerItem: cents ?? 0 };
    if ((await submission.submit(wrong, body)) !== undefined) {
      showToast("Price raised");
      onClose();
    }
  }

  return (
    <FormDialog
      title="Raise price"
      description={`${trade.itemName}, now ${formatMoney(trade.pricePerItem)} each`}
      isDirty={typed !== start}
      submission={submission}
      errorPrefix="Error raising price"
      saveLabel="Raise price"
      overText={whyOver(trade, "raise")}
      onClose={onClose}
      onSubmit={() => void raise()}
    >
      <Field label="Price" error={submission.errors["pricePerItem"]} help="For one unit">
        {(control) => (
          <MoneyInput
            {...control}
            value={typed}
            onValue={(next) => {
              setTyped(next);
              submission.clear();
            }}
          />
        )}
      </Field>
      <SumLines
        lines={[
          {
            label: "Price",
            ...(cents === undefined ? {} : { hint: `${trade.quantity} × ${formatMoney(cents)}` }),
            cents: (cents ?? 0) * trade.quantity,
          },
          { label: "Shipping fee", cents: trade.shippingFee },
        ]}
        total={{ label: "Total", cents: total ?? 0 }}
      />
      {available === undefined ? null : (
        <BeforeAfter
          isBalance
          rows={[
            {
              label: "Available",
              before: available,
              after: total === undefined ? undefined : available - total,
            },
          ]}
        />
      )}
      <p className="text-muted">
        Sellers who have not answered get the new price and 48 hours again. Counters stay as they
        are.
      </p>
    </FormDialog>
  );
}

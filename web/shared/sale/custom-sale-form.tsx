// Records a sale without an item. The consignor gets the whole amount.
import { useState, type ReactNode } from "react";
import {
  recordCustomSaleRequest,
  type RecordCustomSaleRequest,
} from "#features/sales/contract-commands.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import { dollarsToSend, parseDollars } from "#web/lib/amount.ts";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { Money } from "#web/ui/money.tsx";
import { SaveQuestion } from "#web/ui/save-question.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf, type ConsignorPick } from "#web/shared/consignor/consignor-pick.ts";
import type { Consignor } from "#web/shared/consignor/consignor-api.ts";
import { usePriceCheck } from "./price-check.ts";
import type { EnteredPrice } from "./unusual-price.ts";
import { recordCustomSale, useBalance } from "./sale-api.ts";

type CustomSaleFormProps = {
  /** Preselected if the form opens for a certain person. */
  readonly consignor?: Consignor;
  readonly onClose: () => void;
};

function wrongWith(
  pick: ConsignorPick,
  body: RecordCustomSaleRequest,
  amountText: string,
): FieldErrors {
  const consignorError = pickError(pick, "Please select a user from the dropdown");
  const { consignorID: _, ...rest } = errorsIn(recordCustomSaleRequest, body);
  return {
    ...(consignorError === undefined ? {} : { consignorID: consignorError }),
    ...rest,
    ...(amountText.trim() === "" ? { amount: "Please fill in all fields" } : {}),
  };
}

/** Without an item there is no earlier price. */
function enteredAmount(totalCents: number | undefined): EnteredPrice | undefined {
  return totalCents === undefined ? undefined : { units: 1, totalCents, knownUnitCents: undefined };
}

function gets(name: string, cents: Cents, afterCents: Cents): ReactNode {
  return (
    <>
      {`${name} gets ${formatMoney(cents)} and then has `}
      <Money cents={afterCents} /> available
    </>
  );
}

export function CustomSaleForm({ consignor, onClose }: CustomSaleFormProps) {
  const [pick, setPick] = useState(() => pickOf(consignor));
  const [itemName, setItemName] = useState("");
  const [amountText, setAmountText] = useState("");
  const submission = useSubmission(recordCustomSale);
  const balance = useBalance(pick.chosen?.uid);
  const amountCents = parseDollars(amountText);
  const check = usePriceCheck(enteredAmount(amountCents));

  async function save(): Promise<void> {
    const body = {
      consignorID: pick.chosen?.uid ?? "",
      itemName,
      amount: dollarsToSend(amountText),
    };
    const wrong = wrongWith(pick, body, amountText);
    if (!hasErrors(wrong) && !check.passes()) {
      return;
    }
    const recorded = await submission.submit(wrong, body);
    if (recorded !== undefined) {
      showToast(recorded.message);
      onClose();
    }
  }

  return (
    <FormDialog
      title="Custom sale"
      description="A sale without an item. The consignor gets the whole amount, and no stock moves."
      onClose={onClose}
      isDirty={itemName !== "" || amountText !== ""}
      submission={submission}
      isAsking={check.question !== undefined}
      errorPrefix="Error recording sale"
      onSubmit={() => void save()}
    >
      <ConsignorField
        pick={pick}
        onPick={(next) => {
          setPick(next);
          submission.clear();
        }}
        error={submission.errors["consignorID"]}
      />
      <TextField
        label="Item name"
        error={submission.errors["itemName"]}
        value={itemName}
        onValue={(value) => {
          setItemName(value);
          submission.clear();
        }}
        into={recordCustomSaleRequest.shape.itemName}
      />
      <Field
        label="Amount"
        error={submission.errors["amount"]}
        help={
          pick.chosen === undefined || amountCents === undefined || balance === undefined
            ? undefined
            : gets(pick.chosen.label, amountCents, toCents(balance) + amountCents)
        }
      >
        {(control) => (
          <MoneyInput
            {...control}
            value={amountText}
            onValue={(value) => {
              setAmountText(value);
              submission.clear();
            }}
          />
        )}
      </Field>
      <SaveQuestion check={check} onYes={() => void save()} />
    </FormDialog>
  );
}

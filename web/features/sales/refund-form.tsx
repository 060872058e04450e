// Refunds a sale in whole or in part, and shows beforehand what that takes from the consignor.
import { useState, type ReactNode } from "react";
import { type SaleView, type Tender } from "#features/sales/contract.ts";
import { refundSaleRequest, type RefundSaleRequest } from "#features/sales/contract-commands.ts";
import { toCents } from "#ledger/money.ts";
import {
  dollarsText,
  dollarsToSend,
  parseDollars,
  parseWhole,
  wholeToSend,
} from "#web/lib/amount.ts";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { SaleRehearsal, withoutChange } from "./changed-meanwhile.tsx";
import type { RehearsedCall } from "#web/shared/rehearsal/use-rehearsal.ts";
import { refundSale, refundSaleCall, useBalance } from "#web/shared/sale/sale-api.ts";
import { refundOf, type RefundPreview } from "#web/shared/sale/sale-terms.ts";
import { consignorOf, refundableWords, tenderChoices } from "./sale-words.ts";

type RefundFormProps = {
  readonly sale: SaleView;
  readonly onClose: () => void;
  /** Reads the sale again after somebody else changed it. */
  readonly onReload: () => void;
};

type Draft = {
  readonly quantity: string;
  /** Empty for the units' share of the price. */
  readonly amount: string;
  readonly restock: "yes" | "no";
  /** Empty until somebody says it, and where the money does not go through the drawer. */
  readonly tender: Tender | "";
  readonly reason: string;
};

function requestOf(sale: SaleView, draft: Draft): RefundSaleRequest {
  return {
    quantity: wholeToSend(draft.quantity),
    ...(draft.amount.trim() === "" ? {} : { amount: dollarsToSend(draft.amount) }),
    restock: draft.restock === "yes",
    ...(draft.tender === "" ? {} : { tender: draft.tender }),
    reason: draft.reason,
    expectedVersion: sale.version,
  };
}

/** For sales that no till made: most of their money goes back as it came. */
const notThroughDrawer = { value: "", label: "Not through the drawer" } as const;

const errorFields = {
  more_than_sold: "quantity",
  more_than_paid: "amount",
  item_archived: "restock",
};

function previewOf(sale: SaleView, draft: Draft): RefundPreview | undefined {
  const units = parseWhole(draft.quantity);
  const amountCents = parseDollars(draft.amount);
  return units === undefined || (draft.amount.trim() !== "" && amountCents === undefined)
    ? undefined
    : refundOf(sale, units, amountCents);
}

/** The reason changes nothing, so the refund is not asked again for every letter of it. */
function rehearsedOf(sale: SaleView, draft: Draft): RehearsedCall | undefined {
  const request = { ...requestOf(sale, draft), reason: "not given yet" };
  return hasErrors(errorsIn(refundSaleRequest, request))
    ? undefined
    : refundSaleCall(sale.saleID, request);
}

export function RefundForm({ sale, onClose, onReload }: RefundFormProps) {
  const unitsLeft = sale.soldQuantity - sale.refundedQuantity;
  const [start] = useState<Draft>({
    quantity: String(unitsLeft),
    amount: "",
    restock: sale.itemUID === null ? "no" : "yes",
    tender: sale.channel === "pos" ? (sale.tender ?? "") : "",
    reason: "",
  });
  const [draft, setDraft] = useState(start);
  const submission = useSubmission(
    (body: RefundSaleRequest, key: string) => refundSale(sale.saleID, body, key),
    errorFields,
  );
  const preview = previewOf(sale, draft);

  async function save(): Promise<void> {
    const request = requestOf(sale, draft);
    const refunded = await submission.submit(errorsIn(refundSaleRequest, request), request);
    if (refunded !== undefined) {
      showToast(
        `${formatMoney(toCents(refunded.refundedAmount) + toCents(refunded.refundedTax))} refunded`,
      );
      onClose();
    }
  }

  return (
    <FormDialog
      title="Refund sale"
      description={`${sale.itemName}: ${refundableWords(sale)} Shipping is not refunded.`}
      onClose={onClose}
      isDirty={draft !== start}
      submission={withoutChange(submission)}
      errorPrefix="Error refunding sale"
      saveLabel={
        preview === undefined
          ? "Refund"
          : `Refund ${formatMoney(preview.priceCents + preview.taxCents)}`
      }
      outcome={outcomeOf(sale, preview)}
      onSubmit={() => void save()}
    >
      <RefundFields
        draft={draft}
        errors={submission.errors}
        unitsLeft={unitsLeft}
        hasStock={sale.itemUID !== null}
        preview={preview}
        onChange={(changes) => {
          setDraft({ ...draft, ...changes });
          submission.clear();
        }}
      />
      <MoneyBack
        isOfTill={sale.channel === "pos"}
        tender={draft.tender}
        onTender={(tender) => setDraft({ ...draft, tender })}
      />
      <SaleRehearsal
        call={rehearsedOf(sale, draft)}
        estimate={<Estimate sale={sale} preview={preview} />}
        submission={submission}
        errorPrefix="Error refunding sale"
        onReload={onReload}
      />
    </FormDialog>
  );
}

type MoneyBackProps = {
  readonly isOfTill: boolean;
  readonly tender: Draft["tender"];
  readonly onTender: (tender: Draft["tender"]) => void;
};

function MoneyBack({ isOfTill, tender, onTender }: MoneyBackProps) {
  const label = "Money back by";
  return isOfTill ? (
    <ChoiceGroup label={label} value={tender} onValue={onTender} choices={tenderChoices} />
  ) : (
    <Field label={label}>
      {(control) => (
        <Select
          {...control}
          value={tender}
          onValue={onTender}
          choices={[notThroughDrawer, ...tenderChoices]}
        />
      )}
    </Field>
  );
}

type RefundFieldsProps = {
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly unitsLeft: number;
  readonly hasStock: boolean;
  readonly preview: RefundPreview | undefined;
  readonly onChange: (changes: Partial<Draft>) => void;
};

function RefundFields(props: RefundFieldsProps) {
  const { draft, errors, unitsLeft, hasStock, preview, onChange } = props;
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Quantity" error={errors["quantity"]} help={`${unitsLeft} can be refunded`}>
          {(control) => (
            <NumberInput
              {...control}
              value={draft.quantity}
              onValue={(quantity) => onChange({ quantity })}
            />
          )}
        </Field>
        <Field
          label="Amount"
          isOptional
          error={errors["amount"]}
          help="Leave blank for the units' share of the price"
        >
          {(control) => (
            <MoneyInput
              {...control}
              value={draft.amount}
              placeholder={
                preview === undefined || draft.amount.trim() !== ""
                  ? "0.00"
                  : dollarsText(preview.priceCents)
              }
              onValue={(amount) => onChange({ amount })}
            />
          )}
        </Field>
      </div>
      {hasStock && parseWhole(draft.quantity) !== 0 ? (
        <ChoiceGroup
          label="Units"
          value={draft.restock}
          onValue={(restock) => onChange({ restock })}
          error={errors["restock"]}
          choices={[
            { value: "yes", label: "Back in stock" },
            { value: "no", label: "Do not restock" },
          ]}
        />
      ) : null}
      <TextField
        label="Reason"
        takesNoScans
        error={errors["reason"]}
        value={draft.reason}
        onValue={(reason) => onChange({ reason })}
        into={refundSaleRequest.shape.reason}
      />
    </>
  );
}

/** What the refund takes from the consignor, whose balance may become negative; undefined for the store's own item. */
function outcomeOf(sale: SaleView, preview: RefundPreview | undefined): ReactNode {
  const consignor = consignorOf(sale);
  return consignor === undefined
    ? undefined
    : preview === undefined
      ? "Enter quantity or amount to see what the consignor gives back."
      : withIsolatedNames(
          `${consignor} gives back ${formatMoney(preview.payoutCents)} of this sale.`,
        );
}

type EstimateProps = {
  readonly sale: SaleView;
  readonly preview: RefundPreview | undefined;
};

/** What the form knows by itself, until the server has said it exactly. */
function Estimate({ sale, preview }: EstimateProps) {
  const balance = useBalance(sale.consignorID ?? undefined);
  if (balance === undefined) {
    return <p className="text-muted">The units and the money are shown here.</p>;
  }
  const before = toCents(balance);
  const after = preview === undefined ? undefined : before - preview.payoutCents;
  return <BeforeAfter isBalance rows={[{ label: "Available", before, after }]} />;
}

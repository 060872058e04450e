// The fields of a correction, depending on the kind of sale.
import type { SaleView } from "#features/sales/contract.ts";
import { correctSaleRequest } from "#features/sales/contract-commands.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { toCents } from "#ledger/money.ts";
import { dollarsText } from "#web/lib/amount.ts";
import { hasTaxByRate, taxText, type CorrectionDraft } from "#web/shared/sale/sale-terms.ts";

type CorrectionFieldsProps = {
  readonly sale: SaleView;
  readonly draft: CorrectionDraft;
  readonly errors: FieldErrors;
  /** What the payout field shows: the typed amount, or the formula's result. */
  readonly payoutText: string;
  readonly onChange: (changes: Partial<CorrectionDraft>) => void;
};

export function CorrectionFields(props: CorrectionFieldsProps) {
  const { sale, draft, errors, onChange } = props;
  const isCustom = sale.kind === "custom";
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Item name"
        takesNoScans
        error={errors["itemName"]}
        value={draft.itemName}
        onValue={(itemName) => onChange({ itemName })}
        into={correctSaleRequest.shape.itemName}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field
          label={isCustom ? "Amount" : "Sale price"}
          error={errors["salePrice"]}
          help={isCustom ? undefined : "For all units"}
          className={isCustom ? "col-span-full" : ""}
        >
          {(control) => (
            <MoneyInput
              {...control}
              value={draft.salePrice}
              onValue={(salePrice) => onChange({ salePrice })}
            />
          )}
        </Field>
        {isCustom ? null : (
          <Field label="Shipping cost" error={errors["shippingCost"]}>
            {(control) => (
              <MoneyInput
                {...control}
                value={draft.shippingCost}
                onValue={(shippingCost) => onChange({ shippingCost })}
              />
            )}
          </Field>
        )}
      </div>
      {isCustom ? null : <TaxField {...props} />}
      {isCustom ? null : <UnitsAndShare {...props} />}
      <TextField
        label="Reason"
        isOptional
        takesNoScans
        error={errors["reason"]}
        value={draft.reason}
        onValue={(reason) => onChange({ reason })}
        into={correctSaleRequest.shape.reason}
      />
    </div>
  );
}

/** Another price has another tax, which the state gets and the customer paid: it is never left behind unseen. */
function TaxField({ sale, draft, errors, onChange }: CorrectionFieldsProps) {
  const rate = `Calculated at ${(sale.taxRate?.basisPoints ?? 0) / 100}%`;
  const isKept =
    taxText(sale, { ...draft, salesTax: undefined }) === dollarsText(toCents(sale.salesTax));
  const followed = hasTaxByRate(sale) && !isKept ? rate : "As sold";
  return (
    <Field
      label="Sales tax"
      error={errors["salesTax"]}
      help={draft.salesTax === undefined ? followed : "As typed"}
    >
      {(control) => (
        <span className="flex gap-2 *:first:grow">
          <MoneyInput
            {...control}
            value={taxText(sale, draft)}
            onValue={(salesTax) => onChange({ salesTax })}
          />
          {draft.salesTax === undefined ? null : (
            <Button onClick={() => onChange({ salesTax: undefined })}>Recalculate</Button>
          )}
        </span>
      )}
    </Field>
  );
}

function UnitsAndShare({ sale, draft, errors, payoutText, onChange }: CorrectionFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Quantity sold" error={errors["soldQuantity"]}>
          {(control) => (
            <NumberInput
              {...control}
              value={draft.soldQuantity}
              onValue={(soldQuantity) => onChange({ soldQuantity })}
            />
          )}
        </Field>
        {sale.kind === "master" ? null : (
          <Field label="Consignor share" error={errors["consignorPercentage"]}>
            {(control) => (
              <NumberInput
                {...control}
                after="%"
                value={draft.percentage}
                onValue={(percentage) => onChange({ percentage })}
              />
            )}
          </Field>
        )}
      </div>
      {sale.kind === "master" ? null : (
        <Field
          label="Payout"
          error={errors["payoutAmount"]}
          help={
            draft.payout === undefined ? "Calculated from price, shipping and share" : "As typed"
          }
        >
          {(control) => (
            <span className="flex gap-2 *:first:grow">
              <MoneyInput
                {...control}
                value={payoutText}
                onValue={(payout) => onChange({ payout })}
              />
              {draft.payout === undefined ? null : (
                <Button onClick={() => onChange({ payout: undefined })}>Recalculate</Button>
              )}
            </span>
          )}
        </Field>
      )}
    </>
  );
}

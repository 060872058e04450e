// Corrects a sale that was entered wrongly. Shows before and after, and recalculates the payout until the admin types one.
import { useState } from "react";
import { type SaleView } from "#features/sales/contract.ts";
import { correctSaleRequest, type CorrectSaleRequest } from "#features/sales/contract-commands.ts";
import { toCents } from "#ledger/money.ts";
import { dollarsText, parseDollars, wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, hasErrors } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { SaveQuestion } from "#web/ui/save-question.tsx";
import { showToast } from "#web/ui/toast.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { SaleRehearsal, withoutChange } from "./changed-meanwhile.tsx";
import { CorrectionFields } from "./correction-fields.tsx";
import { useKnownPrice, usePriceCheck } from "#web/shared/sale/price-check.ts";
import { correctSale, correctSaleCall } from "#web/shared/sale/sale-api.ts";
import {
  correctedSplit,
  correctionOf,
  currentSplit,
  draftOf,
} from "#web/shared/sale/sale-terms.ts";
import { consignorOf } from "./sale-words.ts";
import type { SaleSplit } from "#web/shared/sale/sale-split.ts";
import type { RehearsedCall } from "#web/shared/rehearsal/use-rehearsal.ts";
import { Waterfall } from "#web/shared/sale/waterfall.tsx";

type CorrectSaleFormProps = {
  readonly sale: SaleView;
  readonly onClose: () => void;
  /** Reads the sale again after somebody else changed it. */
  readonly onReload: () => void;
};

export function CorrectSaleForm({ sale, onClose, onReload }: CorrectSaleFormProps) {
  const [draft, setDraft] = useState(() => draftOf(sale));
  const submission = useSubmission(
    (body: CorrectSaleRequest, key: string) => correctSale(sale.saleID, body, key),
    { not_enough_stock: "soldQuantity" },
  );
  const after = correctedSplit(sale, draft);
  const request = correctionOf(sale, draft);
  const isUnchanged = Object.keys(request).every(
    (field) => field === "expectedVersion" || field === "reason",
  );
  const consignor = consignorOf(sale);

  // The sale itself is one of the earlier ones, and a price that stays is not asked about.
  const knownUnitCents = useKnownPrice(sale.itemUID ?? undefined, null);
  const { salePrice, soldQuantity } = draftOf(sale);
  const isSamePrice = draft.salePrice === salePrice && draft.soldQuantity === soldQuantity;
  const totalCents = isSamePrice ? undefined : parseDollars(draft.salePrice);
  const check = usePriceCheck(
    totalCents === undefined
      ? undefined
      : { units: wholeToSend(draft.soldQuantity), totalCents, knownUnitCents },
  );

  async function save(): Promise<void> {
    const wrong = errorsIn(correctSaleRequest, request);
    if (!hasErrors(wrong) && !check.passes()) {
      return;
    }
    const changed = await submission.submit(wrong, request);
    if (changed !== undefined) {
      showToast("Sale corrected");
      onClose();
    }
  }

  return (
    <FormDialog
      title="Edit Sale"
      description={`${sale.itemName}, ${consignor ?? "sold by the store"}`}
      isWide
      onClose={onClose}
      isDirty={!isUnchanged || draft.reason !== ""}
      submission={withoutChange(submission)}
      isAsking={check.question !== undefined}
      errorPrefix="Error updating sale"
      canSave={!isUnchanged}
      onSubmit={() => void save()}
    >
      <div className="grid grid-cols-2 gap-6 max-sm:grid-cols-1 max-sm:gap-4">
        <CorrectionFields
          sale={sale}
          draft={draft}
          errors={submission.errors}
          payoutText={
            draft.payout ?? (after === undefined ? "" : dollarsText(after.consignorCents))
          }
          onChange={(changes) => {
            setDraft({ ...draft, ...changes });
            submission.clear();
          }}
        />
        <SplitPart sale={sale} after={after} />
      </div>
      <SaleRehearsal
        call={isUnchanged ? undefined : rehearsedOf(sale.saleID, request)}
        estimate={<p className="text-muted">Balances and stock are shown here once they change.</p>}
        submission={submission}
        errorPrefix="Error updating sale"
        onReload={onReload}
      />
      <SaveQuestion check={check} onYes={() => void save()} />
    </FormDialog>
  );
}

/** The reason changes nothing, so the correction is not asked again for every letter of it. */
function rehearsedOf(saleId: string, request: CorrectSaleRequest): RehearsedCall | undefined {
  return hasErrors(errorsIn(correctSaleRequest, request))
    ? undefined
    : correctSaleCall(saleId, { ...request, reason: "" });
}

type SplitPartProps = {
  readonly sale: SaleView;
  /** Undefined while the inputs are invalid. */
  readonly after: SaleSplit | undefined;
};

/** How the sale's money is split after the correction, and before. */
function SplitPart({ sale, after }: SplitPartProps) {
  const before = currentSplit(sale);
  const consignor = consignorOf(sale);
  const consignorRow = {
    label: consignor ?? "",
    before: before.consignorCents,
    after: after?.consignorCents,
  };
  const storeRow = { label: "Store", before: before.storeCents, after: after?.storeCents };
  return (
    <div className="flex flex-col gap-4">
      <Waterfall split={after} consignorName={consignor} />
      <BeforeAfter rows={consignor === undefined ? [storeRow] : [consignorRow, storeRow]} />
      {sale.refundedAmount === 0 ? null : (
        <p className="text-12 text-muted">
          {`This sale's refunds stay as they are: ${formatMoney(toCents(sale.refundedAmount))} was refunded.`}
        </p>
      )}
    </div>
  );
}

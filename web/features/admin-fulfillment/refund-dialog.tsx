// Refunds all or part of a fulfilled trade, paid by the seller or the store. It settles an open report.
import { useState } from "react";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { refundTradeRequest, type RefundTradeRequest } from "#features/trades/contract.ts";
import type { FulfillmentOrder } from "#features/trades/contract-orders.ts";
import type { TradeOffer } from "#features/trades/contract-reads.ts";
import { dollarsText, parseDollars, parseWhole, wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { RehearsalPart } from "#web/shared/rehearsal/rehearsal-part.tsx";
import type { RehearsedCall } from "#web/shared/rehearsal/use-rehearsal.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { acceptanceLabel, acceptancesOf } from "./cancel-dialogs.tsx";
import { refundCall, refundTrade } from "./fulfillment-api.ts";

type Draft = {
  readonly offerId: string;
  readonly units: string;
  /** Dollars. */
  readonly amount: string;
  readonly borneBy: "seller" | "store";
  readonly restock: "yes" | "no";
  readonly reason: string;
};

function requestOf(draft: Draft): RefundTradeRequest {
  return {
    offerId: draft.offerId,
    units: wholeToSend(draft.units),
    cents: parseDollars(draft.amount) ?? Number.NaN,
    borneBy: draft.borneBy,
    restock: draft.restock === "yes",
    ...(draft.reason.trim() === "" ? {} : { reason: draft.reason }),
  };
}

/** A refund of everything that is left of an acceptance. */
function draftOf(acceptances: readonly TradeOffer[], offerId: string): Draft {
  const offer = acceptances.find((one) => one.offerId === offerId);
  const units = (offer?.acceptedQuantity ?? 0) - (offer?.refundedQuantity ?? 0);
  return {
    offerId,
    units: String(units),
    amount: dollarsText(units * (offer?.acceptedPrice ?? 0)),
    borneBy: "seller",
    restock: "no",
    reason: "",
  };
}

/** The reason changes nothing, so the refund is not asked again for every letter of it. */
function rehearsedOf({ tradeId }: FulfillmentOrder, draft: Draft): RehearsedCall | undefined {
  const request = requestOf({ ...draft, reason: "" });
  return hasErrors(errorsIn(refundTradeRequest, request))
    ? undefined
    : refundCall({ tradeId, ...request });
}

/** Who loses the amount that is given back to the buyer. */
function payerWords(acceptances: readonly TradeOffer[], draft: Draft, cents: number): string {
  const seller = acceptances.find(({ offerId }) => offerId === draft.offerId)?.seller?.displayName;
  const payer = draft.borneBy === "seller" ? (seller ?? "The seller") : "The store";
  return withIsolatedNames(`${payer} pays ${formatMoney(cents)}.`);
}

type RefundDialogProps = { readonly order: FulfillmentOrder; readonly onClose: () => void };

export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const acceptances = acceptancesOf(order);
  const [start] = useState(() => draftOf(acceptances, acceptances[0]?.offerId ?? ""));
  const [draft, setDraft] = useState(start);
  const submission = useSubmission(refundTrade, {
    more_than_traded: "units",
    more_than_paid: "cents",
  });
  const cents = parseDollars(draft.amount);

  function change(changes: Partial<Draft>): void {
    setDraft({ ...draft, ...changes });
    submission.clear();
  }
  async function refund(): Promise<void> {
    const body = requestOf(draft);
    const sent = await submission.submit(errorsIn(refundTradeRequest, body), {
      tradeId: order.tradeId,
      ...body,
    });
    if (sent !== undefined) {
      showToast(`${formatMoney(cents ?? 0)} refunded`);
      onClose();
    }
  }

  return (
    <FormDialog
      title="Refund trade"
      description={`${order.itemName}, order ${shortTradeId(order.tradeId)}, ${order.buyer.displayName}`}
      isDirty={draft !== start}
      submission={submission}
      errorPrefix="Error refunding"
      saveLabel={cents === undefined ? "Refund" : `Refund ${formatMoney(cents)}`}
      busyLabel="Refunding..."
      outcome={cents === undefined ? undefined : payerWords(acceptances, draft, cents)}
      onClose={onClose}
      onSubmit={() => void refund()}
    >
      {order.report === null ? null : (
        <p className="rounded-card bg-fill p-3">
          {withIsolatedNames(
            `${order.buyer.displayName} reported: ${order.report.kind}. ${order.report.description ?? ""}`,
          )}
        </p>
      )}
      <RefundFields
        acceptances={acceptances}
        draft={draft}
        errors={submission.errors}
        onChange={change}
      />
      <RehearsalPart
        call={rehearsedOf(order, draft)}
        rows={2}
        estimate={
          <BeforeAfter
            isBalance
            rows={[
              {
                label: order.buyer.displayName,
                before: order.buyerAvailableCents,
                after: cents === undefined ? undefined : order.buyerAvailableCents + cents,
              },
            ]}
          />
        }
      />
    </FormDialog>
  );
}

type RefundFieldsProps = {
  readonly acceptances: readonly TradeOffer[];
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly onChange: (changes: Partial<Draft>) => void;
};

function RefundFields({ acceptances, draft, errors, onChange }: RefundFieldsProps) {
  const offer = acceptances.find(({ offerId }) => offerId === draft.offerId);
  return (
    <>
      <Field label="Acceptance" error={errors["offerId"]}>
        {(control) => (
          <Select
            {...control}
            value={draft.offerId}
            choices={acceptances.map((one, index) => ({
              value: one.offerId,
              label: acceptanceLabel(one, index),
            }))}
            onValue={(offerId) =>
              onChange({ ...draftOf(acceptances, offerId), reason: draft.reason })
            }
          />
        )}
      </Field>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field
          label="Units"
          error={errors["units"]}
          help={`Of ${formatQuantity((offer?.acceptedQuantity ?? 0) - (offer?.refundedQuantity ?? 0), "unit")}`}
        >
          {(control) => (
            <NumberInput
              {...control}
              value={draft.units}
              onValue={(next) => onChange({ units: next })}
            />
          )}
        </Field>
        <Field label="Amount" error={errors["cents"]}>
          {(control) => (
            <MoneyInput
              {...control}
              value={draft.amount}
              onValue={(amount) => onChange({ amount })}
            />
          )}
        </Field>
      </div>
      <ChoiceGroup
        label="Paid by"
        value={draft.borneBy}
        onValue={(borneBy) => onChange({ borneBy })}
        choices={[
          { value: "seller", label: "The seller" },
          { value: "store", label: "The store" },
        ]}
        error={errors["borneBy"]}
      />
      {parseWhole(draft.units) === 0 ? null : (
        <ChoiceGroup
          label="What happens to the units"
          value={draft.restock}
          onValue={(restock) => onChange({ restock })}
          choices={[
            { value: "yes", label: "Restock" },
            { value: "no", label: "Do not restock" },
          ]}
          error={errors["restock"]}
        />
      )}
      <TextField
        label="Reason"
        isOptional
        takesNoScans
        error={errors["reason"]}
        help="Both sides read it"
        value={draft.reason}
        onValue={(reason) => onChange({ reason })}
        into={refundTradeRequest.shape.reason}
      />
    </>
  );
}

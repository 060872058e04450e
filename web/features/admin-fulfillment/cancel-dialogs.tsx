// Cancels a trade, or one acceptance of it, and shows first who gets what back.
import { useState } from "react";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import {
  cancelAcceptanceRequest,
  cancelTradeRequest,
  type CancelledUnitsAs,
} from "#features/trades/contract.ts";
import type { FulfillmentOrder } from "#features/trades/contract-orders.ts";
import type { TradeOffer } from "#features/trades/contract-reads.ts";
import { parseWhole, wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { cancelAcceptance, cancelTrade } from "#web/shared/trade/trade-api.ts";
import { useStatusNow } from "#web/shared/trade/trade-now.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";

type OrderProps = { readonly order: FulfillmentOrder; readonly onClose: () => void };

/** One sentence once nothing of the order can be cancelled any more. */
function useCancelOver(order: FulfillmentOrder): string | undefined {
  const status = useStatusNow(order);
  return status === "awaiting_shipping" || status === "shipping_uploaded"
    ? undefined
    : "This order was shipped or cancelled in the meantime. Nothing is left to cancel.";
}

export function CancelDialog({ order, onClose }: OrderProps) {
  const [reason, setReason] = useState("");
  const submission = useSubmission(cancelTrade);
  const over = useCancelOver(order);
  async function cancel(): Promise<void> {
    const wrong = errorsIn(cancelTradeRequest, { reason });
    if ((await submission.submit(wrong, { tradeId: order.tradeId, reason })) !== undefined) {
      showToast(`Order ${shortTradeId(order.tradeId)} cancelled`);
      onClose();
    }
  }
  return (
    <FormDialog
      title={`Cancel order ${shortTradeId(order.tradeId)}`}
      description={`${formatQuantity(order.acceptedQuantity, "unit")} of ${order.itemName}, ${order.buyer.displayName}`}
      isDirty={reason !== ""}
      submission={submission}
      errorPrefix="Error cancelling"
      saveLabel="Cancel order"
      busyLabel="Cancelling..."
      cancelLabel="Keep order"
      overText={over}
      isFinal
      onClose={onClose}
      onSubmit={() => void cancel()}
    >
      <TextField
        label="Reason"
        isOptional
        takesNoScans
        error={submission.errors["reason"]}
        help="The buyer reads it"
        value={reason}
        onValue={setReason}
        into={cancelTradeRequest.shape.reason}
      />
      <p className="text-muted">
        {withIsolatedNames(
          `${formatMoney(order.heldCents)} goes back to ${order.buyer.displayName}, and all units go back to their sellers. This is final.`,
        )}
      </p>
    </FormDialog>
  );
}

const fates = [
  { value: "restock", label: "Restock" },
  { value: "lost", label: "Lost" },
  { value: "damaged", label: "Damaged" },
] as const;

/** The acceptances of an order that still have units. */
export function acceptancesOf({ offers }: Pick<FulfillmentOrder, "offers">): readonly TradeOffer[] {
  return offers.filter(({ acceptedQuantity }) => acceptedQuantity > 0);
}

export function acceptanceLabel(offer: TradeOffer, index: number): string {
  const seller = offer.seller?.displayName ?? `Seller ${index + 1}`;
  return `${seller}: ${formatQuantity(offer.acceptedQuantity, "unit")} at ${formatMoney(offer.acceptedPrice ?? 0)}`;
}

type Draft = {
  readonly offerId: string;
  readonly units: string;
  readonly fate: CancelledUnitsAs;
  readonly reason: string;
};

export function CancelPartDialog({ order, onClose }: OrderProps) {
  const acceptances = acceptancesOf(order);
  const [start] = useState<Draft>({
    offerId: acceptances[0]?.offerId ?? "",
    units: String(acceptances[0]?.acceptedQuantity ?? 0),
    fate: "restock",
    reason: "",
  });
  const [draft, setDraft] = useState(start);
  const submission = useSubmission(cancelAcceptance, { more_than_accepted: "units" });
  const over = useCancelOver(order);
  const offer = acceptances.find(({ offerId }) => offerId === draft.offerId);
  const most = offer?.acceptedQuantity ?? 0;
  const units = parseWhole(draft.units);

  function change(changes: Partial<Draft>): void {
    setDraft({ ...draft, ...changes });
    submission.clear();
  }
  async function cancel(): Promise<void> {
    const body = {
      units: wholeToSend(draft.units),
      as: draft.fate,
      ...(draft.reason.trim() === "" ? {} : { reason: draft.reason }),
    };
    const wrong = {
      ...(units === undefined || units < 1 || units > most
        ? { units: `Quantity is 1 to ${most}` }
        : {}),
      ...errorsIn(cancelAcceptanceRequest, body),
    };
    const sent = await submission.submit(wrong, {
      tradeId: order.tradeId,
      offerId: draft.offerId,
      ...body,
    });
    if (sent !== undefined) {
      showToast(`${formatQuantity(units ?? 0, "unit")} cancelled`);
      onClose();
    }
  }

  return (
    <FormDialog
      title="Cancel an acceptance"
      description={`${order.itemName}, order ${shortTradeId(order.tradeId)}`}
      isDirty={draft !== start}
      submission={submission}
      errorPrefix="Error cancelling"
      saveLabel="Cancel units"
      busyLabel="Cancelling..."
      cancelLabel="Keep units"
      overText={over}
      isFinal
      onClose={onClose}
      onSubmit={() => void cancel()}
    >
      <PartFields
        acceptances={acceptances}
        draft={draft}
        errors={submission.errors}
        onChange={change}
      />
      <p className="text-muted">{consequenceOf(order, offer, units, most)}</p>
    </FormDialog>
  );
}

type PartFieldsProps = {
  readonly acceptances: readonly TradeOffer[];
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly onChange: (changes: Partial<Draft>) => void;
};

function PartFields({ acceptances, draft, errors, onChange }: PartFieldsProps) {
  const offer = acceptances.find(({ offerId }) => offerId === draft.offerId);
  return (
    <>
      <Field label="Acceptance">
        {(control) => (
          <Select
            {...control}
            value={draft.offerId}
            choices={acceptances.map((one, index) => ({
              value: one.offerId,
              label: acceptanceLabel(one, index),
            }))}
            onValue={(offerId) => {
              const chosen = acceptances.find((one) => one.offerId === offerId);
              onChange({ offerId, units: String(chosen?.acceptedQuantity ?? 0) });
            }}
          />
        )}
      </Field>
      <Field
        label="Quantity"
        error={errors["units"]}
        help={`Of ${formatQuantity(offer?.acceptedQuantity ?? 0, "unit")}`}
      >
        {(control) => (
          <NumberInput
            {...control}
            value={draft.units}
            onValue={(next) => onChange({ units: next })}
          />
        )}
      </Field>
      <ChoiceGroup
        label="What happens to the units"
        value={draft.fate}
        onValue={(fate) => onChange({ fate })}
        choices={fates}
        error={errors["as"]}
      />
      <TextField
        label="Reason"
        isOptional
        takesNoScans
        error={errors["reason"]}
        help="The buyer reads it"
        value={draft.reason}
        onValue={(reason) => onChange({ reason })}
        into={cancelAcceptanceRequest.shape.reason}
      />
    </>
  );
}

/** Who gets what back, and what happens to the rest of the order. */
function consequenceOf(
  order: FulfillmentOrder,
  offer: TradeOffer | undefined,
  units: number | undefined,
  most: number,
): string {
  if (offer === undefined || units === undefined || units > most) {
    return "Choose how many units are cancelled.";
  }
  const back = formatMoney(units * (offer.acceptedPrice ?? 0));
  const isAll = units === order.acceptedQuantity;
  return isAll
    ? `${formatMoney(order.heldCents)} goes back to ${order.buyer.displayName}, including the shipping fee. This cancels the whole order.`
    : `${back} goes back to ${order.buyer.displayName}. ${formatQuantity(order.acceptedQuantity - units, "unit of the order is", "units of the order are")} still to be shipped.`;
}

// The confirmations before an order is fulfilled or a report is turned down: who gets what, and what the buyer owes.
import { useState } from "react";
import type { FulfillmentOrder } from "#features/trades/contract-orders.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { useAction } from "#web/lib/action.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { closeReport } from "#web/shared/trade/trade-api.ts";
import { useStatusNow } from "#web/shared/trade/trade-now.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import { Money } from "#web/ui/money.tsx";
import { SumLines, type SumLine } from "#web/ui/sum-lines.tsx";
import { showToast } from "#web/ui/toast.ts";
import { CancelDialog } from "./cancel-dialogs.tsx";
import { RehearsalPart } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { fulfillCall, fulfillTrade } from "./fulfillment-api.ts";

type OrderProps = { readonly order: FulfillmentOrder; readonly onClose: () => void };

/** The money that the trade holds, by who gets it. The sellers' parts still include the commission. */
function heldLines({ offers, shippingFee, heldCents }: FulfillmentOrder): readonly SumLine[] {
  const parts = offers.flatMap(({ acceptedQuantity, acceptedPrice, seller }) =>
    acceptedQuantity === 0 || acceptedPrice === null
      ? []
      : [
          {
            label: seller?.displayName ?? "Seller",
            hint: `${acceptedQuantity} × ${formatMoney(acceptedPrice)}`,
            cents: acceptedQuantity * acceptedPrice,
          },
        ],
  );
  const items = parts.reduce((sum, { cents }) => sum + cents, 0);
  return shippingFee > 0 && heldCents > items
    ? [...parts, { label: "Shipping fee", cents: heldCents - items }]
    : parts;
}

export function FulfillDialog({ order, onClose }: OrderProps) {
  const action = useAction(fulfillTrade);
  const [isCancelling, setCancelling] = useState(false);
  const isOwing = order.buyerAvailableCents < 0;
  const isOver = useStatusNow(order) !== "shipping_uploaded";
  async function fulfill(): Promise<void> {
    if ((await action.run(order.tradeId)) !== undefined) {
      showToast(`Order ${shortTradeId(order.tradeId)} fulfilled`);
      onClose();
    }
  }
  if (isCancelling) {
    return <CancelDialog order={order} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title={`Fulfill order ${shortTradeId(order.tradeId)}?`}
      act="Fulfill order"
      busyAct="Fulfilling..."
      keep="Not yet"
      overText={
        isOver
          ? "This order was shipped or cancelled in the meantime. Nothing is left to fulfill."
          : undefined
      }
      isHarmless
      isBusy={action.isBusy}
      error={action.error === undefined ? undefined : `Error fulfilling: ${action.error.message}`}
      onAct={() => void fulfill()}
      onKeep={onClose}
    >
      <div className="flex flex-col gap-3">
        <p>
          {withIsolatedNames(
            `${formatQuantity(order.acceptedQuantity, "unit")} of ${order.itemName} ${order.acceptedQuantity === 1 ? "is on its" : "are on their"} way to ${order.buyer.displayName}. The sellers are paid, less the store's commission. This is final.`,
          )}
        </p>
        <div className="text-text">
          <SumLines
            lines={heldLines(order)}
            total={{ label: "Held for this trade", cents: order.heldCents }}
          />
        </div>
        <div className="text-text">
          <RehearsalPart call={fulfillCall(order.tradeId)} rows={2 + order.offers.length} />
        </div>
        {isOwing ? (
          <div className="flex flex-col items-start gap-2 rounded-card bg-danger-tint p-3 text-text">
            <p>
              {withIsolatedNames(`${order.buyer.displayName}'s available balance is `)}
              <Money cents={order.buyerAvailableCents} isBalance />.
            </p>
            <Button onClick={() => setCancelling(true)}>Cancel order instead</Button>
          </div>
        ) : null}
      </div>
    </ConfirmDialog>
  );
}

export function TurnDownDialog({ order, onClose }: OrderProps) {
  const action = useAction(closeReport);
  async function turnDown(): Promise<void> {
    if ((await action.run(order.tradeId)) !== undefined) {
      showToast("Report turned down");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title={`Turn down ${order.buyer.displayName}'s report?`}
      act="Turn down report"
      busyAct="Saving..."
      keep="Keep it open"
      isBusy={action.isBusy}
      error={
        action.error === undefined
          ? undefined
          : `Error turning down the report: ${action.error.message}`
      }
      onAct={() => void turnDown()}
      onKeep={onClose}
    >
      {`${order.report?.description ?? "No description was given."} Nothing is refunded, and the trade can complete.`}
    </ConfirmDialog>
  );
}

// The dialog of one action of the store on an order.
import type { FulfillmentOrder } from "#features/trades/contract-orders.ts";
import { AddressDialog } from "#web/shared/trade/address-dialog.tsx";
import { LabelDialog } from "#web/shared/trade/label-dialog.tsx";
import { CancelDialog, CancelPartDialog } from "./cancel-dialogs.tsx";
import type { OrderAct } from "./order-acts.ts";
import { FulfillDialog, TurnDownDialog } from "./order-questions.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

type OneProps = { readonly order: FulfillmentOrder; readonly onClose: () => void };

const dialogs = {
  upload: ({ order, onClose }: OneProps) => <LabelDialog trade={order} onClose={onClose} />,
  address: ({ order, onClose }: OneProps) => <AddressDialog trade={order} onClose={onClose} />,
  fulfill: FulfillDialog,
  cancel: CancelDialog,
  "cancel-part": CancelPartDialog,
  refund: RefundDialog,
  "turn-down": TurnDownDialog,
};

type OrderDialogProps = OneProps & { readonly act: Exclude<OrderAct, "print"> };

export function OrderDialog({ act, ...rest }: OrderDialogProps) {
  const Dialog = dialogs[act];
  return <Dialog {...rest} />;
}

// What the store can do with an order in each state: the main action, and the others.
import {
  Ban,
  Check,
  MapPin,
  PackageMinus,
  Printer,
  RotateCcw,
  Upload,
  X,
  type LucideIcon,
} from "lucide-react";
import type { FulfillmentOrder } from "#features/trades/contract-orders.ts";

export type OrderAct =
  | "upload"
  | "print"
  | "fulfill"
  | "address"
  | "cancel-part"
  | "cancel"
  | "refund"
  | "turn-down";

export type OrderChoice = {
  readonly act: OrderAct;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isDanger: boolean;
};

function choice(act: OrderAct, label: string, icon: LucideIcon, isDanger = false): OrderChoice {
  return { act, label, icon, isDanger };
}

const print = choice("print", "Print label", Printer);
const address = choice("address", "Change address", MapPin);
const cancels = [
  choice("cancel-part", "Cancel an acceptance", PackageMinus, true),
  choice("cancel", "Cancel order", Ban, true),
];

export function actsOf(order: FulfillmentOrder): readonly [OrderChoice, ...OrderChoice[]] {
  if (order.status === "fulfilled" || order.status === "completed") {
    return [
      choice("refund", "Refund", RotateCcw),
      ...(order.report === null ? [] : [choice("turn-down", "Turn down report", X, true)]),
      ...(order.labelUrl === null ? [] : [print]),
    ];
  }
  return order.status === "shipping_uploaded"
    ? [
        choice("fulfill", "Fulfill", Check),
        print,
        choice("upload", "Replace label", Upload),
        address,
        ...cancels,
      ]
    : [choice("upload", "Upload label", Upload), address, ...cancels];
}

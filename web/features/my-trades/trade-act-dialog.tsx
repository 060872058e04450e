// The dialog of one action of a buyer on a trade. Those for label and address are shared with the fulfillment screen.
import type { Trade } from "#features/trades/contract-reads.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import type { TradeAct } from "./trade-acts.ts";

export type { TradeAct } from "./trade-acts.ts";

export type ActDialogProps = { readonly trade: Trade; readonly onClose: () => void };

const LabelDialog = onDemand(() =>
  import("#web/shared/trade/label-dialog.tsx").then((file) => file.LabelDialog),
);
const AddressDialog = onDemand(() =>
  import("#web/shared/trade/address-dialog.tsx").then((file) => file.AddressDialog),
);
const RaiseDialog = onDemand(() => import("./raise-dialog.tsx").then((file) => file.RaiseDialog));
const ReportDialog = onDemand(() =>
  import("./report-dialog.tsx").then((file) => file.ReportDialog),
);
const WithdrawDialog = onDemand(() =>
  import("./trade-questions.tsx").then((file) => file.WithdrawDialog),
);
const CloseRestDialog = onDemand(() =>
  import("./trade-questions.tsx").then((file) => file.CloseRestDialog),
);
const ArrivedDialog = onDemand(() =>
  import("./trade-questions.tsx").then((file) => file.ArrivedDialog),
);
const CloseReportDialog = onDemand(() =>
  import("./trade-questions.tsx").then((file) => file.CloseReportDialog),
);

const dialogs = {
  raise: RaiseDialog,
  withdraw: WithdrawDialog,
  "close-rest": CloseRestDialog,
  upload: LabelDialog,
  address: AddressDialog,
  confirm: ArrivedDialog,
  report: ReportDialog,
  "close-report": CloseReportDialog,
} as const satisfies Record<TradeAct, unknown>;

export function TradeActDialog({ act, ...rest }: ActDialogProps & { readonly act: TradeAct }) {
  const Dialog = dialogs[act];
  return <Dialog {...rest} />;
}

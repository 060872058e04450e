// The dialog of one action of a buyer on a trade. Those for label and address are shared with the fulfillment screen.
import type { Trade } from "#features/trades/contract-reads.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import type { TradeAct } from "./trade-acts.ts";

export type { TradeAct } from "./trade-acts.ts";

export type ActDialogProps = { readonly trade: Trade; readonly onClose: () => void };

const LabelDialog = onDemand(
  async () => (await import("#web/shared/trade/label-dialog.tsx")).LabelDialog,
);
const AddressDialog = onDemand(
  async () => (await import("#web/shared/trade/address-dialog.tsx")).AddressDialog,
);
const RaiseDialog = onDemand(async () => (await import("./raise-dialog.tsx")).RaiseDialog);
const ReportDialog = onDemand(async () => (await import("./report-dialog.tsx")).ReportDialog);
const WithdrawDialog = onDemand(async () => (await import("./trade-questions.tsx")).WithdrawDialog);
const CloseRestDialog = onDemand(
  async () => (await import("./trade-questions.tsx")).CloseRestDialog,
);
const ArrivedDialog = onDemand(async () => (await import("./trade-questions.tsx")).ArrivedDialog);
const CloseReportDialog = onDemand(
  async () => (await import("./trade-questions.tsx")).CloseReportDialog,
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

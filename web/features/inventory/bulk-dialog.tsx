// The dialog of an action on many items: its fields, then the progress, then each failed item by name with the reason.
import { OctagonAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { InventoryItem } from "#features/inventory/contract.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { CancelButton } from "#web/ui/cancel-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { showToast, type ToastOptions } from "#web/ui/toast.ts";
import { useBulkRun, type BulkEnd, type ItemChange } from "./bulk-run.ts";
import { ownerName } from "#web/shared/item/owner-chip.tsx";
import { ProgressLine } from "#web/ui/progress-line.tsx";

/** After a run with failures or unreached items: what to do with the selection. */
export type OnBulkEnd = (stillSelected: readonly InventoryItem[]) => void;

type BulkDialogProps = {
  readonly title: string;
  readonly description: ReactNode;
  /** The items that the action applies to. */
  readonly items: readonly InventoryItem[];
  /** "Set location of 12 items" */
  readonly act: string;
  readonly isDanger?: boolean;
  readonly isDirty: boolean;
  readonly errors: FieldErrors;
  readonly change: ItemChange;
  /** Runs before anything is sent. */
  readonly isReady: () => boolean;
  /** "12 items moved to A-3", for the items that are done. */
  readonly doneText: (done: readonly InventoryItem[]) => string;
  readonly undo?: (done: readonly InventoryItem[]) => void;
  readonly onEnd: OnBulkEnd;
  readonly onClose: () => void;
  /** The fields. */
  readonly children?: ReactNode;
};

function isWhole({ failures, left }: BulkEnd): boolean {
  return failures.length + left.length === 0;
}

export function BulkDialog(props: BulkDialogProps) {
  const { title, description, items, act, isDanger = false, onClose, children } = props;
  const run = useBulkRun((end) => {
    const undo = props.undo;
    const options: ToastOptions =
      undo === undefined || end.done.length === 0 ? {} : { undo: () => undo(end.done) };
    if (end.done.length > 0) {
      showToast(props.doneText(end.done), options);
    }
    props.onEnd([...end.failures.map(({ item }) => item), ...end.left]);
    if (isWhole(end)) {
      onClose();
    }
  });
  const { state } = run;
  const again =
    state.phase === "ended" ? [...state.failures.map(({ item }) => item), ...state.left] : [];

  if (state.phase === "ended" && !isWhole(state)) {
    return (
      <Dialog
        title={title}
        description={`${formatCount(state.done.length)} done, ${formatCount(again.length)} failed or not started`}
        isWide
        onClose={onClose}
        footer={
          <>
            <Button onClick={onClose}>Close</Button>
            <Button variant="primary" onClick={() => run.start(again, props.change)}>
              {`Retry ${formatQuantity(again.length, "item")}`}
            </Button>
          </>
        }
      >
        <BulkResult end={state} />
      </Dialog>
    );
  }
  const isRunning = state.phase === "running";
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      isDirty={props.isDirty && !isRunning}
      isBusy={isRunning}
      errors={props.errors}
      onSubmit={() => {
        if (props.isReady()) {
          run.start(items, props.change);
        }
      }}
      footer={
        isRunning ? (
          <Button onClick={run.stop}>Stop</Button>
        ) : (
          <>
            <CancelButton />
            <Button
              type="submit"
              variant={isDanger ? "danger" : "primary"}
              disabled={items.length === 0}
            >
              {act}
            </Button>
          </>
        )
      }
    >
      {isRunning ? (
        <ProgressLine
          done={state.ended}
          total={state.total}
          label={`${formatCount(state.ended)} of ${formatQuantity(state.total, "item")}`}
        />
      ) : (
        children
      )}
    </Dialog>
  );
}

const shownAtMost = 200;

/** The items that failed, each by name and owner with the reason. */
function BulkResult({ end }: { readonly end: BulkEnd }) {
  const { failures, left } = end;
  return (
    <div role="alert" className="flex flex-col gap-3">
      {failures.length === 0 ? null : (
        <table className="w-full" aria-label="What failed">
          <thead>
            <tr className="border-b border-border text-12 text-muted">
              <th scope="col" className="h-9 w-1/2 pe-3 text-start font-medium">
                Item
              </th>
              <th scope="col" className="text-start font-medium">
                Reason
              </th>
            </tr>
          </thead>
          <tbody>
            {failures.slice(0, shownAtMost).map(({ item, message }) => (
              <tr key={item.id} className="border-b border-border align-top">
                <th scope="row" className="py-2 pe-3 text-start font-normal">
                  <span className="block font-medium wrap-anywhere">{item.itemName}</span>
                  <span className="block text-12 wrap-anywhere text-muted">
                    <span className="font-mono">{item.barcode1}</span>, {ownerName(item)}
                  </span>
                </th>
                <td className="py-2">
                  <span className="flex items-start gap-1 text-danger">
                    <Icon of={OctagonAlert} size={14} className="mt-0.5" />
                    {message}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {failures.length > shownAtMost ? (
        <p className="text-muted">{`And ${formatCount(failures.length - shownAtMost)} more. All of them stay selected.`}</p>
      ) : null}
      {left.length === 0 ? null : (
        <p className="text-muted">
          {`${formatQuantity(left.length, "item")} not changed, because you stopped.`}
        </p>
      )}
    </div>
  );
}

// How dialogs and drawers close: at once, or after a question where typed text would be lost.
import { useState, type ReactNode } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useLeaveGuard } from "./leave-guard.ts";

type Closing = {
  readonly close: () => void;
  /** Rendered while asking whether to discard the typed text. */
  readonly question: ReactNode;
};

/** Closes at once if nothing is lost, otherwise after a question. Leaving the page asks the same. */
export function useClosing(isDirty: boolean, isBusy: boolean, onClose: () => void): Closing {
  const [asked, setAsked] = useState<{ readonly leave: () => void }>();

  function ask(leave: () => void): void {
    if (!isBusy) {
      setAsked({ leave });
    }
  }
  useLeaveGuard(isDirty, ask);

  return {
    close() {
      if (isDirty) {
        ask(() => undefined);
      } else if (!isBusy) {
        onClose();
      }
    },
    question:
      asked === undefined ? null : (
        <ConfirmDialog
          title="Discard what you entered?"
          act="Discard"
          keep="Keep editing"
          onAct={() => {
            onClose();
            asked.leave();
          }}
          onKeep={() => setAsked(undefined)}
        >
          It has not been saved yet.
        </ConfirmDialog>
      ),
  };
}

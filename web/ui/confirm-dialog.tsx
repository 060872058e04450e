// The confirmation of an action that cannot be undone. Names person, amount and consequence; the safe button has the focus.
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useEffect, useRef, type ReactNode } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Button } from "./button.tsx";
import { ErrorLine } from "./error-line.tsx";
import { preloadToasts } from "./toaster.tsx";

type ConfirmDialogProps = {
  readonly title: string;
  /** What happens, to whom, with how much. Names in elements are isolated by who makes the elements. */
  readonly children: ReactNode;
  /** What may be entered with it. Enter in it does nothing. */
  readonly field?: ReactNode;
  /** The action as the button says it: "Delete and refund". */
  readonly act: string;
  readonly busyAct?: string;
  /** The safe button's label: "Keep request". */
  readonly keep: string;
  /** Why it cannot be done yet, instead of the question: then there is only the safe button. */
  readonly blocked?: string | undefined;
  /** The same for good: somebody else did it in the meantime. Not while the action is under way, which may be why. */
  readonly overText?: string | undefined;
  /** For actions that are final but delete nothing, such as marking as paid. */
  readonly isHarmless?: boolean;
  readonly isBusy?: boolean;
  readonly error?: string | undefined;
  readonly onAct: () => void;
  readonly onKeep: () => void;
};

export function ConfirmDialog({
  title,
  children,
  field,
  act,
  busyAct = act,
  keep,
  blocked,
  overText,
  isHarmless = false,
  isBusy = false,
  error,
  onAct,
  onKeep,
}: ConfirmDialogProps) {
  const over = isBusy ? undefined : overText;
  const instead = over ?? blocked;
  const body = instead ?? children;
  const safe = useRef<HTMLButtonElement>(null);
  // A confirmed action ends with a toast.
  useEffect(preloadToasts, []);
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => (isOpen || isBusy ? undefined : onKeep())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop
          forceRender
          className="fixed inset-0 bg-scrim motion-safe:animate-[fade_180ms_ease-out]"
        />
        <AlertDialog.Popup
          initialFocus={safe}
          className="fixed flex max-h-[calc(100dvh-1rem)] flex-col gap-4 overflow-y-auto rounded-dialog floating p-6 shadow-dialog outline-none sm:top-[20dvh] sm:left-1/2 sm:max-h-[calc(80dvh-0.5rem)] sm:short:top-2 sm:short:max-h-[calc(100dvh-1rem)] sm:w-110 sm:-translate-x-1/2 sm:motion-safe:animate-[rise_180ms_ease-out] max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-b-none max-sm:p-4 max-sm:pb-[max(1rem,env(safe-area-inset-bottom))] max-sm:motion-safe:animate-[sheet_180ms_ease-out]"
        >
          <AlertDialog.Title className="text-20 font-semibold">
            {withIsolatedNames(title)}
          </AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="text-muted">
            {typeof body === "string" ? withIsolatedNames(body) : body}
          </AlertDialog.Description>
          {instead === undefined ? field : null}
          <ErrorLine>{over === undefined ? error : undefined}</ErrorLine>
          <div className="mt-2 flex justify-end gap-2 max-sm:flex-col-reverse">
            <Button ref={safe} onClick={onKeep} disabled={isBusy}>
              {over === undefined ? keep : "Close"}
            </Button>
            {instead === undefined ? (
              <Button
                variant={isHarmless ? "primary" : "danger"}
                onClick={onAct}
                isBusy={isBusy}
                busyLabel={busyAct}
              >
                {act}
              </Button>
            ) : null}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

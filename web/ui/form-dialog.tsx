// A dialog with one form: its fields, Cancel and Save, and the error that belongs to none of the fields.
import { useEffect, useRef, type ReactNode } from "react";
import type { ApiError } from "#web/lib/api-error.ts";
import { failureText } from "#web/lib/failure-text.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { Button } from "./button.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorLine } from "./error-line.tsx";

type FormDialogProps = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isWide?: boolean;
  /** True if closing would lose typed text. */
  readonly isDirty: boolean;
  /** A form's `useSubmission`. */
  readonly submission: {
    readonly errors: FieldErrors;
    readonly error: ApiError | undefined;
    readonly isBusy: boolean;
  };
  /** Before the server's sentence: "Error adding item". */
  readonly errorPrefix: string;
  readonly saveLabel?: string;
  readonly busyLabel?: string;
  readonly canSave?: boolean;
  /** True while a question inside the form has the primary button. */
  readonly isAsking?: boolean;
  /** For what cannot be taken back: the button is in the danger color. */
  readonly isFinal?: boolean;
  readonly cancelLabel?: string;
  /** For a Cancel button that loses nothing: called instead of closing. */
  readonly onCancel?: () => void;
  /**
   * One sentence in place of the fields when there is nothing left to send: somebody else did it in the meantime. Not while
   * it is being sent, which may be why.
   */
  readonly overText?: string | undefined;
  /** What saving does, in one sentence next to the buttons, where it is in sight without scrolling. */
  readonly outcome?: ReactNode;
  /** Between Cancel and Save. */
  readonly otherButton?: ReactNode;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

export function FormDialog({
  submission,
  errorPrefix,
  saveLabel = "Save",
  busyLabel = "Saving...",
  canSave = true,
  isAsking = false,
  isFinal = false,
  cancelLabel = "Cancel",
  onCancel,
  outcome,
  otherButton,
  overText,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const { errors, error, isBusy } = submission;
  if (overText !== undefined && !isBusy) {
    return (
      <Dialog
        {...dialog}
        isDirty={false}
        onClose={onClose}
        footer={<Button onClick={onClose}>Close</Button>}
      >
        <Over>{overText}</Over>
      </Dialog>
    );
  }
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      isBusy={isBusy}
      errors={errors}
      footer={
        <>
          {outcome === undefined ? null : (
            <p className="me-auto min-w-0 self-center font-medium wrap-anywhere max-sm:order-last max-sm:self-start">
              {outcome}
            </p>
          )}
          <div className="flex shrink-0 gap-2 max-sm:grid max-sm:grid-cols-2">
            {onCancel === undefined ? (
              <CancelButton isBusy={isBusy}>{cancelLabel}</CancelButton>
            ) : (
              <Button onClick={onCancel} disabled={isBusy}>
                {cancelLabel}
              </Button>
            )}
            {otherButton === undefined ? null : (
              <span className="flex flex-col max-sm:order-first max-sm:col-span-2">
                {otherButton}
              </span>
            )}
            <Button
              type="submit"
              variant={isAsking ? "secondary" : isFinal ? "danger" : "primary"}
              isBusy={isBusy}
              busyLabel={busyLabel}
              disabled={!canSave}
            >
              {saveLabel}
            </Button>
          </div>
        </>
      }
    >
      {children}
      <ErrorLine>{error === undefined ? undefined : failureText(errorPrefix, error)}</ErrorLine>
    </Dialog>
  );
}

/** Gets the focus that the form had. No button gets it, because somebody may still be typing. */
function Over({ children }: { readonly children: string }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <p ref={sentence} tabIndex={-1} className="outline-none">
      {children}
    </p>
  );
}

// One decision or short form above the page: a dialog on a desktop, a bottom sheet on a phone. Mounted means open.
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useClosing } from "./closing.tsx";
import { Form } from "./form.tsx";
import { IconButton } from "./icon-button.tsx";
import { preloadToasts } from "./toaster.tsx";

type DialogProps = {
  readonly title: string;
  readonly description?: ReactNode;
  /** 640 px instead of 480, for a form with a preview. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  /** True if closing would lose typed text. Closing, and leaving the page, then asks first. */
  readonly isDirty?: boolean;
  /** True while a call is under way whose result would not be seen after closing. */
  readonly isBusy?: boolean;
  /** Makes the dialog a form. The footer's submit button sends it. */
  readonly onSubmit?: () => void;
  readonly errors?: Readonly<Record<string, string>>;
  /** Buttons, primary last. */
  readonly footer: ReactNode;
  readonly children: ReactNode;
};

type DialogHeadProps = Pick<DialogProps, "title" | "description" | "onClose">;

function DialogHead({ title, description, onClose }: DialogHeadProps) {
  return (
    <div className="flex items-start justify-between gap-4 px-6 pt-5 pb-4 max-sm:px-4">
      <div className="flex min-w-0 flex-col gap-1">
        <BaseDialog.Title className="text-20 font-semibold">
          {withIsolatedNames(title)}
        </BaseDialog.Title>
        {description === undefined ? null : (
          <BaseDialog.Description className="text-muted">
            {typeof description === "string" ? withIsolatedNames(description) : description}
          </BaseDialog.Description>
        )}
      </div>
      <IconButton icon={X} label="Close" onClick={onClose} className="-my-1 -me-2 touch:-my-2" />
    </div>
  );
}

export function Dialog({
  title,
  description,
  isWide = false,
  onClose,
  isDirty = false,
  isBusy = false,
  onSubmit,
  errors,
  footer,
  children,
}: DialogProps) {
  const { close, question } = useClosing(isDirty, isBusy, onClose);
  const bodyRef = useRef<HTMLDivElement>(null);
  // Most dialogs end with a toast.
  useEffect(preloadToasts, []);

  const content = (
    <>
      <div
        ref={bodyRef}
        className="flex flex-col gap-4 overflow-y-auto px-6 pb-6 max-sm:px-4 short:overflow-visible"
      >
        {children}
      </div>
      <div className="flex justify-end gap-2 border-t border-border px-6 py-4 max-sm:flex-col-reverse max-sm:px-4 max-sm:pb-[max(1rem,env(safe-area-inset-bottom))]">
        {footer}
      </div>
    </>
  );
  const columns = "flex min-h-0 flex-col short:block";

  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : close())}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop
          // Also covers the dialog that it was opened from.
          forceRender
          className="fixed inset-0 bg-scrim motion-safe:animate-[fade_180ms_ease-out]"
        />
        <BaseDialog.Popup
          data-sheet
          initialFocus={() =>
            bodyRef.current?.querySelector<HTMLElement>("[data-first]") ??
            bodyRef.current?.querySelector<HTMLElement>(
              "[autofocus], :is(input, select, textarea):not(:disabled, [hidden])",
            ) ??
            true
          }
          // In a short window the head and the foot scroll with the body, for which they would leave no room.
          className={`fixed flex max-h-[calc(100dvh-3rem)] flex-col overflow-hidden rounded-dialog floating shadow-dialog outline-none sm:top-[max(1.5rem,12dvh)] sm:left-1/2 sm:max-h-[calc(88dvh-1.5rem)] sm:-translate-x-1/2 sm:motion-safe:animate-[rise_180ms_ease-out] max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-b-none max-sm:motion-safe:animate-[sheet_180ms_ease-out] ${isWide ? "sm:w-160" : "sm:w-120"} sm:max-w-[calc(100vw-3rem)] short:block short:max-h-[calc(100dvh-1rem)] short:overflow-y-auto sm:short:top-2`}
        >
          <DialogHead title={title} description={description} onClose={close} />
          {onSubmit === undefined ? (
            <div className={columns}>{content}</div>
          ) : (
            <Form
              className={columns}
              onSubmit={onSubmit}
              {...(errors === undefined ? {} : { errors })}
            >
              {content}
            </Form>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
      {question}
    </BaseDialog.Root>
  );
}

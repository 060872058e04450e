// One record next to its list: 560 px on the right, the whole screen on a phone. Mounted means open; the address says which record.
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useCallback, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import type { Freshness } from "#web/lib/read.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { useClosing } from "./closing.tsx";
import { keepFocusIn } from "./drawer-focus.ts";
import { HeldNotice } from "./freshness-line.tsx";
import { IconButton } from "./icon-button.tsx";

type DrawerProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** The freshness of the drawer's own read, or of the list that the record is from. */
  readonly freshness?: Freshness | undefined;
  readonly onClose: () => void;
  /** True if closing would lose typed text. Closing, and leaving the page, then asks first. */
  readonly isDirty?: boolean;
  /** True while a call is under way whose result would not be seen after closing. */
  readonly isBusy?: boolean;
  /** The rows above and below in the list, for arrow up and down. */
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  /** Always visible at the bottom. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
};

function isTyping(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [role=tablist], [role=menu]") !== null
  );
}

function RowSteps({ onPrevious, onNext }: Pick<DrawerProps, "onPrevious" | "onNext">) {
  return onPrevious === undefined && onNext === undefined ? null : (
    <>
      <IconButton
        icon={ChevronUp}
        label="Previous row"
        data-step="-1"
        disabled={onPrevious === undefined}
        onClick={onPrevious}
      />
      <IconButton
        icon={ChevronDown}
        label="Next row"
        data-step="1"
        disabled={onNext === undefined}
        onClick={onNext}
      />
    </>
  );
}

export function Drawer({
  title,
  subtitle,
  freshness,
  onClose,
  isDirty = false,
  isBusy = false,
  onPrevious,
  onNext,
  footer,
  children,
}: DrawerProps) {
  const { close, question } = useClosing(isDirty, isBusy, onClose);
  // As it was when the drawer was opened: a drawer that becomes modal closes the forms above it, and turning a phone
  // must not lose what was typed.
  const [isModal] = useState(useIsPhone());
  // The focus is on the drawer itself, so that the arrow keys move between rows at once.
  const popup = useRef<HTMLDivElement>(null);
  // A ref and no effect: the drawer's element comes later than its first effects.
  const attach = useCallback((element: HTMLDivElement | null) => {
    popup.current = element;
    return element === null ? undefined : keepFocusIn(element);
  }, []);

  function onKeyDown(event: KeyboardEvent): void {
    const go =
      event.key === "ArrowUp" ? onPrevious : event.key === "ArrowDown" ? onNext : undefined;
    if (go !== undefined && !isTyping(event.target)) {
      event.preventDefault();
      go();
    }
  }

  return (
    // On a desktop it does not block the list, which stays usable.
    <BaseDialog.Root
      open
      modal={isModal}
      disablePointerDismissal
      onOpenChange={(isOpen) => (isOpen ? undefined : close())}
    >
      <BaseDialog.Portal>
        <BaseDialog.Popup
          data-drawer
          ref={attach}
          initialFocus={() =>
            popup.current?.querySelector<HTMLElement>("[data-first-act]") ?? popup.current
          }
          onKeyDown={onKeyDown}
          className="fixed inset-y-0 right-0 flex w-full flex-col border-border bg-raised shadow-dialog outline-none motion-safe:animate-[slide_180ms_ease-out] sm:w-140 sm:border-l"
        >
          <div className="flex items-start gap-2 border-b border-border px-6 py-4 max-sm:px-4">
            <div className="flex min-w-0 grow flex-col gap-1">
              <BaseDialog.Title className="text-16 font-semibold wrap-anywhere">
                {withIsolatedNames(title)}
              </BaseDialog.Title>
              {subtitle === undefined ? null : <div className="text-12 text-muted">{subtitle}</div>}
            </div>
            <RowSteps onPrevious={onPrevious} onNext={onNext} />
            <IconButton icon={X} label="Close" onClick={close} className="-me-2" />
          </div>
          <div className="flex min-h-0 grow flex-col gap-4 overflow-y-auto scroll-pt-12 px-6 py-4 max-sm:px-4">
            <HeldNotice freshness={freshness} />
            <div>{children}</div>
          </div>
          {footer === undefined ? null : (
            <div className="flex flex-wrap justify-end gap-2 border-t border-border px-6 py-4 max-sm:px-4 max-sm:*:grow">
              {footer}
            </div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
      {question}
    </BaseDialog.Root>
  );
}

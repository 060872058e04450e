// Draws the toasts with Base UI. They pause while hovered, and disappear after a while unless they are errors.
import { Toast as BaseToast } from "@base-ui/react/toast";
import { CircleCheck, OctagonAlert, TriangleAlert, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { useToastFocus } from "./toast-focus.ts";
import { waitingToasts, type Toast } from "./toast.ts";
import { toastCard, toastPlace } from "./toaster.tsx";

const shownMs = 6000;
const undoableMs = 12_000;
const shownAtOnce = 3;
/** There is one message about scans at a time. */
const scanId = "scan";

type Manager = Pick<ReturnType<typeof BaseToast.useToastManager<Toast>>, "add" | "close">;

/** Adds toasts to the manager. If there are too many, a toast with Undo is removed only for another one with Undo. */
function adderTo(manager: Manager): (toast: Toast) => void {
  let shown: readonly { readonly id: string; readonly isUndoable: boolean }[] = [];
  const forget = (id: string): void => {
    shown = shown.filter((one) => one.id !== id);
  };
  return ({ kind, message, undo, act }) => {
    const isUndoable = undo !== undefined;
    const isOfScan = kind === "scan" || kind === "taken";
    const isReplacing = isOfScan && shown.some(({ id }) => id === scanId);
    const oldest = shown.find((one) => !one.isUndoable) ?? (isUndoable ? shown[0] : undefined);
    if (shown.length >= shownAtOnce && !isReplacing && oldest !== undefined) {
      manager.close(oldest.id);
    }
    const id: string = manager.add({
      // A toast replaces another one with the same id.
      ...(isOfScan ? { id: scanId } : {}),
      description: withIsolatedNames(message),
      data: { kind, message, undo, act },
      timeout: kind === "error" ? 0 : isUndoable || act !== undefined ? undoableMs : shownMs,
      onClose: () => forget(id),
    });
    forget(id);
    shown = [...shown, { id, isUndoable }];
  };
}

const icons = {
  done: { icon: CircleCheck, color: "text-credit" },
  taken: { icon: CircleCheck, color: "text-credit" },
  error: { icon: OctagonAlert, color: "text-danger" },
  scan: { icon: TriangleAlert, color: "text-muted" },
};

type ToastCardProps = {
  readonly toast: BaseToast.Root.ToastObject<Toast>;
  readonly onClose: () => void;
};

function ToastCard({ toast, onClose }: ToastCardProps) {
  const undo = toast.data?.undo;
  const act = undo === undefined ? toast.data?.act : { label: "Undo", onAct: undo };
  const { icon, color } = icons[toast.data?.kind ?? "done"];
  return (
    // Not a dialog, and no tab stop itself; its buttons are.
    <BaseToast.Root
      toast={toast}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the library renders the element
      role="group"
      aria-modal={undefined}
      tabIndex={undefined}
      swipeDirection={["left", "right"]}
      className={`${toastCard} ${act === undefined || undo !== undefined ? "" : "max-sm:flex-wrap max-sm:justify-end max-sm:gap-y-0"}`}
    >
      <Icon of={icon} className={color} />
      <BaseToast.Description
        render={<span />}
        className={`min-w-0 py-1.5 wrap-anywhere ${act === undefined || undo !== undefined ? "" : "max-sm:grow max-sm:basis-52 max-sm:pb-0"}`}
      />
      {act === undefined ? null : (
        <Button
          variant="quiet"
          className="text-accent"
          onClick={() => {
            onClose();
            act.onAct();
          }}
        >
          {act.label}
        </Button>
      )}
      <IconButton icon={X} label="Dismiss" onClick={onClose} />
    </BaseToast.Root>
  );
}

function Toasts() {
  const frame = useRef<HTMLDivElement>(null);
  useToastFocus(frame);
  const { toasts, add, close } = BaseToast.useToastManager<Toast>();
  useEffect(() => {
    const addToast = adderTo({ add, close });
    const addWaiting = () => waitingToasts.take().forEach(addToast);
    addWaiting();
    return waitingToasts.subscribe(addWaiting);
  }, [add, close]);
  // Outside the app's root, so that dialogs do not cover it.
  return createPortal(
    <BaseToast.Viewport ref={frame} className={toastPlace}>
      {toasts.toReversed().map((toast) => (
        <ToastCard key={toast.id} toast={toast} onClose={() => close(toast.id)} />
      ))}
    </BaseToast.Viewport>,
    document.body,
  );
}

export function ToastLayer() {
  return (
    <BaseToast.Provider limit={Number.POSITIVE_INFINITY}>
      <Toasts />
    </BaseToast.Provider>
  );
}

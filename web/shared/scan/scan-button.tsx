// A button next to fields for codes: uses the phone's camera as a scanner. Loads nothing until it is about to be used.
import { Camera } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { showErrorToast } from "#web/ui/toast.ts";
import { canHaveCamera } from "./camera-support.ts";
import type { CameraDialogProps } from "./camera-dialog.tsx";

const loadDialog = () => import("./camera-dialog.tsx");
const CameraDialog = onDemand(async () => (await loadDialog()).CameraDialog);

type ScanButtonProps = Omit<CameraDialogProps, "onClose" | "children"> & {
  /** Text next to the icon. */
  readonly word?: string;
  readonly className?: string;
  readonly onClosed?: () => void;
  /** Shown below the picture; rendered only while the camera is open. */
  readonly children?: () => ReactNode;
};

/** Renders nothing if the browser cannot use a camera. */
export function ScanButton({
  word,
  className = "",
  onClosed,
  children,
  ...dialog
}: ScanButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (!canHaveCamera()) {
    return null;
  }

  async function open(): Promise<void> {
    try {
      await loadDialog();
      setOpen(true);
    } catch (error) {
      console.warn("The camera scanner could not be loaded", error);
      showErrorToast("Error loading the camera scanner: check your connection and try again");
    }
  }

  const button = { onClick: () => void open(), className };
  return (
    <>
      {word === undefined ? (
        <IconButton icon={Camera} label={dialog.title} {...button} />
      ) : (
        <Button icon={Camera} aria-label={dialog.title} {...button}>
          {word}
        </Button>
      )}
      {isOpen ? (
        <CameraDialog
          {...dialog}
          onClose={() => {
            setOpen(false);
            onClosed?.();
          }}
        >
          {children?.()}
        </CameraDialog>
      ) : null}
    </>
  );
}

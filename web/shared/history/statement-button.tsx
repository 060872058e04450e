// Opens the statement. Its dialog is loaded when it is first opened, and stays open when the window's width moves its button.
import { FileText } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { isFocusLost } from "#web/ui/focus-heading.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const StatementDialog = onDemand(() =>
  import("./statement-dialog.tsx").then((file) => file.StatementDialog),
);

type StatementProps = {
  readonly uid: string;
  /** A moment of the past; undefined for now. */
  readonly at?: string | undefined;
};

type StatementButtonProps = {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly onOpen: () => void;
};

export function StatementButton({ ref, onOpen }: StatementButtonProps) {
  return useIsPhone() ? (
    <IconButton
      ref={ref}
      icon={FileText}
      label="Statement"
      onClick={onOpen}
      className="border border-border-strong bg-surface"
    />
  ) : (
    <Button ref={ref} icon={FileText} onClick={onOpen}>
      Statement
    </Button>
  );
}

type Statement = {
  readonly button: StatementButtonProps;
  readonly dialog: ReactNode;
};

/** Render `dialog` where no width of the window moves it. */
export function useStatement({ uid, at }: StatementProps): Statement {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      // The dialog gives the focus back to the button that opened it, which may be gone by now.
      requestAnimationFrame(() => (isFocusLost() ? button.current?.focus() : undefined));
    }
    wasOpen.current = isOpen;
  }, [isOpen]);
  return {
    button: { ref: button, onOpen: () => setOpen(true) },
    dialog: isOpen ? <StatementDialog uid={uid} at={at} onClose={() => setOpen(false)} /> : null,
  };
}

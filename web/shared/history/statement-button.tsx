// Opens the statement. Its dialog is loaded when it is first opened.
import { FileText } from "lucide-react";
import { useState } from "react";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const StatementDialog = onDemand(() =>
  import("./statement-dialog.tsx").then((file) => file.StatementDialog),
);

type StatementButtonProps = {
  readonly uid: string;
  /** A moment of the past; undefined for now. */
  readonly at?: string | undefined;
};

export function StatementButton({ uid, at }: StatementButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const isPhone = useIsPhone();
  const open = () => setOpen(true);
  return (
    <>
      {isPhone ? (
        <IconButton
          icon={FileText}
          label="Statement"
          onClick={open}
          className="border border-border-strong bg-surface"
        />
      ) : (
        <Button icon={FileText} onClick={open}>
          Statement
        </Button>
      )}
      {isOpen ? <StatementDialog uid={uid} at={at} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

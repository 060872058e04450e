// Exports a report as a file: on a phone only an icon, like the other exports.
import { Download, FileText } from "lucide-react";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";

type FileButtonProps = {
  readonly format: "csv" | "pdf";
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
};

export function FileButton({ format, isBusy, isDisabled = false, onClick }: FileButtonProps) {
  const isPhone = useIsPhone();
  const icon = format === "csv" ? Download : FileText;
  const label = `Export ${format.toUpperCase()}`;
  return isPhone ? (
    <IconButton
      icon={icon}
      label={label}
      disabled={isBusy || isDisabled}
      onClick={onClick}
      className="border border-border-strong bg-surface"
    />
  ) : (
    <Button
      icon={icon}
      disabled={isDisabled}
      isBusy={isBusy}
      busyLabel="Exporting..."
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

// Downloads exactly the filtered list as CSV, written by the server.
import { Download } from "lucide-react";
import { useAction } from "#web/lib/action.ts";
import { download } from "#web/lib/download.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { showErrorToast } from "./toast.ts";
import { asApiError } from "#web/lib/api-error.ts";

type ExportButtonProps = {
  /** Below /api, with the list's filters. */
  readonly path: string;
  /** The file's name without its extension. The day is added. */
  readonly name: string;
  /** Only an icon, also on a desktop. */
  readonly isCompact?: boolean;
};

/** "2026-11-21", the local day. */
function today(): string {
  return new Date().toLocaleDateString("sv-SE");
}

export function ExportButton({ path, name, isCompact = false }: ExportButtonProps) {
  const action = useAction(async (asked: string) => {
    try {
      await download(asked, `${name}-${today()}.csv`);
    } catch (error) {
      showErrorToast(`Error exporting: ${asApiError(error).message}`);
    }
  });
  const isPhone = useIsPhone();
  if (isPhone || isCompact) {
    return (
      <IconButton
        icon={Download}
        label="Export CSV"
        disabled={action.isBusy}
        onClick={() => void action.run(path)}
        className="border border-border-strong bg-surface"
      />
    );
  }
  return (
    <Button
      icon={Download}
      onClick={() => void action.run(path)}
      isBusy={action.isBusy}
      busyLabel="Exporting..."
    >
      Export CSV
    </Button>
  );
}

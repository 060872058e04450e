// A button to reload the sale after somebody else changed it while a form about it was open.
import type { ApiError } from "#web/lib/api-error.ts";
import { Button } from "#web/ui/button.tsx";

type ChangedMeanwhileProps = {
  readonly error: ApiError | undefined;
  readonly onReload: () => void;
};

export function ChangedMeanwhile({ error, onReload }: ChangedMeanwhileProps) {
  return error?.code === "sale_changed" ? (
    <Button onClick={onReload} className="self-start">
      Show the sale as it is now
    </Button>
  ) : null;
}

// Takes the viewer's own counter back until it is answered.
import { Undo2 } from "lucide-react";
import { useAction } from "#web/lib/action.ts";
import { Button } from "#web/ui/button.tsx";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import { takeCounterBack } from "./trade-api.ts";

export function TakeBackButton({ offerId, itemName }: { offerId: string; itemName: string }) {
  const action = useAction(async (id: string, key: string) => {
    await takeCounterBack(id, key).then(
      () => showToast("Counter taken back"),
      (error: unknown) => {
        showErrorToast(
          `Error taking the counter back: ${error instanceof Error ? error.message : ""}`,
        );
        throw error;
      },
    );
  });
  return (
    <Button
      variant="quiet"
      icon={Undo2}
      isBusy={action.isBusy}
      busyLabel="Taking back..."
      aria-label={`Take back counter: ${itemName}`}
      onClick={() => void action.run(offerId)}
    >
      Take back counter
    </Button>
  );
}

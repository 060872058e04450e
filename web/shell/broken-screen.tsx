// Shown if a screen broke or its script could not be loaded: a sentence and a button instead of a blank page.
import { RotateCw, TriangleAlert, WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useConnection } from "#web/lib/use-connection.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";

/** Browsers remember a script that could not be loaded: until the page is loaded again, it stays missing. */
let wasAway = false;

export function BrokenScreen() {
  const isAway = useConnection() !== "connected";
  useEffect(() => {
    if (!isAway && wasAway) {
      location.reload();
    }
    wasAway ||= isAway;
  }, [isAway]);
  return (
    <div role="alert">
      {isAway ? (
        <EmptyState icon={WifiOff} title="This screen is not loaded yet">
          It opens by itself as soon as you are connected again.
        </EmptyState>
      ) : (
        <EmptyState
          icon={TriangleAlert}
          title="This screen could not be shown"
          action={
            <Button icon={RotateCw} onClick={() => location.reload()}>
              Reload the page
            </Button>
          }
        >
          What was saved is safe. There may be a newer version of the app.
        </EmptyState>
      )}
    </div>
  );
}

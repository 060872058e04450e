// Shown if a screen broke or its script could not be loaded: a sentence and a button instead of a blank page.
import { RotateCw, TriangleAlert } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";

export function BrokenScreen() {
  return (
    <div role="alert">
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
    </div>
  );
}

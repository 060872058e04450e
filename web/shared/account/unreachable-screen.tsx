// Shown if the server does not answer who is signed in. The session may be fine, so nobody is sent to sign in again.
import { CloudOff, RotateCw } from "lucide-react";
import { useSession } from "./session.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";

export function UnreachableScreen() {
  const { restore } = useSession();
  return (
    <main role="alert" className="flex min-h-dvh flex-col justify-center">
      <EmptyState
        icon={CloudOff}
        title="The server cannot be reached"
        action={
          <Button icon={RotateCw} onClick={() => void restore()}>
            Retry
          </Button>
        }
      >
        You are still signed in, and nothing was changed. Check your connection.
      </EmptyState>
    </main>
  );
}

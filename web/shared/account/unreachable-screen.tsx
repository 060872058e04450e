// Shown if the server does not answer who is signed in. The session may be fine, so nobody is sent to sign in again.
import { CloudOff, RotateCw } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useSession } from "./session.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";

type UnreachableScreenProps = {
  /** Where people can go on meanwhile, if there is such a place. */
  readonly children?: ReactNode;
};

export function UnreachableScreen({ children }: UnreachableScreenProps) {
  const { restore } = useSession();
  useEffect(() => {
    const retry = () => void restore();
    globalThis.addEventListener("online", retry);
    return () => globalThis.removeEventListener("online", retry);
  }, [restore]);
  return (
    <main role="alert" className="flex min-h-dvh flex-col justify-center">
      <EmptyState
        icon={CloudOff}
        title="The server cannot be reached"
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <Button icon={RotateCw} onClick={() => void restore()}>
              Retry
            </Button>
            {children}
          </span>
        }
      >
        You are still signed in, and nothing was changed. Check your connection.
      </EmptyState>
    </main>
  );
}

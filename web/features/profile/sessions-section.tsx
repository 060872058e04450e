// The devices on which the person is signed in. One or all of the sessions can be ended.
import { useState } from "react";
import { useAction } from "#web/lib/action.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { endAllSessions, endSession, useSessions } from "#web/shared/account/account-api.ts";
import { SessionLine } from "#web/shared/account/session-line.tsx";
import { Section } from "./section.tsx";

const ConfirmDialog = onDemand(() =>
  import("#web/ui/confirm-dialog.tsx").then((file) => file.ConfirmDialog),
);

function SignOutEverywhere({ onKeep }: { readonly onKeep: () => void }) {
  const { forget } = useSession();
  const action = useAction(async (input: undefined, key: string) => {
    await endAllSessions(input, key);
    await forget();
  });
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      act="Sign out everywhere"
      busyAct="Signing out..."
      keep="Stay signed in"
      isBusy={action.isBusy}
      error={action.error?.message}
      onAct={() => void action.run(undefined)}
      onKeep={onKeep}
    >
      Every device, including this one, has to sign in again. Do this if a device is lost or
      somebody else may know your password.
    </ConfirmDialog>
  );
}

export function SessionsSection() {
  const { data, error, refresh } = useSessions();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title="Signed-in devices">
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-12" />
        ) : (
          <ErrorState title="Your devices could not be loaded" error={error} onRetry={refresh} />
        )
      ) : (
        <RowFocus>
          <ul className="-my-2 flex flex-col divide-y divide-border">
            {data.sessions.map((session) => (
              <SessionLine key={session.id} session={session} end={endSession} />
            ))}
          </ul>
        </RowFocus>
      )}
      <span className="flex flex-col sm:items-start">
        <Button
          onPointerEnter={ConfirmDialog.preload}
          onFocus={ConfirmDialog.preload}
          onClick={() => setAsking(true)}
        >
          Sign out everywhere
        </Button>
      </span>
      {isAsking ? <SignOutEverywhere onKeep={() => setAsking(false)} /> : null}
    </Section>
  );
}

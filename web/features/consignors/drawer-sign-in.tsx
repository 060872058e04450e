// Where a person is signed in, in the drawer: ends one session or all, and shows a change of email that waits.
import { useState } from "react";
import type { WaitingEmailChange } from "#features/users/contract-email-change.ts";
import { useAction } from "#web/lib/action.ts";
import { SessionLine } from "#web/shared/account/session-line.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import {
  endUserSession,
  endUserSessions,
  takeEmailChangeBack,
  useEmailChange,
  useUserSessions,
} from "./sign-in-api.ts";

function SignOutEverywhere({ uid, onDone }: { readonly uid: string; readonly onDone: () => void }) {
  const action = useAction(async (input: string, key: string) => {
    await endUserSessions(input, key);
    onDone();
  });
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      act="Sign out everywhere"
      busyAct="Signing out..."
      keep="Keep them signed in"
      isBusy={action.isBusy}
      error={action.error?.message}
      onAct={() => void action.run(uid)}
      onKeep={onDone}
    >
      Every device of this person has to sign in again. Nothing else changes.
    </ConfirmDialog>
  );
}

function WaitingEmail({
  uid,
  waiting,
}: {
  readonly uid: string;
  readonly waiting: WaitingEmailChange;
}) {
  const action = useAction(takeEmailChangeBack);
  const missing = [
    ...(waiting.newAgreed ? [] : ["the new address"]),
    ...(waiting.oldAgreed ? [] : ["the current address"]),
  ];
  return (
    <section
      aria-label="Email change"
      className="flex flex-col gap-2 rounded-card border border-border p-4"
    >
      <h3 className="font-semibold">Email change</h3>
      <p className="wrap-anywhere">
        {waiting.email} takes effect once {missing.join(" and ")}{" "}
        {missing.length > 1 ? "have" : "has"} agreed. The links work until{" "}
        <DateTime at={waiting.expiresAt} />.
      </p>
      <ErrorLine>{action.error?.message}</ErrorLine>
      <span className="flex flex-col sm:items-start">
        <Button isBusy={action.isBusy} onClick={() => void action.run(uid)}>
          Cancel email change
        </Button>
      </span>
    </section>
  );
}

export function DrawerSignIn({ uid }: { readonly uid: string }) {
  const { data, error, refresh } = useUserSessions(uid);
  const waiting = useEmailChange(uid).data?.waiting ?? null;
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {waiting === null ? null : <WaitingEmail uid={uid} waiting={waiting} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <ErrorState title="The sessions could not be loaded" error={error} onRetry={refresh} />
        )
      ) : data.sessions.length === 0 ? (
        <p className="text-muted">Not signed in anywhere.</p>
      ) : (
        <>
          <ul aria-label="Signed-in devices" className="-my-2 flex flex-col divide-y divide-border">
            {data.sessions.map((session) => (
              <SessionLine
                key={session.id}
                session={session}
                end={(id, key) => endUserSession({ uid, id }, key)}
              />
            ))}
          </ul>
          <span className="flex flex-col sm:items-start">
            <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
          </span>
        </>
      )}
      {isAsking ? <SignOutEverywhere uid={uid} onDone={() => setAsking(false)} /> : null}
    </div>
  );
}

// One open session with its device, on a person's profile and in an admin's drawer. It can be signed out there.
import type { OpenSession } from "#features/sign-in/contract-sessions.ts";
import { useAction } from "#web/lib/action.ts";
import { formatExact } from "#web/lib/formats.ts";
import { deviceOf } from "#web/shared/account/device.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";

type SessionLineProps = {
  readonly session: OpenSession;
  /** Throws ApiError. */
  readonly end: (id: string, key: string) => Promise<void>;
};

export function SessionLine({ session, end }: SessionLineProps) {
  const action = useAction(end);
  const device = deviceOf(session.userAgent);
  // Two phones of the same kind differ by their sign-in only.
  const label = `Sign out ${device}, signed in ${formatExact(new Date(session.signedInAt))}`;
  return (
    <li className="flex items-center justify-between gap-x-4 py-2">
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 font-medium">
          {device}
          {session.isCurrent ? <Chip kind="accent">This device</Chip> : null}
        </span>
        <span className="text-12 wrap-anywhere text-muted">
          Signed in <DateTime at={session.signedInAt} />
          {session.address === null ? "" : ` from ${session.address}`}, last used{" "}
          <DateTime at={session.lastUsedAt} show="ago" />
        </span>
        <ErrorLine>{action.error?.message}</ErrorLine>
      </span>
      {session.isCurrent ? null : (
        <Button
          aria-label={label}
          isBusy={action.isBusy}
          onClick={() => void action.run(session.id)}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

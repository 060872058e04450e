// In the drawer of somebody who cannot sign in yet: how far the invitation is, another email, and an end to its links.
import { Mail } from "lucide-react";
import { useAction } from "#web/lib/action.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { showToast } from "#web/ui/toast.ts";
import type { InvitationResponse } from "#features/users/contract-invitation.ts";
import { revokeInvitation, sendInvitation, useInvitation } from "./invitation-api.ts";

type DrawerInvitationProps = { readonly uid: string; readonly email: string | null };

/** Renders nothing for people who can sign in. */
export function DrawerInvitation({ uid, email }: DrawerInvitationProps) {
  const { data } = useInvitation(uid);
  const sending = useAction(sendInvitation);
  const revoking = useAction(revokeInvitation);
  if (data === undefined || data.canSignIn || email === null) {
    return null;
  }
  async function send(): Promise<void> {
    if ((await sending.run(uid)) !== undefined) {
      showToast(`The invitation is on its way to ${email ?? ""}`);
    }
  }
  async function revoke(): Promise<void> {
    if ((await revoking.run(uid)) !== undefined) {
      showToast("Invitation revoked. Its links no longer work");
    }
  }
  const { invitation } = data;
  return (
    <section
      aria-label="Invitation"
      className="flex flex-col gap-3 rounded-card border border-border p-4"
    >
      <p className="flex items-start gap-2">
        <Icon of={Mail} className="mt-0.5 text-pending" />
        <span>
          <Standing invitation={invitation} />
        </span>
      </p>
      <span className="flex flex-wrap gap-2">
        <Button isBusy={sending.isBusy} busyLabel="Sending..." onClick={() => void send()}>
          {invitation === null ? "Send invitation" : "Send again"}
        </Button>
        {invitation === null ? null : (
          <Button
            variant="quiet"
            isBusy={revoking.isBusy}
            busyLabel="Revoking..."
            onClick={() => void revoke()}
          >
            Revoke invitation
          </Button>
        )}
      </span>
      <ErrorLine>{sending.error?.message ?? revoking.error?.message}</ErrorLine>
    </section>
  );
}

function Standing({ invitation }: Pick<InvitationResponse, "invitation">) {
  if (invitation === null) {
    return "Nobody can sign in to this account. An invitation makes it theirs.";
  }
  const { sentAt, expiresAt, invitedBy, mayBeRevoked } = invitation;
  if (mayBeRevoked) {
    return `Invited by ${invitedBy} before the store was restored from a back-up. It may have been revoked since: send it again, or revoke it.`;
  }
  if (sentAt === null) {
    return "Invited, but the email could not be sent.";
  }
  return (
    <>
      Invited by {invitedBy}, emailed on <DateTime at={sentAt} />.{" "}
      {expiresAt === null ? (
        "Its link no longer works."
      ) : (
        <>
          Its link works until <DateTime at={expiresAt} show="day" />.
        </>
      )}
    </>
  );
}

// Takes the second factors from somebody who lost them, so that their password signs them in again.
import { useAction } from "#web/lib/action.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { showToast } from "#web/ui/toast.ts";
import { resetFactors, useUserFactors } from "./consignors-api.ts";

type ResetFactorsDialogProps = {
  readonly user: { readonly uid: string; readonly name: string };
  readonly onClose: () => void;
};

const told = {
  sent: "They were told by email.",
  "not-sent": "The email to them could not be sent: tell them yourself.",
  "no-email": "They have no email: tell them yourself.",
} as const;

export function ResetFactorsDialog({ user, onClose }: ResetFactorsDialogProps) {
  const { data, error, refresh } = useUserFactors(user.uid);
  const action = useAction(resetFactors);
  async function reset(): Promise<void> {
    const answer = await action.run(user.uid);
    if (answer !== undefined) {
      showToast(`Second factors of ${user.name} removed. ${told[answer.letter]}`);
      onClose();
    }
  }
  if (data === undefined || data.factors === 0) {
    return (
      <Dialog
        title="Reset second factor"
        onClose={onClose}
        footer={<Button onClick={onClose}>Close</Button>}
      >
        {data !== undefined ? (
          <p>{withIsolatedNames(`${user.name} has no second factor.`)}</p>
        ) : error === undefined ? (
          <Skeleton className="h-12" />
        ) : (
          <ErrorState title="This could not be loaded" error={error} onRetry={refresh} />
        )}
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Reset the second factor of ${user.name}?`}
      act="Reset second factor"
      busyAct="Resetting..."
      keep="Keep it"
      isBusy={action.isBusy}
      error={action.error?.message}
      onAct={() => void reset()}
      onKeep={onClose}
    >
      {`Their ${data.factors === 1 ? "passkey or app" : `${data.factors} passkeys and apps`} and their recovery codes stop working, they are signed out everywhere, and get an email about it. Only do this if you are sure the request is theirs: until they set up a new one, their password alone signs them in.`}
    </ConfirmDialog>
  );
}

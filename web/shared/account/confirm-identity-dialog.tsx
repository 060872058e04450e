// Asks who somebody is before something sensitive: the sign-in was a while ago, and anybody could sit here now.
import { useSession } from "#web/shared/account/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { confirmIdentity, useConfirmWays } from "./confirm-api.ts";
import { ProofDialog } from "./proof-dialog.tsx";

type ConfirmIdentityDialogProps = {
  readonly onConfirmed: () => void;
  readonly onClose: () => void;
};

const title = "Confirm it's you";

function SignInAgain({ onClose }: Pick<ConfirmIdentityDialogProps, "onClose">) {
  const { signOut } = useSession();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => void signOut().then(onClose)}>
            Sign out
          </Button>
        </>
      }
    >
      <p>
        There is no password on your account. Sign out and in again, then repeat what you were doing
        within ten minutes.
      </p>
    </Dialog>
  );
}

export function ConfirmIdentityDialog({ onConfirmed, onClose }: ConfirmIdentityDialogProps) {
  const { data, error, refresh } = useConfirmWays();
  const [first, ...others] = data?.ways ?? [];
  if (data === undefined) {
    return (
      <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>Cancel</Button>}>
        {error === undefined ? (
          <Skeleton className="h-16" />
        ) : (
          <ErrorState title="This could not be loaded" error={error} onRetry={refresh} />
        )}
      </Dialog>
    );
  }
  return first === undefined ? (
    <SignInAgain onClose={onClose} />
  ) : (
    <ProofDialog
      title={title}
      description="It has been a while since you signed in. Nothing is sent until you confirm."
      ways={[first, ...others]}
      act="Confirm"
      busyAct="Confirming..."
      prove={confirmIdentity}
      onProven={onConfirmed}
      onClose={onClose}
    />
  );
}

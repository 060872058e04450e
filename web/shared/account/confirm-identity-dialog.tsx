// Asks who somebody is before something that hurts: the sign-in was a while ago, and anybody could sit here now.
import { useState } from "react";
import { useSession } from "#web/shared/account/session.tsx";
import { noErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Field } from "#web/ui/field.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { confirmIdentity, useConfirmWays } from "./confirm-api.ts";

type ConfirmIdentityDialogProps = {
  readonly onConfirmed: () => void;
  readonly onClose: () => void;
};

const title = "Confirm it's you";
const description = "You signed in a while ago. Nothing is sent before you confirm who you are.";

function SignInAgain({ onClose }: Pick<ConfirmIdentityDialogProps, "onClose">) {
  const { signOut } = useSession();
  return (
    <Dialog
      title={title}
      description="There is no password on your account. Sign out and in again, then repeat what you were doing within ten minutes."
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
      {null}
    </Dialog>
  );
}

function PasswordDialog({ onConfirmed, onClose }: ConfirmIdentityDialogProps) {
  const [password, setPassword] = useState("");
  const submission = useSubmission(confirmIdentity);
  const { errors, error, isBusy } = submission;

  async function confirm(): Promise<void> {
    const missing = password === "" ? { password: "Enter your password" } : noErrors;
    if ((await submission.submit(missing, { password })) !== undefined) {
      onConfirmed();
    }
  }

  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      isBusy={isBusy}
      errors={errors}
      onSubmit={() => void confirm()}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isBusy={isBusy} busyLabel="Confirming...">
            Confirm
          </Button>
        </>
      }
    >
      <Field label="Password" error={errors["password"]}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="current-password"
            value={password}
            onValue={(text) => {
              setPassword(text);
              submission.clear();
            }}
          />
        )}
      </Field>
      <ErrorLine>{error?.message}</ErrorLine>
    </Dialog>
  );
}

export function ConfirmIdentityDialog(props: ConfirmIdentityDialogProps) {
  const { data, error, refresh } = useConfirmWays();
  if (data === undefined) {
    return (
      <Dialog
        title={title}
        onClose={props.onClose}
        footer={<Button onClick={props.onClose}>Cancel</Button>}
      >
        {error === undefined ? (
          <Skeleton className="h-16" />
        ) : (
          <ErrorState title="This could not be loaded" error={error} onRetry={refresh} />
        )}
      </Dialog>
    );
  }
  return data.ways.length === 0 ? (
    <SignInAgain onClose={props.onClose} />
  ) : (
    <PasswordDialog {...props} />
  );
}

// Asks for a backup password for the account's own email: a second way to sign in, in addition to Discord or Google.
import { useState } from "react";
import { useProfile, useSession } from "./session.tsx";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { CancelButton } from "#web/ui/cancel-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { passwordHelp } from "./login-api.ts";
import { linkPassword } from "./account-api.ts";
import { passwordErrors } from "./password-errors.ts";

type NewPasswordProps = {
  readonly label: string;
  readonly name: string;
  readonly help?: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

function NewPassword({ label, help, error, ...input }: NewPasswordProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => <PasswordInput {...control} {...input} autoComplete="new-password" />}
    </Field>
  );
}

type BackupPasswordDialogProps = {
  /** The label of the button that closes the dialog. */
  readonly leave: "Skip for now" | "Cancel";
  readonly onClose: () => void;
};

export function BackupPasswordDialog({ leave, onClose }: BackupPasswordDialogProps) {
  const { email } = useProfile();
  const { signOut } = useSession();
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const submission = useSubmission(linkPassword);
  const { errors, error, isBusy } = submission;

  async function save(): Promise<void> {
    const wrong = passwordErrors(password, repeated);
    const linked = await submission.submit(wrong, { password });
    if (linked !== undefined) {
      showToast(`You can now sign in with ${linked} and your password`);
      onClose();
    }
  }

  return (
    <Dialog
      title="Set up a backup password"
      description={
        email === null
          ? "There is no email on your account, so it cannot have a password."
          : `With ${email} and this password you can sign in even if Discord or Google is down.`
      }
      onClose={onClose}
      isDirty={password !== "" || repeated !== ""}
      isBusy={isBusy}
      errors={errors}
      onSubmit={() => void save()}
      footer={
        <>
          <CancelButton isBusy={isBusy}>{leave}</CancelButton>
          <Button
            type="submit"
            variant="primary"
            isBusy={isBusy}
            busyLabel="Saving..."
            disabled={email === null}
          >
            Set password
          </Button>
        </>
      }
    >
      {/* Tells password managers whose password this is. */}
      <input type="email" autoComplete="username" value={email ?? ""} readOnly hidden />
      <NewPassword
        label="Password"
        name="new-password"
        help={passwordHelp}
        error={errors["password"]}
        value={password}
        onValue={(text) => {
          setPassword(text);
          submission.clear();
        }}
      />
      <NewPassword
        label="Confirm password"
        name="confirm-password"
        error={errors["repeated"]}
        value={repeated}
        onValue={(text) => {
          setRepeated(text);
          submission.clear();
        }}
      />
      <ErrorLine>{error?.message}</ErrorLine>
      {error?.code === "recent_sign_in_required" ? (
        <Button onClick={() => void signOut()}>Sign out and in again</Button>
      ) : null}
    </Dialog>
  );
}

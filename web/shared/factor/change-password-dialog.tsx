// Changes the password of the signed-in person: asks for the old one, and says how many devices it signed out.
import { useState } from "react";
import { useProfile } from "#web/shared/account/session.tsx";
import { passwordHelp } from "#web/shared/account/login-api.ts";
import { passwordErrors } from "#web/shared/account/password-errors.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { CancelButton } from "#web/ui/cancel-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { changePassword } from "./factor-api.ts";

const fields = [
  { name: "oldPassword", label: "Current password", autoComplete: "current-password" },
  { name: "password", label: "New password", autoComplete: "new-password", help: passwordHelp },
  { name: "repeated", label: "Confirm new password", autoComplete: "new-password" },
] as const;

type Draft = Readonly<Record<(typeof fields)[number]["name"], string>>;

function draftErrors({ oldPassword, password, repeated }: Draft): FieldErrors {
  return {
    ...(oldPassword === "" ? { oldPassword: "Enter your current password" } : {}),
    ...passwordErrors(password, repeated),
  };
}

function signedOutText(ended: number): string {
  return ended === 0
    ? "Password changed"
    : `Password changed. ${ended === 1 ? "One other device was" : `${ended} other devices were`} signed out`;
}

export function ChangePasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { email } = useProfile();
  const [draft, setDraft] = useState<Draft>({ oldPassword: "", password: "", repeated: "" });
  const submission = useSubmission(changePassword);
  const { errors, error, isBusy } = submission;

  async function save(): Promise<void> {
    const { oldPassword, password: newPassword } = draft;
    const ended = await submission.submit(draftErrors(draft), { oldPassword, newPassword });
    if (ended !== undefined) {
      showToast(signedOutText(ended));
      onClose();
    }
  }

  return (
    <Dialog
      title="Change your password"
      description="Every other device is signed out."
      onClose={onClose}
      isDirty={Object.values(draft).some((typed) => typed !== "")}
      isBusy={isBusy}
      errors={errors}
      onSubmit={() => void save()}
      footer={
        <>
          <CancelButton isBusy={isBusy} />
          <Button type="submit" variant="primary" isBusy={isBusy} busyLabel="Saving...">
            Change password
          </Button>
        </>
      }
    >
      {/* Tells password managers whose password this is. */}
      <input type="email" autoComplete="username" value={email ?? ""} readOnly hidden />
      {fields.map(({ name, label, autoComplete, ...rest }) => (
        <Field key={name} label={label} error={errors[name]} {...rest}>
          {(control) => (
            <PasswordInput
              {...control}
              name={name}
              autoComplete={autoComplete}
              value={draft[name]}
              onValue={(text) => {
                setDraft({ ...draft, [name]: text });
                submission.clear();
              }}
            />
          )}
        </Field>
      ))}
      <ErrorLine>{error?.message}</ErrorLine>
    </Dialog>
  );
}

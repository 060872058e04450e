// Invites a consignor: email and name. The account exists at once, and a letter makes it theirs.
import { useState } from "react";
import { inviteRequest } from "#features/users/contract-invitation.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import { invite } from "./invitation-api.ts";

type InviteFormProps = {
  /** Called with the new account. */
  readonly onInvited: (uid: string) => void;
  readonly onClose: () => void;
};

export function InviteForm({ onInvited, onClose }: InviteFormProps) {
  const [email, setEmail] = useState("");
  const [displayName, setDisplayName] = useState("");
  const submission = useSubmission(invite, { email_already_invited: "email" });

  async function save(): Promise<void> {
    const name = displayName.trim();
    const body = { email, ...(name === "" ? {} : { displayName: name }) };
    const invited = await submission.submit(errorsIn(inviteRequest, body), body);
    if (invited === undefined) {
      return;
    }
    if (invited.sent) {
      showToast(`The invitation is on its way to ${email.trim()}`);
    } else {
      showErrorToast(
        "The account was made, but the invitation could not be sent. Send it again from the overview.",
      );
    }
    onInvited(invited.uid);
  }

  return (
    <FormDialog
      title="Invite consignor"
      description="The account exists at once, so you can take in goods for it. The email has a link with which they choose a username and a password."
      onClose={onClose}
      isDirty={email !== "" || displayName !== ""}
      submission={submission}
      errorPrefix="Error inviting"
      saveLabel="Send invitation"
      busyLabel="Sending..."
      onSubmit={() => void save()}
    >
      <Field label="Email" error={submission.errors["email"]}>
        {(control) => (
          <TextInput
            {...control}
            type="email"
            autoComplete="off"
            spellCheck={false}
            value={email}
            onValue={(typed) => {
              setEmail(typed);
              submission.clear();
            }}
          />
        )}
      </Field>
      <TextField
        label="Name"
        isOptional
        error={submission.errors["displayName"]}
        value={displayName}
        onValue={(typed) => {
          setDisplayName(typed);
          submission.clear();
        }}
        into={inviteRequest.shape.displayName}
      />
    </FormDialog>
  );
}

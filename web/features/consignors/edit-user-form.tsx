// Edits a person's name, email, username and role, with a reason that stays in the history.
import { useState } from "react";
import { updateUserRequest, type UpdateUserRequest } from "#features/users/contract-people.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { updateUser } from "./consignors-api.ts";
import {
  changesOf,
  draftOf,
  emptiedFields,
  type EditedUser,
  type UserDraft,
} from "./user-draft.ts";

const roles = [
  { value: "user", label: "Consignor" },
  { value: "admin", label: "Admin" },
] as const;

type EditUserFormProps = { readonly user: EditedUser; readonly onClose: () => void };

function emailHelp({ email }: UpdateUserRequest, needsBoth: boolean): string | undefined {
  if (email === undefined) {
    return undefined;
  }
  return needsBoth
    ? "It changes once this address and the current one have agreed. Both get an email."
    : "They sign in again, with this email, and have to verify it. The current address gets an email.";
}

function roleHelp({ role }: UpdateUserRequest): string | undefined {
  if (role === undefined) {
    return undefined;
  }
  return role === "admin"
    ? "Admins see and change everything: money, people, inventory."
    : "They lose access to the admin screens right away.";
}

type UserFieldsProps = {
  readonly draft: UserDraft;
  readonly changes: UpdateUserRequest;
  /** Another admin's email changes only once both addresses have agreed. */
  readonly needsBoth: boolean;
  readonly errors: FieldErrors;
  readonly change: (next: Partial<UserDraft>) => void;
};

function UserFields({ draft, changes, needsBoth, errors, change }: UserFieldsProps) {
  return (
    <>
      <TextField
        label="Display name"
        isOptional
        error={errors["displayName"]}
        value={draft.displayName}
        onValue={(displayName) => change({ displayName })}
        into={updateUserRequest.shape.displayName}
      />
      <Field label="Email" error={errors["email"]} help={emailHelp(changes, needsBoth)}>
        {(control) => (
          <TextInput
            {...control}
            type="email"
            autoComplete="off"
            spellCheck={false}
            value={draft.email}
            onValue={(email) => change({ email })}
          />
        )}
      </Field>
      <Field label="Username" error={errors["username"]}>
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={draft.username}
            onValue={(username) => change({ username: username.toLowerCase() })}
          />
        )}
      </Field>
      <Field label="Role" error={errors["role"]} help={roleHelp(changes)}>
        {(control) => (
          <Select
            {...control}
            value={draft.role}
            choices={roles}
            onValue={(role) => change({ role })}
          />
        )}
      </Field>
      <TextField
        label="Reason"
        isOptional
        error={errors["reason"]}
        help="Why you change it. Stays in the audit log."
        value={draft.reason}
        onValue={(reason) => change({ reason })}
        into={updateUserRequest.shape.reason}
      />
    </>
  );
}

export function EditUserForm({ user, onClose }: EditUserFormProps) {
  const { state, reloadProfile } = useSession();
  const [start] = useState(() => draftOf(user));
  const [draft, setDraft] = useState(start);
  const submission = useSubmission(updateUser, {
    username_taken: "username",
    admin_name_taken: "displayName",
    email_already_in_use: "email",
    last_admin: "role",
  });
  const { errors } = submission;
  const isOwn = state.status === "signed-in" && state.profile.uid === user.uid;
  const changes = changesOf(user, draft);

  function change(next: Partial<UserDraft>): void {
    setDraft({ ...draft, ...next });
    submission.clear();
  }

  async function save(): Promise<void> {
    const wrong: FieldErrors = {
      ...errorsIn(updateUserRequest, changes),
      ...emptiedFields(user, draft),
    };
    const saved = await submission.submit(wrong, { uid: user.uid, body: changes });
    if (saved !== undefined) {
      if (isOwn) {
        await reloadProfile();
      }
      showToast(
        saved.emailWaits
          ? "User updated. The email changes once both addresses have agreed"
          : "User updated successfully",
      );
      onClose();
    }
  }

  return (
    <FormDialog
      title={`Edit ${user.name}`}
      onClose={onClose}
      isDirty={draft !== start}
      submission={submission}
      errorPrefix="Failed to update user"
      canSave={Object.keys(changes).some((field) => field !== "reason")}
      onSubmit={() => void save()}
    >
      <UserFields
        draft={draft}
        changes={changes}
        needsBoth={user.role === "admin" && !isOwn}
        errors={errors}
        change={change}
      />
    </FormDialog>
  );
}

// The form fields about a person as an admin types them, and the differences that are sent.
import { messages } from "#features/users/contract-names.ts";
import type { ListedUser, UpdateUserRequest } from "#features/users/contract-people.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";

/** The facts that the form needs. Both the list and the drawer have them. */
export type EditedUser = Pick<
  ListedUser,
  "uid" | "name" | "displayName" | "email" | "username" | "role"
>;

export type UserDraft = {
  readonly displayName: string;
  readonly email: string;
  readonly username: string;
  readonly role: ListedUser["role"];
  readonly reason: string;
};

export function draftOf({ displayName, email, username, role }: EditedUser): UserDraft {
  return {
    displayName: displayName ?? "",
    email: email ?? "",
    username: username ?? "",
    role,
    reason: "",
  };
}

/** An email and a username cannot be removed. */
export function emptiedFields(user: EditedUser, draft: UserDraft): FieldErrors {
  const isEmptied = (field: "email" | "username") =>
    draft[field].trim() === "" && draftOf(user)[field] !== "";
  return {
    ...(isEmptied("email") ? { email: messages.invalidEmail } : {}),
    ...(isEmptied("username") ? { username: messages.usernameShape } : {}),
  };
}

/** Sends only what differs. An emptied name is removed. */
export function changesOf(user: EditedUser, draft: UserDraft): UpdateUserRequest {
  const before = draftOf(user);
  const { displayName, email, username, role } = draft;
  const reason = draft.reason.trim();
  const changes: UpdateUserRequest = {
    ...(displayName.trim() === before.displayName
      ? {}
      : { displayName: displayName.trim() || null }),
    ...(email.trim() === before.email ? {} : { email }),
    ...(username.trim() === before.username ? {} : { username }),
    ...(role === before.role ? {} : { role }),
  };
  return reason === "" ? changes : { ...changes, reason };
}

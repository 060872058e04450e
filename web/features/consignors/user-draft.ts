// What an admin types about a person, and of it what is sent: the differences.
import type { ListedUser, UpdateUserRequest } from "#features/users/contract.ts";

/** The facts that the form needs; what the list and the drawer both have. */
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

/** Only what differs is sent; an emptied e-mail or username is none that could be kept. */
export function changesOf(user: EditedUser, draft: UserDraft): UpdateUserRequest {
  const before = draftOf(user);
  const { displayName, email, username, role } = draft;
  const reason = draft.reason.trim();
  const changes: UpdateUserRequest = {
    ...(displayName.trim() === before.displayName ? {} : { displayName: displayName.trim() }),
    ...(email.trim() === before.email ? {} : { email }),
    ...(username.trim() === before.username ? {} : { username }),
    ...(role === before.role ? {} : { role }),
  };
  return reason === "" ? changes : { ...changes, reason };
}

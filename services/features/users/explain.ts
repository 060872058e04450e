// How changes of a user read to admins. Names and addresses are not in the log: the history provides them.
import type { ChangedText, ChangeWords, FeatureExplanations } from "#features/histories.ts";
import type { userEvents } from "#features/users/events.ts";

type TextChange = { readonly changeId: string | null; readonly noteId: string | null };

const roleNames = { user: "Consignor", admin: "Admin" } as const;

function shown(text: string | null): string {
  return text === null || text === "" ? "none" : text;
}

/** "Email: old@x to new@x", if the texts are still kept. */
function sentenceOf(what: string, isErased: boolean, { before, after }: ChangedText): string {
  if (isErased) {
    return `${what} changed (erased)`;
  }
  if (before === null) {
    // Both are null if a text from before the log was erased.
    return after === null ? `${what} recorded` : `${what} set: ${after}`;
  }
  return `${what}: ${shown(before)} to ${shown(after)}`;
}

function textChange(what: string) {
  return ({ changeId, noteId }: TextChange, text: ChangedText): ChangeWords => {
    const isErased = changeId !== null && !text.isKept;
    const { before, after } = text;
    return { description: sentenceOf(what, isErased, text), before, after, isErased, noteId };
  };
}

export const userExplanations: FeatureExplanations<typeof userEvents> = {
  UserRoleChanged: {
    consignor: null,
    item: null,
    user: {
      kind: "role",
      read: ({ before, after, noteId }) => ({
        description: `Role: ${roleNames[before]} to ${roleNames[after]}`,
        before,
        after,
        isErased: false,
        noteId,
      }),
    },
  },
  UsernameChanged: {
    consignor: null,
    item: null,
    user: { kind: "username", read: textChange("Username") },
  },
  UserEmailChanged: {
    consignor: null,
    item: null,
    user: { kind: "email", read: textChange("Email") },
  },
  UserRenamed: {
    consignor: null,
    item: null,
    user: { kind: "display-name", read: textChange("Name") },
  },
  UserDeactivated: {
    consignor: null,
    item: null,
    user: {
      kind: "deleted",
      read: ({ noteId }) => ({
        description: "Deleted",
        before: null,
        after: null,
        isErased: false,
        noteId,
      }),
    },
  },
};

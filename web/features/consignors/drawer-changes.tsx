// Who changed what about a person, and why.
import type { UserChange } from "#features/users/contract.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { useUserChanges } from "./consignors-api.ts";
import { DrawerLines } from "./drawer-lines.tsx";

const kindWords: Readonly<Record<UserChange["kind"], string>> = {
  role: "Role",
  username: "Username",
  email: "Email",
  "display-name": "Name",
  deleted: "Deleted",
  migrated: "Migrated from the old app",
};

const roleWords: Readonly<Record<string, string>> = { user: "Consignor", admin: "Admin" };

function changeText({ kind, before, after, erased }: UserChange): string {
  const words = kindWords[kind];
  if (kind === "deleted") {
    return words;
  }
  if (kind === "migrated") {
    return after === null ? words : `${words}: ${after}`;
  }
  if (erased) {
    return `${words} changed (erased)`;
  }
  if (before === null && after === null) {
    // What somebody had before changes were recorded, and what was erased since.
    return `${words} recorded`;
  }
  if (before === null) {
    return `${words} set: ${after}`;
  }
  const shown = (text: string | null): string =>
    text === null || text === "" ? "none" : (roleWords[text] ?? text);
  return `${words}: ${shown(before)} to ${shown(after)}`;
}

export function DrawerChanges({ uid }: { readonly uid: string }) {
  const changes = useUserChanges(uid);
  return (
    <DrawerLines
      label="Changes"
      read={changes}
      rowId={(change) => change.position}
      empty={{ icon: HistoryIcon, title: "Nothing was changed yet" }}
    >
      {(change) => (
        <span className="flex flex-col">
          <span className="wrap-anywhere">{changeText(change)}</span>
          <span className="text-12 text-muted">
            <DateTime at={change.happenedAt} /> by {change.actor.displayName}
          </span>
          {change.note === null ? null : (
            <span className="text-12 wrap-anywhere text-muted">{change.note}</span>
          )}
        </span>
      )}
    </DrawerLines>
  );
}

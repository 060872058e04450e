// Who changed what about a person, and why.
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { useUserChanges } from "./consignors-api.ts";
import { DrawerLines } from "./drawer-lines.tsx";

export function DrawerChanges({ uid }: { readonly uid: string }) {
  const changes = useUserChanges(uid);
  return (
    <DrawerLines
      label="Changes"
      read={changes}
      rowId={(change) => change.position}
      empty={{ icon: HistoryIcon, title: "No changes yet" }}
    >
      {(change) => (
        <span className="flex flex-col">
          <span className="wrap-anywhere">{withIsolatedNames(change.description)}</span>
          <span className="text-12 text-muted">
            <DateTime at={change.happenedAt} />{" "}
            {withIsolatedNames(`by ${change.actor.displayName}`)}
          </span>
          {change.note === null ? null : (
            <span className="text-12 wrap-anywhere text-muted">{change.note}</span>
          )}
        </span>
      )}
    </DrawerLines>
  );
}

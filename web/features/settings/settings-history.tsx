// Who changed a section's settings, when, and what was before.
import { useState } from "react";
import type { SettingsChange } from "#features/settings/contract.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { ChangedValue } from "./changed-value.tsx";
import type { Section } from "./settings-draft.ts";

type SettingsHistoryProps = {
  /** Undefined while they are being read. */
  readonly changes: readonly SettingsChange[] | undefined;
  readonly sections: readonly Section[];
};

/** So many are shown at first. */
const FEW = 4;

export function SettingsHistory({ changes, sections }: SettingsHistoryProps) {
  const [isWhole, setWhole] = useState(false);
  const own = changes?.filter(({ section }) => section !== "other" && sections.includes(section));
  return (
    <div className="flex min-w-0 flex-col gap-2 text-12 lg:border-s lg:border-border lg:ps-6">
      <h3 className="text-14 font-medium">History</h3>
      {own === undefined ? (
        <Skeleton className="h-12 w-full" />
      ) : own.length === 0 ? (
        <p className="text-muted">Nothing was changed yet.</p>
      ) : (
        <ol aria-label="History" className="flex flex-col gap-3">
          {(isWhole ? own : own.slice(0, FEW)).map((change) => (
            <li key={change.position} className="flex flex-col gap-0.5">
              <span className="text-muted">
                <DateTime at={change.happenedAt} />{" "}
                {withIsolatedNames(`by ${change.actor.displayName}`)}
              </span>
              {change.lines.map((line) => (
                <ChangedValue key={line.what} change={line} />
              ))}
            </li>
          ))}
        </ol>
      )}
      {own === undefined || own.length <= FEW || isWhole ? null : (
        <span>
          <TextButton onClick={() => setWhole(true)}>{`Show all ${own.length} changes`}</TextButton>
        </span>
      )}
    </div>
  );
}

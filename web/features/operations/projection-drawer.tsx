// One projection: its tables, its rebuild with progress and differences, and what an operator can do.
import type { ProjectionStatus, RebuildStatus } from "#features/operations/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { Differences } from "./differences.tsx";
import { lagText } from "./lag-text.ts";
import type { TableAct } from "./operations-api.ts";
import { OrdersPart } from "./orders-part.tsx";
import { rebuildText } from "./rebuild-text.ts";
import { useReason } from "./reason-dialog.tsx";

type ProjectionDrawerProps = {
  readonly projection: ProjectionStatus;
  readonly head: number;
  readonly onClose: () => void;
};

const stateNames = {
  building: "being filled",
  ready: "ready, not shown",
  live: "shown",
  previous: "shown before",
} as const;

function stateText(
  { state, rebuild }: ProjectionStatus,
  shown: ProjectionStatus["generations"][number],
): string {
  if (shown.state === "building" && rebuild?.wanted === "paused") {
    return "paused";
  }
  return shown.state === "live" && state === "filling"
    ? "shown, being filled"
    : stateNames[shown.state];
}

type Choice = { readonly act: TableAct; readonly label: string };

/** What can be done now; the last one is the next step. */
function choicesFor({ rebuild, canTakeBack }: ProjectionStatus): readonly Choice[] {
  if (rebuild === null) {
    const back: readonly Choice[] = canTakeBack ? [{ act: "take-back", label: "Switch back" }] : [];
    return [...back, { act: "rebuild", label: "Rebuild" }];
  }
  if (rebuild.wanted !== "built" && rebuild.wanted !== "paused") {
    // An act on the rebuild is under way, or failed: then it can be started again.
    return rebuild.phase === "failed" ? [{ act: "rebuild", label: "Rebuild" }] : [];
  }
  const cancel: Choice = { act: "cancel", label: "Cancel rebuild" };
  if (rebuild.phase === "failed" || rebuild.wanted === "paused") {
    return [cancel, { act: "resume", label: "Resume" }];
  }
  return rebuild.phase === "ready"
    ? [cancel, { act: "flip", label: "Switch to the new tables" }]
    : [cancel, { act: "pause", label: "Pause" }];
}

export function ProjectionDrawer({ projection, head, onClose }: ProjectionDrawerProps) {
  const { ask, dialog } = useReason();
  const { name, generations, rebuild, missing } = projection;
  const choices = choicesFor(projection);
  const hidden: Partial<Record<TableAct, number>> = {
    flip: rebuild?.newlyHeld ?? 0,
    "take-back": projection.olderNewlyHeld,
  };
  return (
    <Drawer
      title={name}
      subtitle={`Version ${projection.version}`}
      onClose={onClose}
      footer={
        choices.length === 0 ? undefined : (
          <div className="flex justify-end gap-2 max-sm:*:grow">
            {choices.map(({ act, label }, index) => (
              <Button
                key={act}
                variant={index === choices.length - 1 ? "primary" : "secondary"}
                onClick={() =>
                  ask({ kind: "table", act, projection: name, hides: hidden[act] ?? 0 })
                }
              >
                {label}
              </Button>
            ))}
          </div>
        )
      }
    >
      <div className="flex flex-col gap-6">
        {missing.length === 0 ? null : (
          <ErrorLine>{`${missing.join(". ")}. A rebuild makes new tables.`}</ErrorLine>
        )}
        {rebuild === null ? null : <Rebuild rebuild={rebuild} head={head} />}
        <div className="flex flex-col gap-2">
          <h3 className="font-medium">Tables</h3>
          <SmallTable
            label={`Tables of ${name}`}
            columns={[
              { label: "Tables" },
              { label: "State" },
              { label: "Version", align: "end" },
              { label: "Position", align: "end" },
              { label: "Behind", align: "end" },
            ]}
          >
            {generations.toReversed().map((one) => (
              <tr key={one.generation} className="h-9 border-b border-border last:border-b-0">
                <td>{one.generation}</td>
                <td>{stateText(projection, one)}</td>
                <td className="text-end tabular-nums">{one.version}</td>
                <td className="text-end tabular-nums">{formatCount(one.position)}</td>
                <td className="text-end tabular-nums">{lagText(one.lagSeconds)}</td>
              </tr>
            ))}
          </SmallTable>
        </div>
        <OrdersPart projection={name} />
      </div>
      {dialog}
    </Drawer>
  );
}

function Rebuild({ rebuild, head }: { readonly rebuild: RebuildStatus; readonly head: number }) {
  const { position, eventsPerSecond, phase, newlyHeld } = rebuild;
  const done = head === 0 ? 1 : Math.min(1, (position ?? 0) / head);
  const percent = Math.floor(done * 100);
  return (
    <section aria-label="Rebuild" className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-medium">Rebuild</h3>
        <span className="text-muted">{rebuildText(rebuild)}</span>
      </div>
      <progress
        aria-label="Events in the new tables"
        className="h-2 w-full appearance-none overflow-hidden rounded-pill bg-fill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-accent"
        max={100}
        value={percent}
      />
      <ErrorLine>{rebuild.error ?? undefined}</ErrorLine>
      {newlyHeld === 0 ? null : (
        <ErrorLine>
          {`The new tables hold back ${formatCount(newlyHeld)} rows that are shown now. After a switch they would be missing.`}
        </ErrorLine>
      )}
      <FactList
        facts={[
          {
            label: "Events",
            value: `${formatCount(position ?? 0)} of ${formatCount(head)} (${percent}%)`,
          },
          ...(eventsPerSecond === null || phase !== "filling"
            ? []
            : [{ label: "Speed", value: `${formatCount(eventsPerSecond)} events a second` }]),
          { label: "Started", value: <DateTime at={rebuild.startedAt} /> },
        ]}
      />
      {phase === "ready" && rebuild.error === null ? (
        <Differences differences={rebuild.differences} />
      ) : null}
    </section>
  );
}

// The rows that could not be computed: why, since which event, and the button that computes one again.
import { CircleCheck } from "lucide-react";
import type { HeldKeyStatus } from "#features/operations/contract.ts";
import { Button } from "#web/ui/button.tsx";
import { CutCode } from "#web/ui/cut-code.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useHeld, type OperatorRequest } from "./operations-api.ts";
import { EventLink } from "./event-link.tsx";
import { heldText } from "./held-text.ts";
import { Section } from "./section.tsx";
import { useReason } from "./reason-dialog.tsx";

function columnsFor(ask: (request: OperatorRequest) => void): readonly Column<HeldKeyStatus>[] {
  return [
    {
      id: "key",
      header: "Row",
      card: "title",
      cell: ({ projection, key, state }) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <CutCode>{key}</CutCode>
          <span className="text-12 text-muted">
            {state === "live" ? projection : `${projection}, tables that are not shown`}
          </span>
        </span>
      ),
    },
    {
      id: "event",
      header: "Since event",
      align: "end",
      card: "pair",
      cell: ({ atPosition }) => <EventLink position={atPosition} />,
    },
    {
      id: "error",
      header: "Error",
      card: "line",
      cell: ({ error }) => <span className="wrap-anywhere whitespace-normal">{error}</span>,
    },
    {
      id: "since",
      header: "Held for",
      card: "end-line",
      cell: ({ heldSince }) => <DateTime at={heldSince} show="age" />,
    },
    {
      id: "replay",
      header: "Replay",
      isHeaderHidden: true,
      align: "end",
      card: "foot",
      cell: ({ projection, key, isAsked }) => (
        <Button
          isBusy={isAsked}
          busyLabel="Replaying..."
          onClick={() => ask({ kind: "fold-again", projection, key })}
        >
          Replay this row
        </Button>
      ),
    },
  ];
}

export function HeldSection() {
  const { ask, dialog } = useReason();
  const { data, error, refresh } = useHeld();
  const projections = [...new Set(data?.keys.map(({ projection }) => projection))];
  const isLong = (data?.keys.length ?? 0) > 1;
  return (
    <Section
      id="held"
      title="Held rows"
      description="Rows whose events could not be applied. Everything else goes on. Fix the cause first, then replay them."
      actions={
        isLong ? (
          <div className="flex flex-wrap gap-2">
            {projections.map((projection) => (
              <Button
                key={projection}
                onClick={() => ask({ kind: "fold-again", projection, key: undefined })}
              >{`Replay all of ${projection}`}</Button>
            ))}
          </div>
        ) : undefined
      }
    >
      <DataTable
        label="Held rows"
        columns={columnsFor(ask)}
        rows={data?.keys}
        rowId={({ projection, key, state }) => `${projection} ${state} ${key}`}
        error={error}
        errorTitle="The held rows could not be loaded"
        onRetry={refresh}
        countText={data && heldText(data)}
        empty={<EmptyState icon={CircleCheck} title="No row is held back" />}
      />
      {dialog}
    </Section>
  );
}

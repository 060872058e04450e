// What operators did: who, when and why, newest first.
import { ScrollText } from "lucide-react";
import type { OperatorAct } from "#features/operations/contract.ts";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { EventLink } from "./event-link.tsx";
import { useActions } from "./operations-api.ts";
import { Section } from "./section.tsx";

const columns: readonly Column<OperatorAct>[] = [
  {
    id: "text",
    header: "Action",
    card: "title",
    cell: ({ text, outcome }) => (
      <span className="wrap-anywhere whitespace-normal">
        {text}
        {outcome === null ? null : <span className="text-muted">{` · ${outcome}`}</span>}
      </span>
    ),
  },
  {
    id: "why",
    header: "Reason",
    card: "line",
    cell: ({ why }) =>
      why === null ? (
        <Unknown reason="the reason was erased" />
      ) : (
        <span className="wrap-anywhere whitespace-normal">{why}</span>
      ),
  },
  { id: "who", header: "By", card: "pair", cell: ({ actor }) => actor.displayName },
  {
    id: "event",
    header: "Event",
    align: "end",
    card: "none",
    cell: ({ position }) => <EventLink position={position} />,
  },
  { id: "at", header: "When", card: "end-line", cell: ({ at }) => <DateTime at={at} /> },
];

export function ActionsSection() {
  const read = useActions();
  return (
    <Section
      id="actions"
      title="Operators' log"
      description="Every action on this screen and of the scripts is an event in the ledger."
    >
      <DataTable
        label="Operators' log"
        columns={columns}
        rows={read.rows}
        rowId={({ position }) => String(position)}
        error={read.error}
        errorTitle="The operators' log could not be loaded"
        onRetry={read.refresh}
        more={read}
        empty={<EmptyState icon={ScrollText} title="No operator actions yet" />}
      />
    </Section>
  );
}

// The processes that run and what each does, the log's head inside and outside of the database, and sizes.
import { OctagonAlert } from "lucide-react";
import type { RunningProcess, SystemResponse } from "#features/operations/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { Chip } from "#web/ui/chip.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { bytesText } from "./lag-text.ts";
import { useSystem } from "./operations-api.ts";
import { Section } from "./section.tsx";

const columns: readonly Column<RunningProcess>[] = [
  {
    id: "name",
    header: "Process",
    card: "title",
    cell: ({ name, host, pid }) => (
      <span>
        {name} <span className="text-muted">{`${pid} on ${host}`}</span>
      </span>
    ),
  },
  {
    id: "state",
    header: "State",
    card: "amount",
    cell: ({ isAlive }) =>
      isAlive ? <Chip kind="done">Alive</Chip> : <Chip kind="danger">Silent</Chip>,
  },
  {
    id: "doing",
    header: "What it does",
    card: "line",
    cell: ({ doing }) => (
      <span className="whitespace-normal">
        {doing.length === 0 ? "Starting" : doing.join(". ")}
      </span>
    ),
  },
  {
    id: "seen",
    header: "Last seen",
    card: "pair",
    cell: ({ seenAt }) => <DateTime at={seenAt} />,
  },
  {
    id: "started",
    header: "Started",
    card: "none",
    cell: ({ startedAt }) => <DateTime at={startedAt} />,
  },
];

function sizeOf(tables: SystemResponse["tables"], kind: "log" | "read" | "other"): number {
  return tables.filter((table) => table.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
}

function factsOf({ head, publishedHead, tables }: SystemResponse) {
  const [largest] = tables;
  return [
    {
      label: "Chain head",
      value:
        head.hash === null ? (
          <Unknown reason="no events yet" />
        ) : (
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-mono text-12 break-all">{`${head.position}:${head.hash}`}</span>
            <CopyButton label="Copy the chain head" text={`${head.position}:${head.hash}`} />
          </span>
        ),
    },
    {
      label: "Last published",
      value:
        publishedHead === null ? (
          <Unknown reason="no running process published a head" />
        ) : (
          <span>
            {`Position ${formatCount(publishedHead.position)}, `}
            <DateTime at={publishedHead.at} />
          </span>
        ),
    },
    { label: "Log", value: bytesText(sizeOf(tables, "log")) },
    { label: "Read tables", value: bytesText(sizeOf(tables, "read")) },
    { label: "Everything else", value: bytesText(sizeOf(tables, "other")) },
    ...(largest === undefined
      ? []
      : [{ label: "Largest table", value: `${largest.name}, ${bytesText(largest.bytes)}` }]),
  ];
}

export function SystemSection() {
  const { data, error, refresh } = useSystem();
  return (
    <Section id="system" title="Processes and storage">
      <DataTable
        label="Processes"
        columns={columns}
        rows={data?.processes}
        rowId={({ id }) => id}
        error={error}
        errorTitle="The processes could not be loaded"
        onRetry={refresh}
        empty={<EmptyState icon={OctagonAlert} title="No process has reported" />}
      />
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-36 w-full" />
        ) : null
      ) : (
        <FactList facts={factsOf(data)} />
      )}
    </Section>
  );
}

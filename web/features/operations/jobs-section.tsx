// The job queues: how many jobs wait, run and failed, and what to do about each failed one.
import { CircleCheck } from "lucide-react";
import type { FailedJob } from "#features/operations/contract.ts";
import { formatCount, formatQuantity, formatTimes } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { useJobs, type OperatorRequest } from "./operations-api.ts";
import { Section } from "./section.tsx";
import { useReason } from "./reason-dialog.tsx";

function columnsFor(ask: (request: OperatorRequest) => void): readonly Column<FailedJob>[] {
  const askAbout = (act: "retry" | "drop", { queue, id }: FailedJob): void =>
    ask({ kind: "job", act, queue, id });
  return [
    { id: "queue", header: "Queue", card: "title", cell: ({ queue }) => queue },
    {
      id: "reason",
      header: "Reason",
      card: "line",
      cell: ({ reason }) => <span className="wrap-anywhere whitespace-normal">{reason}</span>,
    },
    {
      id: "tries",
      header: "Tried",
      card: "pair",
      cell: ({ tries }) => formatTimes(tries),
    },
    {
      id: "failed",
      header: "Failed",
      card: "end-line",
      cell: ({ failedAt }) => <DateTime at={failedAt} />,
    },
    {
      id: "acts",
      header: "Actions",
      isHeaderHidden: true,
      align: "end",
      card: "foot",
      cell: (job) => (
        <span className="flex justify-end gap-2">
          <Button onClick={() => askAbout("drop", job)}>Drop job</Button>
          <Button onClick={() => askAbout("retry", job)}>Retry job</Button>
        </span>
      ),
    },
  ];
}

export function JobsSection() {
  const { ask, dialog } = useReason();
  const { data, error, refresh } = useJobs();
  return (
    <Section
      id="jobs"
      title="Jobs"
      description="Work that happens by itself: emails, deadlines, wake-ups."
    >
      {data === undefined || data.queues.length === 0 ? null : (
        <SmallTable
          label="Queues"
          columns={[
            { label: "Queue" },
            { label: "Waiting", align: "end" },
            { label: "Running", align: "end" },
            { label: "Failed", align: "end" },
          ]}
        >
          {data.queues.map(({ name, waiting, active, failed }) => (
            <tr key={name} className="h-8 border-b border-border last:border-b-0">
              <td>{name}</td>
              <td className="text-end tabular-nums">{formatCount(waiting)}</td>
              <td className="text-end tabular-nums">{formatCount(active)}</td>
              <td className="text-end tabular-nums">{formatCount(failed)}</td>
            </tr>
          ))}
        </SmallTable>
      )}
      <DataTable
        label="Failed jobs"
        columns={columnsFor(ask)}
        rows={data?.failed}
        rowId={({ id }) => id}
        error={error}
        errorTitle="The jobs could not be loaded"
        onRetry={refresh}
        countText={
          data === undefined || data.failed.length === 0
            ? undefined
            : formatQuantity(data.failed.length, "failed job")
        }
        empty={<EmptyState icon={CircleCheck} title="No job failed" />}
      />
      {dialog}
    </Section>
  );
}

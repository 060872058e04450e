// The proof of the books and its alerts: when it last ended, what is wrong, who has seen it, and what was resolved.
import { CircleCheck } from "lucide-react";
import {
  alertDoneResponse,
  alertsResponse,
  type AlertDoneResponse,
  type AlertsResponse,
  type AlertView,
} from "#features/alerts/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";
import { BooksLine } from "#web/shared/proof/books-line.tsx";
import { runProof, useProof } from "#web/shared/proof/proof-api.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { showToast } from "#web/ui/toast.ts";
import { Section } from "./section.tsx";

function useAlerts(): Read<AlertsResponse> {
  return useRead("/alerts", alertsResponse);
}

async function acknowledge(alertKey: string, key: string): Promise<AlertDoneResponse> {
  return await send({
    method: "POST",
    path: "/alerts/acknowledge",
    body: { key: alertKey },
    answer: alertDoneResponse,
    key,
  });
}

function State({ resolvedAt, acknowledgedBy }: AlertView) {
  if (resolvedAt !== null) {
    return <Chip kind="done">Resolved</Chip>;
  }
  return acknowledgedBy === null ? (
    <Chip kind="danger">Open</Chip>
  ) : (
    <Chip kind="pending">{`Seen by ${acknowledgedBy}`}</Chip>
  );
}

function Acknowledge({ alertKey }: { readonly alertKey: string }) {
  const action = useAction(acknowledge);
  async function run(): Promise<void> {
    const answer = await action.run(alertKey);
    if (answer !== undefined) {
      showToast(answer.message);
    }
  }
  return (
    <>
      <Button isBusy={action.isBusy} busyLabel="Acknowledging..." onClick={() => void run()}>
        Acknowledge
      </Button>
      <ErrorLine>{action.error?.message}</ErrorLine>
    </>
  );
}

const columns: readonly Column<AlertView>[] = [
  {
    id: "what",
    header: "Alert",
    card: "title",
    cell: ({ description, advice, resolvedAt }) => (
      <span className="flex flex-col gap-1 whitespace-normal">
        <span className="wrap-anywhere">{description}</span>
        {resolvedAt === null ? (
          <span className="text-12 wrap-anywhere text-muted">{advice}</span>
        ) : null}
      </span>
    ),
  },
  { id: "state", header: "State", card: "line", cell: (alert) => <State {...alert} /> },
  {
    id: "raised",
    header: "Raised",
    card: "end-line",
    cell: ({ raisedAt }) => <DateTime at={raisedAt} />,
  },
  {
    id: "acknowledge",
    header: "Acknowledge",
    isHeaderHidden: true,
    align: "end",
    card: "foot",
    cell: ({ key, acknowledgedBy, resolvedAt }) =>
      acknowledgedBy === null && resolvedAt === null ? <Acknowledge alertKey={key} /> : null,
  },
];

function ProveNow() {
  const { data } = useProof();
  const action = useAction(runProof);
  async function run(): Promise<void> {
    const answer = await action.run(undefined);
    if (answer !== undefined) {
      showToast(answer.message);
    }
  }
  return (
    <span className="flex flex-col gap-1">
      <Button
        isBusy={action.isBusy || data?.isAsked === true}
        busyLabel="Proving..."
        onClick={() => void run()}
      >
        Prove the books now
      </Button>
      <ErrorLine>{action.error?.message}</ErrorLine>
    </span>
  );
}

export function AlertsSection() {
  const { data, error, refresh } = useAlerts();
  const accounts = useProof().data?.accounts;
  return (
    <Section
      id="alerts"
      title="Proof and alerts"
      description={
        accounts === null || accounts === undefined
          ? "The server checks every minute that balances add up, and every night that all books do."
          : `The server checks every minute that balances add up (${formatQuantity(accounts.count, "account")} at the last check), and every night that all books do.`
      }
      actions={<ProveNow />}
    >
      <BooksLine />
      <DataTable
        label="Alerts"
        columns={columns}
        rows={data === undefined ? undefined : [...data.open, ...data.resolved]}
        rowId={({ key, raisedAt, resolvedAt }) => `${key} ${raisedAt} ${resolvedAt ?? ""}`}
        error={error}
        errorTitle="The alerts could not be loaded"
        onRetry={refresh}
        empty={<EmptyState icon={CircleCheck} title="No alerts" />}
      />
    </Section>
  );
}

// The outbox of notifications: what waits on each channel, and what fails, was given up, or may have arrived twice.
import { CircleCheck } from "lucide-react";
import type { TroubledNotification } from "#features/notifications/contract-outbox.ts";
import { formatCount, formatQuantity, formatTimes } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip, type ChipKind } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { useOutbox, type OperatorRequest } from "./operations-api.ts";
import { Section } from "./section.tsx";
import { useReason } from "./reason-dialog.tsx";

const channelNames = { discord: "Discord", email: "Email" } as const;

const states: Readonly<
  Record<TroubledNotification["state"], { readonly kind: ChipKind; readonly label: string }>
> = {
  failing: { kind: "pending", label: "Tried again" },
  uncertain: { kind: "pending", label: "May have arrived" },
  doubled: { kind: "neutral", label: "Maybe twice" },
  "given-up": { kind: "danger", label: "Given up" },
};

function columnsFor(
  ask: (request: OperatorRequest) => void,
): readonly Column<TroubledNotification>[] {
  const askAbout = (act: "retry" | "drop", { id }: TroubledNotification): void =>
    ask({ kind: "job", act, queue: "notifications", id });
  return [
    { id: "what", header: "Notification", card: "title", cell: ({ what }) => what },
    {
      id: "to",
      header: "To",
      card: "line",
      cell: ({ name, channel }) => `${name}, ${channelNames[channel]}`,
    },
    {
      id: "state",
      header: "State",
      card: "chip",
      cell: ({ state }) => <Chip kind={states[state].kind}>{states[state].label}</Chip>,
    },
    {
      id: "reason",
      header: "Reason",
      card: "pair",
      cell: ({ reason }) => <span className="wrap-anywhere whitespace-normal">{reason}</span>,
    },
    { id: "tries", header: "Tried", card: "pair", cell: ({ tries }) => formatTimes(tries) },
    {
      id: "next",
      header: "Next",
      card: "end-line",
      cell: ({ nextAt }) => (nextAt === null ? "Not again" : <DateTime at={nextAt} />),
    },
    {
      id: "acts",
      header: "Actions",
      isHeaderHidden: true,
      align: "end",
      card: "foot",
      cell: (row) => (
        <span className="flex justify-end gap-2">
          <Button onClick={() => askAbout("drop", row)}>
            {row.state === "doubled" ? "Dismiss message" : "Drop message"}
          </Button>
          {row.state === "doubled" ? null : (
            <Button onClick={() => askAbout("retry", row)}>Send now</Button>
          )}
        </span>
      ),
    },
  ];
}

export function NotificationsSection() {
  const { ask, dialog } = useReason();
  const { data, error, refresh } = useOutbox();
  return (
    <Section
      id="notifications"
      title="Messages to people"
      description="Notifications on Discord and by email. Each is sent at least once. What may have arrived twice is listed until somebody has seen it."
    >
      {data === undefined || data.channels.length === 0 ? null : (
        <div className="max-sm:[&_td]:px-1 max-sm:[&_th]:px-1">
          <SmallTable
            label="Channels"
            columns={[
              { label: "Channel" },
              { label: "Waiting", align: "end" },
              { label: "Failing", align: "end" },
              { label: "Uncertain", align: "end" },
              { label: "Given up", align: "end" },
            ]}
          >
            {data.channels.map((row) => (
              <tr key={row.channel} className="h-8 border-b border-border last:border-b-0">
                <td>
                  <span className="flex flex-wrap items-center gap-x-3">
                    {channelNames[row.channel]}
                    {row.stopped !== null ? (
                      <Chip kind="danger">{row.stopped}</Chip>
                    ) : row.pausedUntil !== null ? (
                      <Chip kind="pending">Paused</Chip>
                    ) : row.isConfigured ? (
                      <span className="text-muted">Sends</span>
                    ) : (
                      <span className="text-muted">Not set up</span>
                    )}
                  </span>
                </td>
                <td className="text-end tabular-nums">
                  {formatCount(row.waiting)}
                  {row.waitingSince === null ? null : (
                    <span className="text-muted max-sm:hidden">
                      , since <DateTime at={row.waitingSince} />
                    </span>
                  )}
                </td>
                <td className="text-end tabular-nums">{formatCount(row.failing)}</td>
                <td className="text-end tabular-nums">{formatCount(row.uncertain)}</td>
                <td className="text-end tabular-nums">{formatCount(row.givenUp)}</td>
              </tr>
            ))}
          </SmallTable>
        </div>
      )}
      <DataTable
        label="Notifications to look at"
        columns={columnsFor(ask)}
        rows={data?.troubled}
        rowId={({ id }) => id}
        error={error}
        errorTitle="The notifications could not be loaded"
        onRetry={refresh}
        countText={
          data === undefined || data.troubled.length === 0
            ? undefined
            : formatQuantity(data.troubled.length, "notification")
        }
        empty={<EmptyState icon={CircleCheck} title="No notification fails" />}
      />
      {dialog}
    </Section>
  );
}

// The open payout holds: whose, why, since when, and the button that lifts one.
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import type { HoldsResponse } from "#features/holds/contract.ts";
import { useAllHolds } from "#web/shared/holds/holds-api.ts";
import { LiftHoldDialog } from "#web/shared/holds/lift-hold-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Section } from "./section.tsx";

type OpenHold = HoldsResponse["holds"][number];

function columnsFor(onLift: (hold: OpenHold) => void): readonly Column<OpenHold>[] {
  return [
    {
      id: "person",
      header: "Consignor",
      card: "title",
      cell: ({ consignorID, displayName }) =>
        consignorID === null ? "Everyone" : (displayName ?? consignorID),
    },
    {
      id: "why",
      header: "Reason",
      card: "line",
      cell: ({ description }) => (
        <span className="wrap-anywhere whitespace-normal">{description}</span>
      ),
    },
    {
      id: "since",
      header: "Held for",
      card: "end-line",
      cell: ({ since }) => <DateTime at={since} show="age" />,
    },
    {
      id: "lift",
      header: "Lift",
      isHeaderHidden: true,
      align: "end",
      card: "foot",
      cell: (hold) => <Button onClick={() => onLift(hold)}>Lift hold</Button>,
    },
  ];
}

export function HoldsSection() {
  const { data, error, refresh } = useAllHolds();
  const [lifting, setLifting] = useState<OpenHold>();
  return (
    <Section
      id="holds"
      title="Payout holds"
      description="Payout requests that wait because a row behind the balance is wrong or missing. Each hold ends by itself once the row is right."
    >
      <DataTable
        label="Payout holds"
        columns={columnsFor(setLifting)}
        rows={data?.holds}
        rowId={({ consignorID, reference }) => `${consignorID ?? ""} ${reference}`}
        error={error}
        errorTitle="The payout holds could not be loaded"
        onRetry={refresh}
        empty={<EmptyState icon={CircleCheck} title="No payouts are on hold" />}
      />
      {lifting === undefined ? null : (
        <LiftHoldDialog hold={lifting} onClose={() => setLifting(undefined)} />
      )}
    </Section>
  );
}

// Behind the drawing of the last 14 days: visitors and views of each day, and which screens were opened most.
import type { ReactNode } from "react";
import type { StatsResponse } from "#features/visits/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { shortDayText } from "#web/lib/store-day.ts";

type VisitsDialogProps = { readonly stats: StatsResponse; readonly onClose: () => void };

export function VisitsDialog({ stats, onClose }: VisitsDialogProps) {
  return (
    <Dialog
      title="Visits of the last 14 days"
      description="Without programs, and without people whose browser asks not to be tracked."
      isWide
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="grid items-start gap-x-8 gap-y-6 sm:grid-cols-2">
        <SmallTable
          label="Visits by day"
          columns={[
            { label: "Day" },
            { label: "Visitors", align: "end" },
            { label: "Views", align: "end" },
          ]}
        >
          {stats.days.toReversed().map(({ day, visitors, views }) => (
            <Row key={day} head={shortDayText(day)} numbers={[visitors, views]} />
          ))}
        </SmallTable>
        <SmallTable
          label="Screens opened most"
          columns={[{ label: "Screen" }, { label: "Views", align: "end" }]}
        >
          {stats.paths.map(({ path, views }) => (
            <Row key={path} head={<code className="break-all">{path}</code>} numbers={[views]} />
          ))}
        </SmallTable>
      </div>
    </Dialog>
  );
}

type RowProps = { readonly head: ReactNode; readonly numbers: readonly number[] };

function Row({ head, numbers }: RowProps) {
  return (
    <tr className="border-b border-border last:border-b-0">
      <th scope="row" className="h-8 text-start font-normal">
        {head}
      </th>
      {numbers.map((number, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the columns stay
        <td key={index} className="text-end tabular-nums">
          {formatCount(number)}
        </td>
      ))}
    </tr>
  );
}

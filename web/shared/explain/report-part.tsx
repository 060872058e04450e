// A number of a report as the sum of its lines: what was owed before, the kinds of lines, the lines, and whether it all adds up.
import { useState } from "react";
import type { ReportLine } from "#features/reports/contract.ts";
import { salePath } from "#web/paths.ts";
import { formatDay, formatMonth, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { useReportLines } from "./explain-api.ts";
import { amountText, sumSentence, type Unit } from "./explain-words.ts";
import type { ReportWhy } from "./report-why.ts";
import { reportNames } from "./report-words.ts";
import { SumCheck } from "./sum-check.tsx";
import { SumGroups } from "./sum-groups.tsx";
import { useLastKnown } from "./use-last-known.ts";

export function ReportPart({ asked }: { readonly asked: ReportWhy }) {
  const [kind, setKind] = useState(asked.kind);
  const explained = useReportLines({ ...asked, kind });
  const first = useLastKnown(explained.pages?.[0]);
  if (first === undefined) {
    return explained.error === undefined ? (
      <Skeleton className="h-60" />
    ) : (
      <ErrorState
        title="The explanation could not be loaded"
        error={explained.error}
        onRetry={explained.refresh}
      />
    );
  }
  const { unit, number, opening, groups, total, summed, isBalanced, lineCount } = first;
  const sum = amountText(summed, unit);
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={explained.freshness} />
      <div className="flex flex-col gap-1">
        <p className="text-24 font-semibold tabular-nums">{amountText(total, unit)}</p>
        <SumCheck
          isBalanced={isBalanced}
          sentence={
            opening === 0
              ? sumSentence(lineCount, sum)
              : `${amountText(opening, unit)} before and ${formatQuantity(lineCount, "entry", "entries")} sum to ${sum}.`
          }
          shown={amountText(total, unit)}
        />
      </div>
      <SumGroups
        unit={unit}
        before={{ label: "Owed before", amount: opening }}
        groups={groups}
        total={{ label: reportNames[number], amount: total }}
        chosen={kind}
        onChoose={setKind}
      />
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">
          {groups.find(({ id }) => id === kind)?.label ?? "All entries"}, newest first
        </h3>
        <Lines rows={explained.rows} unit={unit} isOfOne={asked.consignor !== undefined} />
        <LoadMore list={explained} className="self-start" />
      </section>
    </div>
  );
}

/** A late entry counts in another month than it happened in, or on another day of the same month. */
function LateChip({ bookedIn, bookedOn }: Pick<ReportLine, "bookedIn" | "bookedOn">) {
  if (bookedOn === null) {
    return null;
  }
  const at = new Date(`${bookedOn}T12:00:00`);
  return (
    <Chip kind="neutral">
      {bookedIn === null ? `Late: on ${formatDay(at)}` : `Late: in ${formatMonth(at)}`}
    </Chip>
  );
}

type LinesProps = {
  readonly rows: readonly ReportLine[] | undefined;
  readonly unit: Unit;
  /** All lines are of one consignor, so none names it. */
  readonly isOfOne: boolean;
};

function Lines({ rows, unit, isOfOne }: LinesProps) {
  if (rows === undefined) {
    return <Skeleton className="h-40" />;
  }
  return rows.length === 0 ? (
    <p className="text-muted">No entries.</p>
  ) : (
    <ul aria-label="Entries" className="divide-y divide-border rounded-card border border-border">
      {rows.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- one event may have several lines of one person
        <li key={`${line.position} ${index}`} className="flex flex-col gap-0.5 px-4 py-2">
          <span className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">{withIsolatedNames(line.description)}</span>
            <span className="whitespace-nowrap tabular-nums">
              {amountText(line.amount, unit, true)}
            </span>
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
            <DateTime at={line.happenedAt} />
            {isOfOne ? null : <span>{line.displayName ?? "The store"}</span>}
            <LateChip {...line} />
          </span>
          <span className="flex flex-wrap items-center gap-x-4 text-12">
            {line.saleID === null ? null : (
              <TextLink to={salePath(line.saleID, false)}>Open sale</TextLink>
            )}
            <TextLink to={auditPath({ position: line.position }, false)}>Event</TextLink>
          </span>
        </li>
      ))}
    </ul>
  );
}

// A number about a person as the sum of lines: opening, groups by kind, the lines, closing, and whether it all adds up.
import { useState } from "react";
import type { ExplainedLine, ExplainedNumber } from "#features/accounts/contract-explain.ts";
import { formatCount } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Chip } from "#web/ui/chip.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { LineDate } from "#web/shared/history/line-date.tsx";
import { useExplanation } from "./explain-api.ts";
import { amountText, kindNames, numberNames, sumSentence, type Unit } from "./explain-words.ts";
import { LineLinks } from "./line-links.tsx";
import { SumCheck } from "./sum-check.tsx";
import { SumGroups } from "./sum-groups.tsx";
import { useLastKnown } from "./use-last-known.ts";

type NumberPartProps = {
  readonly uid: string;
  readonly number: ExplainedNumber;
  readonly at: string | undefined;
};

export function NumberPart({ uid, number, at }: NumberPartProps) {
  const [kind, setKind] = useState<ExplainedLine["kind"]>();
  const explained = useExplanation({ uid, number, at, kind });
  const shown = useLastKnown(explained.pages?.[0]);
  if (shown === undefined) {
    return explained.error === undefined ? (
      <Loading />
    ) : (
      <ErrorState
        title="The explanation could not be loaded"
        thing="account"
        error={explained.error}
        onRetry={explained.refresh}
      />
    );
  }
  const { unit, isBalanced, summed, opening, groups, closing, lineCount, position } = shown;
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={explained.freshness} />
      <div className="flex flex-col gap-1">
        <p className="text-24 font-semibold tabular-nums">{amountText(closing, unit)}</p>
        <SumCheck
          isBalanced={isBalanced}
          sentence={sumSentence(lineCount, amountText(summed, unit))}
          shown={amountText(closing, unit)}
        />
        <p className="text-12 text-muted">{`At position ${formatCount(position)} of the ledger`}</p>
      </div>
      <SumGroups
        unit={unit}
        before={{ label: "Opening", amount: opening }}
        groups={groups.map((group) => ({
          ...group,
          id: group.kind,
          label: kindNames[group.kind],
        }))}
        total={{ label: numberNames[number], amount: closing }}
        chosen={kind}
        onChoose={setKind}
      />
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">
          {kind === undefined ? "All entries" : kindNames[kind]}, newest first
        </h3>
        <Lines uid={uid} unit={unit} rows={explained.rows} />
        <LoadMore list={explained} className="self-start" />
      </section>
    </div>
  );
}

function Loading() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton className="h-16" />
      <Skeleton className="h-40" />
      <Skeleton className="h-60" />
    </div>
  );
}

/** The entries are in the order of their recording, so an earlier day would seem out of order. */
function isOfAnotherDay({ happenedAt, recordedAt }: ExplainedLine): boolean {
  return new Date(happenedAt).toDateString() !== new Date(recordedAt).toDateString();
}

type LinesProps = {
  readonly uid: string;
  readonly unit: Unit;
  readonly rows: readonly ExplainedLine[] | undefined;
};

function Lines({ uid, unit, rows }: LinesProps) {
  if (rows === undefined) {
    return <Skeleton className="h-40" />;
  }
  return rows.length === 0 ? (
    <p className="text-muted">No entries.</p>
  ) : (
    <ul aria-label="Entries" className="divide-y divide-border rounded-card border border-border">
      {rows.map((line) => (
        <li key={`${line.position} ${line.line}`} className="flex flex-col gap-0.5 px-4 py-2">
          <span className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">{withIsolatedNames(line.description)}</span>
            <span className="tabular-nums whitespace-nowrap">
              {amountText(line.amount, unit, true)}
            </span>
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
            <LineDate line={{ ...line, isLate: isOfAnotherDay(line) }} />
            <Chip kind={line.chip.tone}>{line.chip.label}</Chip>
          </span>
          <span className="flex flex-wrap items-center gap-x-4 text-12">
            <LineLinks
              uid={uid}
              saleId={line.saleID}
              payoutId={line.payoutID}
              tradeId={line.tradeID}
              position={line.position}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

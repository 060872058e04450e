// What was known then and what is known differently now: the two balances, and the entries that make the difference.
import type { ReactNode } from "react";
import type { CompareResponse } from "#features/accounts/contract-as-of.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { SumCheck } from "#web/shared/explain/sum-check.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { Tile } from "#web/ui/tile.tsx";
import { useComparison, type DifferentLine } from "./past-api.ts";
import { useLineOpening } from "./line-opening.ts";
import { PastRibbon } from "./past-ribbon.tsx";

type ComparisonProps = {
  readonly uid: string;
  readonly at: string;
  /** Chooses between this and the other views. */
  readonly choice: ReactNode;
};

const columns: readonly Column<DifferentLine>[] = [
  {
    id: "effective",
    header: "Counts from",
    cell: (line) => <DateTime at={line.effectiveAt} />,
    width: "w-36",
    card: "line",
  },
  {
    id: "recorded",
    header: "Recorded",
    cell: (line) => <DateTime at={line.recordedAt} />,
    width: "w-36",
    card: "pair",
  },
  {
    id: "why",
    header: "Why",
    cell: (line) =>
      line.why === "late" ? (
        <Chip kind="pending">Recorded later</Chip>
      ) : (
        <Chip kind="correction">Counts later</Chip>
      ),
    width: "w-40",
    card: "chip",
  },
  {
    id: "description",
    header: "Description",
    cell: (line) => withIsolatedNames(line.description),
    isTruncated: true,
    width: "min-w-48",
    card: "title",
  },
  {
    id: "difference",
    header: "Difference",
    cell: (line) => <Money cents={toCents(line.difference)} isChange />,
    align: "end",
    width: "w-32",
    card: "amount",
  },
];

const lineId = (line: DifferentLine): string => String(line.line);

export function Comparison({ uid, at, choice }: ComparisonProps) {
  const compared = useComparison(uid, at);
  const opening = useLineOpening();
  const first = compared.pages?.[0];
  return (
    <>
      <PastRibbon at={first?.at} position={first?.position} view="compare" />
      <div className="grid grid-cols-[1fr_1fr_2fr] items-start gap-4 max-sm:grid-cols-2 max-sm:gap-2 max-sm:*:last:col-span-2">
        <Tile
          label="Recorded then"
          value={first === undefined ? undefined : <Balance of={first.recorded.balance} />}
          hint="What the ledger said"
        />
        <Tile
          label="Known now"
          value={first === undefined ? undefined : <Balance of={first.effective.balance} />}
          hint="What had happened by then"
        />
        {choice}
      </div>
      {first === undefined ? null : <Check compared={first} />}
      <HeldNotice freshness={compared.freshness} />
      <DataTable
        label="What is known differently now"
        columns={columns}
        rows={compared.rows}
        rowId={lineId}
        opening={opening}
        error={compared.error}
        errorTitle="The comparison could not be loaded"
        onRetry={compared.refresh}
        more={compared}
        empty={
          <EmptyState icon={HistoryIcon} title="Nothing is known differently now">
            All that had happened by then was recorded by then.
          </EmptyState>
        }
      />
      <FreshnessLine freshness={compared.freshness} isBelow />
    </>
  );
}

function Balance({ of }: { readonly of: number }) {
  return <Money cents={toCents(of)} isBalance />;
}

function Check({ compared }: { readonly compared: CompareResponse }) {
  const { recorded, effective, summed, isBalanced, lineCount } = compared;
  const sum = formatMoney(toCents(summed.balance));
  return (
    <SumCheck
      isBalanced={isBalanced}
      sentence={`${formatMoney(toCents(recorded.balance))} and ${formatQuantity(lineCount, "difference")} make ${sum}.`}
      shown={formatMoney(toCents(effective.balance))}
    />
  );
}

// An account as of a moment: its balance and entries by what was recorded or had happened by then, or the difference of both.
import type { ReactNode } from "react";
import { toCents } from "#ledger/money.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { Tile } from "#web/ui/tile.tsx";
import { useWhyPath } from "#web/shared/explain/why.ts";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import type { ViewBy } from "#features/accounts/contract-as-of.ts";
import { Comparison } from "./comparison.tsx";
import { lineColumns } from "./line-columns.tsx";
import { useLineOpening } from "./line-opening.ts";
import { viewIn } from "./moment.ts";
import { PastRibbon } from "./past-ribbon.tsx";
import { usePastHistory, type PastLine } from "./past-api.ts";

type PastHistoryProps = {
  readonly uid: string;
  /** A position, an instant or a day of the store. */
  readonly at: string;
};

export function PastHistory({ uid, at }: PastHistoryProps) {
  const [params, setParams] = useParams();
  const view = viewIn(params);
  return (
    <div className="flex flex-col gap-4">
      {view === "compare" ? (
        <Comparison uid={uid} at={at} choice={<ViewChoice view={view} onView={choose} />} />
      ) : (
        <Past uid={uid} at={at} by={view} choice={<ViewChoice view={view} onView={choose} />} />
      )}
    </div>
  );

  function choose(next: string): void {
    setParams({ by: next === "recorded" ? undefined : next });
  }
}

type ViewChoiceProps = {
  readonly view: ReturnType<typeof viewIn>;
  readonly onView: (view: string) => void;
};

function ViewChoice({ view, onView }: ViewChoiceProps) {
  return (
    <ChoiceGroup
      label="Show"
      value={view}
      onValue={onView}
      choices={[
        { value: "recorded", label: "Recorded" },
        { value: "effective", label: "Happened" },
        { value: "compare", label: "Difference" },
      ]}
    />
  );
}

type PastProps = PastHistoryProps & { readonly by: ViewBy; readonly choice: ReactNode };

const chipOf = (line: PastLine) => <Chip kind={line.chip.tone}>{line.chip.label}</Chip>;

const columnsBy = {
  recorded: lineColumns(chipOf),
  effective: lineColumns(chipOf, true),
} as const;

const lineId = (line: PastLine): string => String(line.line);

function Past({ uid, at, by, choice }: PastProps) {
  const past = usePastHistory(uid, at, by);
  const first = past.pages?.[0];
  const pathTo = useWhyPath();
  const opening = useLineOpening();
  // Only what was recorded is the sum of the ledger's lines up to a position.
  const linkTo = (number: ExplainedNumber) =>
    by === "recorded" ? { to: pathTo({ kind: "number", number, uid }) } : {};
  return (
    <>
      <PastRibbon at={first?.at} position={first?.position} view={by} />
      <div className="grid grid-cols-[1fr_1fr_2fr] items-start gap-4 max-sm:grid-cols-2 max-sm:gap-2 max-sm:*:last:col-span-2">
        <Tile
          label="Available then"
          {...linkTo("available")}
          value={
            first === undefined ? undefined : <Money cents={toCents(first.balance)} isBalance />
          }
        />
        <Tile
          label="Pending payouts then"
          {...linkTo("pendingPayouts")}
          value={first === undefined ? undefined : <Money cents={toCents(first.inTransit)} />}
        />
        {choice}
      </div>
      <HeldNotice freshness={past.freshness} />
      <DataTable
        label="Ledger at that time"
        columns={columnsBy[by]}
        rows={past.rows}
        rowId={lineId}
        opening={opening}
        error={past.error}
        errorTitle="The past could not be loaded"
        onRetry={past.refresh}
        more={past}
        countText={
          first === undefined ? undefined : formatQuantity(first.lineCount, "entry", "entries")
        }
        empty={<EmptyState icon={HistoryIcon} title="No entries at that time" />}
      />
      <FreshnessLine freshness={past.freshness} isBelow />
    </>
  );
}

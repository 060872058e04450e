// A statement: its period, its opening and closing balance, and downloads as CSV and PDF.
import { Download, FileText } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { statementResponse, type StatementResponse } from "#features/accounts/contract.ts";
import { storeDaysResponse } from "#features/settings/contract-days.ts";
import { dayIn } from "#ledger/day-text.ts";
import { toCents } from "#ledger/money.ts";
import { useAction } from "#web/lib/action.ts";
import { download } from "#web/lib/download.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { useRead } from "#web/lib/read.ts";
import { YearStatements } from "#web/shared/year/year-statements.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { DateInput } from "#web/ui/date-input.tsx";
import {
  isWhole,
  periodOf,
  presetChoices,
  statementPath,
  type Period,
  type Preset,
} from "./statement-period.ts";

type StatementDialogProps = {
  readonly uid: string;
  /** A moment of the past: the statement as it was recorded then. */
  readonly at?: string | undefined;
  readonly onClose: () => void;
};

const noPeriod: Period = { from: "", to: "" };

const spans = [
  { value: "period", label: "Period" },
  { value: "year", label: "Year" },
] as const;

/** The chosen period. It waits for the store's day, because a statement's days are the store's. */
function usePeriod() {
  const [now] = useState(() => new Date());
  const days = useRead("/settings/days", storeDaysResponse);
  const today = days.data === undefined ? undefined : dayIn(now, days.data.timeZone);
  const [preset, setPreset] = useState<Preset>("this-month");
  const [typed, setTyped] = useState(noPeriod);
  const period =
    preset === "custom" ? typed : today === undefined ? noPeriod : periodOf(preset, today);
  return {
    preset,
    period,
    days,
    onPreset: (next: Preset) => {
      setTyped(period);
      setPreset(next);
    },
    onPick: (picked: Partial<Period>) => {
      setTyped({ ...period, ...picked });
      setPreset("custom");
    },
  };
}

export function StatementDialog({ uid, at, onClose }: StatementDialogProps) {
  const [span, setSpan] = useState<(typeof spans)[number]["value"]>("period");
  const { days, ...fields } = usePeriod();
  const { preset, period } = fields;
  const isReady = isWhole(period);
  // The preview of another period stays until its successor is there: otherwise the buttons move away from a click.
  const read = useRead(
    isReady ? statementPath(uid, period, { at }) : undefined,
    statementResponse,
    { keepPrevious: true },
  );
  const failed = days.data === undefined ? days : read;
  const isShown = read.data?.from === period.from && read.data.to === period.to;
  const position = isShown ? read.data?.position : undefined;
  const save = useAction((format: "csv" | "pdf") =>
    download(
      statementPath(uid, period, { format, ...(position === undefined ? { at } : { position }) }),
      `statement-${period.from}-${period.to}.${format}`,
    ),
  );
  return (
    <Dialog
      title="Statement"
      description="Opening balance, every entry, closing balance."
      onClose={onClose}
      footer={
        span === "year" ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <Saves
            isReady={isReady && isShown}
            isBusy={save.isBusy}
            onSave={(format) => void save.run(format)}
          />
        )
      }
    >
      <ChoiceGroup label="Statement for a" value={span} choices={spans} onValue={setSpan} />
      {span === "year" ? null : <PeriodFields {...fields} />}
      {span === "year" ? (
        <YearStatements uid={uid} />
      ) : read.data !== undefined && (isShown || read.error === undefined) ? (
        <Preview statement={read.data} />
      ) : failed.error !== undefined ? (
        <ErrorState
          title="The statement could not be loaded"
          error={failed.error}
          onRetry={failed.refresh}
        />
      ) : isReady || preset !== "custom" ? (
        <Skeleton className="h-44" />
      ) : null}
      <p className="text-12 text-muted">
        Exported files are signed. Anybody can{" "}
        <Link to={paths.verifyStatement} className="text-accent underline">
          check a statement
        </Link>{" "}
        without an account.
      </p>
      <ErrorLine>
        {save.error === undefined ? undefined : `Error exporting: ${save.error.message}`}
      </ErrorLine>
    </Dialog>
  );
}

type SavesProps = {
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onSave: (format: "csv" | "pdf") => void;
};

function Saves({ isReady, isBusy, onSave }: SavesProps) {
  const [asked, setAsked] = useState<"csv" | "pdf">();
  const ask = (format: "csv" | "pdf") => {
    setAsked(format);
    onSave(format);
  };
  return (
    <div className="flex gap-2 max-sm:grid max-sm:grid-cols-2">
      <Button
        icon={Download}
        disabled={!isReady || isBusy}
        isBusy={isBusy && asked === "csv"}
        busyLabel="Preparing..."
        onClick={() => ask("csv")}
      >
        Export CSV
      </Button>
      <Button
        icon={FileText}
        variant="primary"
        disabled={!isReady || isBusy}
        isBusy={isBusy && asked === "pdf"}
        busyLabel="Preparing..."
        onClick={() => ask("pdf")}
      >
        Export PDF
      </Button>
    </div>
  );
}

type PeriodFieldsProps = {
  readonly preset: Preset;
  readonly period: Period;
  readonly onPreset: (preset: Preset) => void;
  readonly onPick: (picked: Partial<Period>) => void;
};

function PeriodFields({ preset, period, onPreset, onPick }: PeriodFieldsProps) {
  const isReversed = period.to !== "" && period.from > period.to;
  return (
    <>
      <Field label="Period">
        {(control) => (
          <Select {...control} value={preset} choices={presetChoices} onValue={onPreset} />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="From">
          {(control) => (
            <DateInput {...control} value={period.from} onValue={(from) => onPick({ from })} />
          )}
        </Field>
        <Field label="To" error={isReversed ? "The end is before the start" : undefined}>
          {(control) => (
            <DateInput {...control} value={period.to} onValue={(to) => onPick({ to })} />
          )}
        </Field>
      </div>
    </>
  );
}

const kindNames: Readonly<Record<StatementResponse["sums"][number]["kind"], string>> = {
  sale: "Sales",
  refund: "Refunds",
  correction: "Corrections",
  payout: "Payouts",
  trade: "Trades",
  adjustment: "Adjustments",
  other: "Other entries",
};

function Preview({ statement }: { readonly statement: StatementResponse }) {
  const { opening, sums, closing, lines, position, timeZone } = statement;
  return (
    <div className="flex flex-col gap-2">
      <SumLines
        lines={[
          { label: "Opening balance", cents: toCents(opening.balance) },
          ...sums.map(({ kind, amount, lines: count }) => ({
            label: kindNames[kind],
            cents: toCents(amount),
            hint: formatQuantity(count, "entry", "entries"),
          })),
        ]}
        total={{ label: "Closing balance", cents: toCents(closing.balance), isBalance: true }}
      />
      <p className="text-12 text-muted">
        {`${formatQuantity(lines.length, "entry", "entries")}, as recorded up to position ${formatCount(position)}. Days are the store's (${timeZone.replaceAll("_", " ")}).`}
      </p>
    </div>
  );
}

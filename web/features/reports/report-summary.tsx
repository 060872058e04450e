// What changed the amount that the store owes in a period, what the store earned, and what was lost. Every number opens its lines.
import type { ReactNode } from "react";
import type { ReportFigures, ReportNumber } from "#features/reports/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { reasonNames } from "#web/shared/explain/report-words.ts";
import { Money } from "#web/ui/money.tsx";
import { toCents } from "#ledger/money.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Figure, type Scope } from "./report-cells.tsx";

type Row = {
  readonly label: string;
  readonly number: ReportNumber;
  /** Whether it lowers what is owed. */
  readonly isLess?: boolean;
};

const earned: readonly Row[] = [
  { label: "Kept of own goods", number: "ownShare" },
  { label: "Share of consigned goods", number: "storeShare" },
  { label: "Trade commission", number: "commission" },
  { label: "Trade shipping fees", number: "tradeFees" },
];

const changes: readonly Row[] = [
  { label: "Consignors' shares of sales", number: "consignorShare" },
  { label: "Trades between consignors", number: "traded" },
  { label: "Adjustments", number: "adjustments" },
  { label: "Taken over from the old app", number: "takenOver" },
  { label: "Payouts paid", number: "payouts", isLess: true },
  { label: "Trade commission", number: "commission", isLess: true },
  { label: "Trade shipping fees", number: "tradeFees", isLess: true },
];

const closing: readonly Row[] = [
  { label: "Available", number: "owedAvailable" },
  { label: "Pending payouts", number: "owedPending" },
  { label: "Held for trades", number: "owedHeld" },
];

type ReportSummaryProps = {
  /** Undefined while loading. */
  readonly total: ReportFigures | undefined;
  readonly scope: Scope | undefined;
};

type LineProps = {
  readonly label: ReactNode;
  readonly isTotal?: boolean;
  readonly children: ReactNode;
};

function Line({ label, isTotal = false, children }: LineProps) {
  return (
    <div
      className={`flex min-h-7 items-center justify-between gap-3 ${isTotal ? "border-t border-border-strong font-semibold" : ""}`}
    >
      <dt>{label}</dt>
      <dd className="text-end">{children}</dd>
    </div>
  );
}

const heading = "border-b border-border pb-1 text-12 font-medium text-muted";

const part = "card flex flex-col gap-4 p-4 max-sm:p-3";

export function ReportSummary({ total, scope }: ReportSummaryProps) {
  if (total === undefined || scope === undefined) {
    return (
      <>
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </>
    );
  }
  return (
    <>
      <section aria-label="Earned and lost" className={part}>
        {scope.consignor === undefined ? <Earned total={total} scope={scope} /> : null}
        <Lost total={total} scope={scope} />
      </section>
      <section aria-label="Owed" className={part}>
        <Owed total={total} scope={scope} />
      </section>
    </>
  );
}

type PartProps = { readonly total: ReportFigures; readonly scope: Scope };

function Earned({ total, scope }: PartProps) {
  return (
    <div>
      <h2 className={heading}>What the store earned</h2>
      <dl>
        {earned.map(({ label, number }) => (
          <Line key={number} label={label}>
            <Figure number={number} amount={total[number]} scope={scope} />
          </Line>
        ))}
      </dl>
    </div>
  );
}

function Lost({ total, scope }: PartProps) {
  return (
    <div>
      <h2 className={heading}>Units that left without a sale</h2>
      {total.shrinkage.length === 0 ? (
        <p className="pt-1.5 text-muted">None.</p>
      ) : (
        <dl>
          {total.shrinkage.map(({ reason, units }) => (
            <Line key={reason} label={reasonNames[reason]}>
              <span className="tabular-nums">{formatQuantity(units, "unit")}</span>
            </Line>
          ))}
          <Line label="Units lost" isTotal>
            <Figure number="unitsLost" amount={total.unitsLost} scope={scope} />
          </Line>
        </dl>
      )}
    </div>
  );
}

function Owed({ total, scope }: PartProps) {
  // A kind of change that never happened would only be noise.
  const happened = changes.filter(({ number }) => total[number] !== 0);
  return (
    <div>
      <h2 className={heading}>
        {scope.consignor === undefined ? "What the store owes consignors" : "What the store owes"}
      </h2>
      <dl>
        <Line label="Owed before">
          <Money cents={toCents(total.owedBefore)} isBalance />
        </Line>
        {happened.map(({ label, number, isLess = false }) => (
          <Line
            key={number}
            label={
              <>
                <span aria-hidden="true" className="inline-block w-4 text-muted">
                  {isLess ? "−" : "+"}
                </span>
                {isLess ? <span className="sr-only">less </span> : null}
                {label}
              </>
            }
          >
            <Figure number={number} amount={total[number]} scope={scope} />
          </Line>
        ))}
        <Line label="Owed at the end" isTotal>
          <Figure number="owed" amount={total.owed} scope={scope} />
        </Line>
        {closing.map(({ label, number }) => (
          <Line key={number} label={<span className="ps-4 text-muted">{label}</span>}>
            <Figure number={number} amount={total[number]} scope={scope} />
          </Line>
        ))}
      </dl>
    </div>
  );
}

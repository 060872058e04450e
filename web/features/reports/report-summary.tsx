// What changed the amount that the store owes in a period, what the store earned, and what was lost. Every number opens its lines.
import type { ReactNode } from "react";
import type { ReportFigures } from "#features/reports/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { shrinkageReasonNames } from "#features/reports/contract-month.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { useReportZeros } from "./reports-api.ts";
import { Figure, type FigureNumber, type Scope } from "./report-cells.tsx";

type Row = {
  readonly label: string;
  readonly number: FigureNumber;
  /** Whether it lowers what is owed. */
  readonly isLess?: boolean;
  /** The kind of lines that it is of, and their sum; left out for all. */
  readonly part?: { readonly kind: string; readonly of: (total: ReportFigures) => number };
};

const earned: readonly Row[] = [
  { label: "Kept from own goods", number: "ownShare" },
  { label: "Share of consigned goods", number: "storeShare" },
  { label: "Trade commission", number: "commission" },
  { label: "Trade shipping fees", number: "tradeFees" },
];

const changes: readonly Row[] = [
  { label: "Consignors' shares of sales", number: "consignorShare" },
  { label: "Trades between consignors", number: "traded" },
  { label: "Adjustments", number: "adjustments" },
  { label: "Taken over from the old app", number: "takenOver" },
  {
    label: "Payouts paid",
    number: "payouts",
    isLess: true,
    part: { kind: "PayoutPaid", of: ({ payoutsPaid }) => payoutsPaid },
  },
  {
    label: "Payouts returned",
    number: "payouts",
    part: { kind: "PayoutReturned", of: ({ payoutsReturned }) => payoutsReturned },
  },
  { label: "Trade commission", number: "commission", isLess: true },
  { label: "Trade shipping fees", number: "tradeFees", isLess: true },
];

const closing: readonly Row[] = [
  { label: "Available, less negative balances", number: "owedAvailable" },
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
        <Sold total={total} scope={scope} />
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

/** Sales without a price, and shipping, are only mentioned if there are any: most stores have none. */
function Sold({ total, scope }: PartProps) {
  return (
    <div>
      <h2 className={heading}>What was sold</h2>
      <dl>
        <Line label="Sales">
          <Figure number="sales" amount={total.sales} scope={scope} />
        </Line>
        {total.unpricedSales === 0 ? null : (
          <Line label={<span className="ps-4 text-muted">of these without a price yet</span>}>
            <Figure number="unpricedSales" amount={total.unpricedSales} scope={scope} />
          </Line>
        )}
        {total.shipping === 0 ? null : (
          <Line label="Shipping of sales">
            <Figure number="shipping" amount={total.shipping} scope={scope} />
          </Line>
        )}
      </dl>
    </div>
  );
}

/** The tag prices of lost units. What they cost is not known, nor what those without a tag price are worth. */
function LostValue({ total, scope }: PartProps) {
  const { lostValue, lostWithoutPrice } = total;
  return (
    <Line label="Their value at tag prices">
      {lostValue === 0 && lostWithoutPrice > 0 ? (
        <Unknown reason="no tag price" />
      ) : (
        <Figure number="lostValue" amount={lostValue} scope={scope} />
      )}
    </Line>
  );
}

/** Below the list, which has only terms and their values. */
function WithoutPrice({ lost }: { readonly lost: number }) {
  return lost === 0 ? null : (
    <p className="text-12 text-muted">
      {`${formatQuantity(lost, "unit")} had no tag price and ${lost === 1 ? "is" : "are"} not in it.`}
    </p>
  );
}

function Lost({ total, scope }: PartProps) {
  return (
    <div>
      <h2 className={heading}>Units that left without a sale</h2>
      {total.shrinkage.length === 0 ? (
        <p className="pt-1.5 text-muted">None.</p>
      ) : (
        <>
          <dl>
            {total.shrinkage.map(({ reason, units }) => (
              <Line key={reason} label={shrinkageReasonNames[reason]}>
                <Figure number="unitsLost" amount={units} scope={{ ...scope, kind: reason }} />
              </Line>
            ))}
            <Line label="All units" isTotal>
              <Figure number="unitsLost" amount={total.unitsLost} scope={scope} />
            </Line>
            <LostValue total={total} scope={scope} />
          </dl>
          <WithoutPrice lost={total.lostWithoutPrice} />
        </>
      )}
    </div>
  );
}

/** All days before those of a report. */
function before(scope: Scope): Scope {
  const last = new Date(Date.parse(`${scope.from}T00:00:00Z`) - 86_400_000);
  const to = last.toISOString().slice(0, 10);
  const from = "2000-01-01";
  return { ...scope, from, to: to < from ? from : to };
}

function Owed({ total, scope }: PartProps) {
  const { consignor, from, to } = scope;
  const { data: zeros } = useReportZeros({ consignor, from, to });
  // A kind of change that never happened would only be noise; one whose lines sum to zero did happen.
  const happened = changes
    .map((change) => ({
      ...change,
      amount: change.part?.of(total) ?? total[change.number],
      lines: zeros?.changes.find(({ number }) => number === change.number)?.lines ?? 0,
    }))
    .filter(({ amount, lines }) => amount !== 0 || lines > 0);
  return (
    <div>
      <h2 className={heading}>
        {scope.consignor === undefined ? "What the store owes consignors" : "What the store owes"}
      </h2>
      <dl>
        <Line label="Owed before">
          <Figure number="owed" amount={total.owedBefore} scope={before(scope)} />
        </Line>
        {happened.map(({ label, number, isLess = false, part: own, amount, lines }) => (
          <Line
            key={label}
            label={
              <>
                <span aria-hidden="true" className="inline-block w-4 text-muted">
                  {isLess ? "−" : "+"}
                </span>
                {isLess ? <span className="sr-only">less </span> : null}
                {label}
                {amount === 0 ? (
                  <span className="block ps-4 text-12 text-muted">
                    {formatQuantity(lines, "entry", "entries")}
                  </span>
                ) : null}
              </>
            }
          >
            <Figure
              number={number}
              amount={amount}
              scope={own === undefined ? scope : { ...scope, kind: own.kind }}
            />
          </Line>
        ))}
        <Line label="Owed at the end" isTotal>
          <Figure number="owed" amount={total.owed} scope={scope} />
        </Line>
        {closing.map(({ label, number }) => (
          <Line key={number} label={<span className="block ps-4 text-muted">{label}</span>}>
            <Figure number={number} amount={total[number]} scope={scope} />
          </Line>
        ))}
      </dl>
    </div>
  );
}

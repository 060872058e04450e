// A total of the filtered sales by days or months. Each opens the list of its own sales.
import { useLocation } from "react-router-dom";
import type { SoldExplainResponse, SoldNumber } from "#features/sales/contract-totals.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay, formatMonth, formatQuantity } from "#web/lib/formats.ts";
import type { Read } from "#web/lib/read.ts";
import { useParams } from "#web/lib/search-param.ts";
import { saleFiltersIn } from "#web/shared/history/history-api.ts";
import { queryOf, salesFiltersIn, storeDayParams } from "#web/shared/sale/sales-filters.ts";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { useOwnSold, useSold } from "./explain-api.ts";
import { amountText, ownSoldNames, soldNames } from "./explain-words.ts";
import { SumCheck } from "./sum-check.tsx";
import { WHY } from "./why.ts";

/** The address of the filtered sales that have no price. */
function unpricedOf(pathname: string, params: URLSearchParams): string {
  const filters = new URLSearchParams(params);
  filters.delete(WHY);
  filters.set("status", "unpriced");
  return `${pathname}?${filters.toString()}`;
}

export function SoldPart({ number }: { readonly number: SoldNumber }) {
  const [params] = useParams();
  const read = useSold(queryOf(salesFiltersIn(params)), number);
  return <Explained read={read} number={number} hasList />;
}

type OwnSoldPartProps = { readonly uid: string; readonly number: SoldNumber };

/** The same of a consignor's own sales, whose list has no days to choose. */
export function OwnSoldPart({ uid, number }: OwnSoldPartProps) {
  const [params] = useParams();
  return <Explained read={useOwnSold(uid, saleFiltersIn(params), number)} number={number} />;
}

type ExplainedProps = {
  readonly read: Read<SoldExplainResponse>;
  readonly number: SoldNumber;
  /** True if the list of sales can be filtered by days: each opens its own sales. */
  readonly hasList?: boolean;
};

function Explained({ read, number, hasList = false }: ExplainedProps) {
  const [params] = useParams();
  const { pathname } = useLocation();
  const { data, error, refresh, freshness } = read;
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-60" />
    ) : (
      <ErrorState title="The explanation could not be loaded" error={error} onRetry={refresh} />
    );
  }
  const { total, summed, unit, parts, isBalanced, sales, unpricedSales } = data;
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={freshness} />
      <div className="flex flex-col gap-1">
        <p className="text-24 font-semibold tabular-nums">{amountText(total, unit)}</p>
        <SumCheck
          isBalanced={isBalanced}
          sentence={`${formatQuantity(sales, "sale")} in this list sum to ${amountText(summed, unit)}.`}
          shown={amountText(total, unit)}
        />
        {unpricedSales === 0 ? null : (
          <p className="text-muted">
            <TextLink to={unpricedOf(pathname, params)}>
              {formatQuantity(unpricedSales, "sale")}
            </TextLink>
            {unpricedSales === 1 ? " has no price yet." : " have no price yet."}
          </p>
        )}
      </div>
      {parts.length < 2 ? null : (
        <SumLines
          lines={parts.map(({ label, amount }) => ({ label, cents: toCents(amount) }))}
          total={{
            label: (hasList ? soldNames : ownSoldNames)[number],
            cents: toCents(total),
          }}
        />
      )}
      <Spans explained={data} hasList={hasList} />
    </div>
  );
}

type SpansProps = { readonly explained: SoldExplainResponse; readonly hasList: boolean };

function Spans({ explained, hasList }: SpansProps) {
  const { pathname, search } = useLocation();
  const { spans, by, unit } = explained;
  const listOf = ({ from, to, timeZone }: SoldExplainResponse["spans"][number]): string => {
    const params = new URLSearchParams(search);
    for (const replaced of [WHY, "from", "to"]) {
      params.delete(replaced);
    }
    const others = params.toString();
    return `${pathname}?${others}${others === "" ? "" : "&"}${storeDayParams(from, to, timeZone)}`;
  };
  return (
    <ul
      aria-label={by === "day" ? "By day" : "By month"}
      className="divide-y divide-border rounded-card border border-border"
    >
      {spans.map((span) => {
        const first = new Date(`${span.name.padEnd(10, "-01")}T12:00:00`);
        const name = by === "day" ? formatDay(first) : formatMonth(first);
        return (
          <li
            key={span.name}
            className="flex min-h-9 items-center justify-between gap-4 px-4 py-1.5"
          >
            {hasList ? <TextLink to={listOf(span)}>{name}</TextLink> : <span>{name}</span>}
            <span className="flex items-baseline gap-3 tabular-nums">
              <span className="text-12 text-muted">{formatQuantity(span.sales, "sale")}</span>
              {amountText(span.amount, unit)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

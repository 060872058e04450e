// A person's past sales or payouts of the old app, which nothing here counts. Nothing is shown if there are none.
import {
  pastResponse,
  type PastKind,
  type PastPayout,
  type PastResponse,
  type PastSale,
} from "#features/migration/contract-past.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import { usePagedRead, type PagedRead } from "#web/lib/read.ts";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Money } from "#web/ui/money.tsx";

type Entry = PastResponse["entries"][number];

const methodNames = { cashapp: "CashApp", venmo: "Venmo" } as const;

const entriesOf = (page: PastResponse): readonly Entry[] => page.entries;
const hasMore = (page: PastResponse): boolean => page.nextCursor !== null;

function usePast(uid: string, kind: PastKind): PagedRead<Entry, PastResponse> {
  return usePagedRead({
    pathOf: (_page, previous: PastResponse | undefined) =>
      pathOf(`/sales/old-app/${encodeURIComponent(uid)}`, {
        kind,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: pastResponse,
    rowsOf: entriesOf,
    hasMoreAfter: hasMore,
  });
}

const saleColumns: readonly Column<PastSale>[] = [
  {
    id: "date",
    header: "Sold",
    cell: ({ date }) => <DateTime at={date} />,
    width: "w-36",
    card: "line",
  },
  {
    id: "item",
    header: "Item",
    cell: ({ itemName }) => itemName,
    isTruncated: true,
    width: "min-w-48",
    card: "title",
  },
  {
    id: "quantity",
    header: "Quantity",
    cell: ({ soldQuantity }) => formatCount(soldQuantity),
    align: "end",
    card: "none",
  },
  {
    id: "price",
    header: "Sale price",
    cell: ({ salePrice }) => <Money cents={toCents(salePrice)} />,
    align: "end",
    card: "end-line",
    cardLabel: "Price",
  },
  {
    id: "shipping",
    header: "Shipping",
    cell: ({ shippingCost }) => <Money cents={toCents(shippingCost)} />,
    align: "end",
    card: "none",
  },
  {
    id: "payout",
    header: "Share",
    cell: ({ payoutAmount }) => <Money cents={toCents(payoutAmount)} />,
    align: "end",
    card: "amount",
  },
];

const payoutColumns: readonly Column<PastPayout>[] = [
  {
    id: "date",
    header: "Paid",
    cell: ({ date }) => <DateTime at={date} />,
    width: "w-36",
    card: "line",
  },
  {
    id: "method",
    header: "Method",
    cell: ({ method }) => methodNames[method],
    card: "title",
  },
  {
    id: "amount",
    header: "Amount",
    cell: ({ amount }) => <Money cents={toCents(amount)} />,
    align: "end",
    card: "amount",
  },
];

const positionOf = ({ position }: Entry): string => String(position);

type OldAppListProps = { readonly uid: string; readonly kind: PastKind };

export function OldAppList({ uid, kind }: OldAppListProps) {
  const past = usePast(uid, kind);
  const { rows = [], error } = past;
  if (rows.length === 0 && error === undefined) {
    return null;
  }
  const title = kind === "sales" ? "Sold in the old app" : "Paid in the old app";
  const rest = {
    label: title,
    rowId: positionOf,
    error,
    errorTitle: "What the old app had could not be loaded",
    onRetry: past.refresh,
    more: past,
    empty: null,
  } as const;
  return (
    <section aria-label={title} className="mt-3 flex flex-col gap-2">
      <h2 className="text-16 font-semibold">{title}</h2>
      <p className="text-12 text-muted">
        Taken over as it was. Totals, reports and files do not count it: its money is in the opening
        balance.
      </p>
      {kind === "sales" ? (
        <DataTable
          columns={saleColumns}
          rows={rows.flatMap((entry) => (entry.kind === "sale" ? [entry] : []))}
          {...rest}
        />
      ) : (
        <DataTable
          columns={payoutColumns}
          rows={rows.flatMap((entry) => (entry.kind === "payout" ? [entry] : []))}
          {...rest}
        />
      )}
    </section>
  );
}

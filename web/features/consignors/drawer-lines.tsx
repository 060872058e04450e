// The drawer's short lists: two lines per row, and a link to the full list.
import type { ReactNode } from "react";
import type { LucideIcon } from "lucide-react";
import type { PagedRead } from "#web/lib/read.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

type DrawerLinesProps<Row> = {
  readonly label: string;
  readonly read: PagedRead<Row>;
  readonly rowId: (row: Row) => string | number;
  readonly children: (row: Row) => ReactNode;
  readonly empty: { readonly icon: LucideIcon; readonly title: string };
  /** The screen with the full list. */
  readonly whole?: { readonly to: string; readonly label: string };
};

export function DrawerLines<Row>(props: DrawerLinesProps<Row>) {
  const { label, read, rowId, children, empty, whole } = props;
  const { rows, error } = read;
  if (rows === undefined) {
    return error === undefined ? (
      <Skeleton className="h-40" />
    ) : (
      <ErrorState title="The list could not be loaded" error={error} onRetry={read.refresh} />
    );
  }
  if (rows.length === 0) {
    return (
      <>
        <HeldNotice freshness={read.freshness} />
        <EmptyState {...empty} />
      </>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <HeldNotice freshness={read.freshness} />
      <ul aria-label={label} className="divide-y divide-border rounded-card border border-border">
        {rows.map((row) => (
          <li key={rowId(row)} className="px-4 py-2">
            {children(row)}
          </li>
        ))}
      </ul>
      <span className="flex flex-wrap gap-2">
        <LoadMore list={read} />
        {whole === undefined ? null : <ButtonLink to={whole.to}>{whole.label}</ButtonLink>}
      </span>
    </div>
  );
}

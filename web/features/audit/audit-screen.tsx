// /admin/audit and /audit: the log itself, every event for admins, everybody's own for everybody else.
import { Landmark } from "lucide-react";
import { useLocation } from "react-router-dom";
import type { AuditLine } from "#features/audit/contract.ts";
import { useParams } from "#web/lib/search-param.ts";
import { paths } from "#web/paths.ts";
import { AdminButton } from "#web/shared/account/admin-button.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { useWhyPath, WHY } from "#web/shared/explain/why.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { AuditIcon } from "#web/ui/thing-icons.ts";
import { useAuditEvents } from "./audit-api.ts";
import { accountColumns, adminColumns, ownColumns } from "./audit-columns.tsx";
import { auditFiltersIn, isFiltered, noFilters, queryOf } from "./audit-filters.ts";
import { AuditSearch } from "./audit-search.tsx";

const AuditDrawer = onDemand(() => import("./audit-drawer.tsx").then((file) => file.AuditDrawer));

const idOf = (event: AuditLine): string => String(event.position);

/** A position in the address; undefined for anything else. */
function positionIn(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export function AuditScreen() {
  const isAdmin = useProfile().role === "admin";
  const isOwnPage = useLocation().pathname === paths.ownAudit;
  const [params, setParams] = useParams();
  const filters = auditFiltersIn(params);
  const events = useAuditEvents(queryOf(filters));
  const open = positionIn(params.get("position"));
  const openIndex = events.rows?.findIndex(({ position }) => position === open) ?? -1;
  const isOfAccount = filters.linked.some(({ param }) => param === "account");
  const isSearching = events.rows?.length === 0 && events.hasMore;
  const clear = () => setParams(noFilters);

  function openEvent(position: number | undefined, push: boolean): void {
    setParams({ position: position === undefined ? undefined : String(position) }, { push });
  }
  function neighbor(step: number): (() => void) | undefined {
    const row = openIndex === -1 ? undefined : events.rows?.[openIndex + step];
    return row === undefined ? undefined : () => openEvent(row.position, false);
  }

  return (
    <Page
      title="Audit log"
      subtitle={<FreshnessLine freshness={events.freshness} />}
      isWide={isAdmin}
      actions={isOwnPage ? <AdminButton /> : isAdmin ? <StoreAccounts /> : undefined}
    >
      <AuditSearch
        filters={filters}
        isAdmin={isAdmin}
        understood={events.pages?.[0]?.understood}
        onChange={setParams}
        onClear={clear}
      />
      <DataTable
        label="Events"
        columns={isAdmin ? (isOfAccount ? accountColumns : adminColumns) : ownColumns}
        rows={isSearching ? undefined : events.rows}
        rowId={idOf}
        opening={{
          onOpen: (event) => openEvent(event.position, true),
          openId: open === undefined ? undefined : String(open),
        }}
        error={events.error}
        errorTitle="The events could not be loaded"
        onRetry={events.refresh}
        empty={<NoEvents isFiltered={isFiltered(filters)} isAdmin={isAdmin} onClear={clear} />}
        more={events}
      />
      {isAdmin ? <ExplainHost /> : null}
      {open === undefined || params.get(WHY) !== null ? null : (
        <AuditDrawer
          position={open}
          known={events.rows?.[openIndex]}
          isAdmin={isAdmin}
          onClose={() => openEvent(undefined, false)}
          onOpen={(position) => openEvent(position, true)}
          onPrevious={neighbor(-1)}
          onNext={neighbor(1)}
        />
      )}
    </Page>
  );
}

/** Opens the balances of the store's accounts. Each can be explained by days. */
function StoreAccounts() {
  const pathTo = useWhyPath();
  return (
    <ButtonLink icon={Landmark} to={pathTo({ kind: "account", id: "store:revenue" })}>
      Store accounts
    </ButtonLink>
  );
}

type NoEventsProps = {
  readonly isFiltered: boolean;
  readonly isAdmin: boolean;
  readonly onClear: () => void;
};

function NoEvents({ isFiltered: isNarrow, isAdmin, onClear }: NoEventsProps) {
  return isNarrow ? (
    <EmptyState
      icon={AuditIcon}
      title="No events match"
      action={<Button onClick={onClear}>Clear</Button>}
    />
  ) : (
    <EmptyState icon={AuditIcon} title="No events yet">
      {isAdmin
        ? "Everything that happens in the store is listed here."
        : "Everything that happens to your items and your money is listed here."}
    </EmptyState>
  );
}

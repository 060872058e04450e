// /consignors: everyone who has items or money here. Tiles, search and the list. A row opens its drawer; forms open above it.
import { DatabaseZap, UserRoundPlus } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import type { ListedUser } from "#features/users/contract-people.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { WHY } from "#web/shared/explain/why.ts";
import { useParams } from "#web/lib/search-param.ts";
import { useIsNarrow } from "#web/lib/use-media.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { ConsignorsIcon } from "#web/ui/thing-icons.ts";
import type { ConsignorAct } from "./consignor-acts.ts";
import { consignorColumns } from "./consignor-columns.tsx";
import type { OpenConsignorForm } from "./consignor-forms.tsx";
import { ConsignorTiles } from "./consignor-tiles.tsx";
import {
  balanceChanges,
  consignorExportPath,
  consignorFiltersIn,
  isFiltered,
  useConsignors,
  type ConsignorFilters,
} from "./consignors-api.ts";

const ConsignorForms = onDemand(() =>
  import("./consignor-forms.tsx").then((file) => file.ConsignorForms),
);
const InviteForm = onDemand(() => import("./invite-form.tsx").then((file) => file.InviteForm));
const ConsignorDrawer = onDemand(() =>
  import("./consignor-drawer.tsx").then((file) => file.ConsignorDrawer),
);

const roleChoices = [
  { value: "any", label: "Any role" },
  { value: "user", label: "Consignors" },
  { value: "admin", label: "Admins" },
] as const;

const statusChoices = [
  { value: "active", label: "Active" },
  { value: "deleted", label: "Deleted" },
  { value: "all", label: "Any status" },
] as const;

const moneyChoices = [
  { value: "any", label: "Any balance" },
  { value: "owed", label: "Owed to them" },
  { value: "negative", label: "Owed to the store" },
  { value: "pending", label: "Payout pending" },
] as const;

const noFilters = { q: undefined, role: undefined, status: undefined, money: undefined };
const idOf = (user: ListedUser): string => user.uid;

function Filters({ filters }: { readonly filters: ConsignorFilters }) {
  const [, setParams] = useParams();
  // On a tablet the filters take the room of the button's words.
  const isCompact = useIsNarrow();
  const used = [filters.money, filters.role, filters.status].filter((one) => one !== undefined);
  return (
    <FilterBar
      main={
        <SearchParamInput
          param="q"
          label="Search people"
          placeholder="Name, username, email, Discord"
        />
      }
      usedCount={used.length}
      canClear={isFiltered(filters)}
      onClear={() => setParams(noFilters)}
      end={
        <ExportButton path={consignorExportPath(filters)} name="consignors" isCompact={isCompact} />
      }
    >
      <Select
        aria-label="Balance"
        value={filters.money ?? "any"}
        choices={moneyChoices}
        onValue={(money) => setParams(balanceChanges(filters, money === "any" ? undefined : money))}
      />
      <Select
        aria-label="Role"
        value={filters.role ?? "any"}
        choices={roleChoices}
        onValue={(role) => setParams({ role: role === "any" ? undefined : role })}
      />
      <span className="max-sm:col-span-2">
        <Select
          aria-label="Status"
          value={filters.status ?? "active"}
          choices={statusChoices}
          onValue={(status) => setParams({ status: status === "active" ? undefined : status })}
        />
      </span>
    </FilterBar>
  );
}

export function ConsignorsScreen() {
  const [params, setParams] = useParams();
  const filters = consignorFiltersIn(params);
  const list = useConsignors(filters);
  const { uid: ownUid } = useProfile();
  const [form, setForm] = useState<OpenConsignorForm>();
  const openId = params.get("consignor") ?? undefined;
  const openIndex = list.rows?.findIndex((row) => row.uid === openId) ?? -1;
  const onAct = useCallback((act: ConsignorAct, user: ListedUser) => setForm({ act, user }), []);
  const columns = useMemo(() => consignorColumns(onAct, ownUid), [onAct, ownUid]);

  function openRow(uid: string | undefined, push: boolean): void {
    // An explanation that is open is about somebody else.
    const changes = { consignor: uid, [WHY]: undefined };
    setParams(uid === undefined ? { ...changes, view: undefined } : changes, { push });
  }
  function neighbor(step: number): (() => void) | undefined {
    const row = openIndex === -1 ? undefined : list.rows?.[openIndex + step];
    return row === undefined ? undefined : () => openRow(row.uid, false);
  }

  return (
    <Page
      title="Consignors"
      subtitle={<FreshnessLine freshness={list.freshness} />}
      isWide
      actions={<ScreenActs onInvited={(uid) => openRow(uid, true)} />}
    >
      <ConsignorTiles totals={list.pages?.[0]?.totals} />
      <Filters filters={filters} />
      <div onPointerEnter={ConsignorForms.preload}>
        <RowFocus>
          <DataTable
            label="Consignors"
            columns={columns}
            rows={list.rows}
            rowId={idOf}
            opening={{ onOpen: (user) => openRow(user.uid, true), openId }}
            sort={{ by: filters.sort ?? "name", isDescending: filters.order === "desc" }}
            error={list.error}
            errorTitle="Failed to fetch users"
            onRetry={list.refresh}
            empty={<NobodyFound filters={filters} onClear={() => setParams(noFilters)} />}
            more={list}
            countText={countText(list.pages?.[0]?.total)}
          />
        </RowFocus>
      </div>
      {openId === undefined ? (
        <ExplainHost />
      ) : (
        <ConsignorDrawer
          key={openId}
          uid={openId}
          known={list.rows?.[openIndex]}
          onForm={setForm}
          onClose={() => openRow(undefined, false)}
          onPrevious={neighbor(-1)}
          onNext={neighbor(1)}
        />
      )}
      {form === undefined ? null : (
        <ConsignorForms
          form={form}
          onClose={() => setForm(undefined)}
          onDeleted={() => {
            setForm(undefined);
            openRow(undefined, false);
          }}
        />
      )}
    </Page>
  );
}

function countText(total: number | undefined): string | undefined {
  return total === undefined ? undefined : formatQuantity(total, "person", "people");
}

type NobodyFoundProps = { readonly filters: ConsignorFilters; readonly onClear: () => void };

function NobodyFound({ filters, onClear }: NobodyFoundProps) {
  return isFiltered(filters) ? (
    <EmptyState
      icon={ConsignorsIcon}
      title="No matches"
      action={<Button onClick={onClear}>Clear</Button>}
    />
  ) : (
    <EmptyState icon={ConsignorsIcon} title="No people yet">
      People appear here when you invite them or when they sign up.
    </EmptyState>
  );
}

type ScreenActsProps = { readonly onInvited: (uid: string) => void };

function ScreenActs({ onInvited }: ScreenActsProps) {
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <Button
        variant="primary"
        icon={UserRoundPlus}
        onPointerEnter={InviteForm.preload}
        onFocus={InviteForm.preload}
        onClick={() => setInviting(true)}
      >
        Invite consignor
      </Button>
      <Menu
        label="More"
        items={[{ label: "Migration from the old app", icon: DatabaseZap, to: paths.migration }]}
      />
      {isInviting ? (
        <InviteForm
          onInvited={(uid) => {
            setInviting(false);
            onInvited(uid);
          }}
          onClose={() => setInviting(false)}
        />
      ) : null}
    </>
  );
}

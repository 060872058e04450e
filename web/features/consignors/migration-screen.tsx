// /consignors/migration: the accounts loaded from the old app, who they belong to, and migrating them, all at once or one by one.
import { DatabaseZap, FileUp } from "lucide-react";
import { useMemo, useState } from "react";
import type { LegacyUser, MigrateAllResponse } from "#features/migration/contract.ts";
import { toCents } from "#ledger/money.ts";
import { useAction } from "#web/lib/action.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { BackLink } from "#web/ui/back-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { paths } from "#web/paths.ts";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { migrateAll } from "./consignors-api.ts";
import { holdingsText } from "./holdings.ts";
import { LoadLegacy } from "./load-legacy.tsx";
import { legacyFiltersIn, legacyName, useHasLegacy, useLegacyUsers } from "./migration-api.ts";
import { MigrationReport } from "./migration-report.tsx";

const AssignLegacyForm = onDemand(() =>
  import("./assign-legacy-form.tsx").then((file) => file.AssignLegacyForm),
);
const ConfirmDialog = onDemand(() =>
  import("#web/ui/confirm-dialog.tsx").then((file) => file.ConfirmDialog),
);

const statusChoices = [
  { value: "waiting", label: "Waiting" },
  { value: "needs_review", label: "Needs review" },
  { value: "migrated", label: "Migrated" },
  { value: "all", label: "All" },
] as const;

const matchWords = {
  "verified-email": "by verified email",
  email: "by unverified email",
  username: "by username",
} as const;

function StatusChip({ status }: Pick<LegacyUser, "status">) {
  if (status === "migrated") {
    return <Chip kind="done">Migrated</Chip>;
  }
  return status === "waiting" ? (
    <Chip kind="neutral">Waiting</Chip>
  ) : (
    <Chip kind="pending">Needs review</Chip>
  );
}

function whoseText({ migratedTo, candidates }: LegacyUser) {
  if (migratedTo !== null) {
    return migratedTo.name;
  }
  return candidates.length === 0 ? (
    <Unknown reason="no match" />
  ) : (
    candidates.map(({ name, matchedBy }) => `${name} ${matchWords[matchedBy]}`).join(", ")
  );
}

function legacyColumns(onAssign: (account: LegacyUser) => void): readonly Column<LegacyUser>[] {
  return [
    {
      id: "account",
      header: "Old account",
      card: "title",
      isTruncated: true,
      width: "min-w-48 w-[24%]",
      cell: (account) => (
        <span className="flex min-w-0 flex-col">
          <span className="truncate font-medium">{legacyName(account)}</span>
          {account.email === legacyName(account) ? null : (
            <span className="truncate text-12 text-muted">{account.email}</span>
          )}
        </span>
      ),
    },
    {
      id: "whose",
      header: "Belongs to",
      card: "line",
      cell: whoseText,
    },
    {
      id: "holds",
      header: "Contains",
      card: "end-line",
      cell: ({ holdings }) => (
        <span data-tip={holdingsText(holdings)}>
          {formatQuantity(holdings.items, "item")}, {formatQuantity(holdings.sales, "sale")}
        </span>
      ),
    },
    {
      id: "balance",
      header: "Balance",
      card: "amount",
      align: "end",
      cell: ({ holdings }) => <Money cents={toCents(holdings.balance)} isBalance />,
    },
    {
      id: "status",
      header: "Status",
      card: "chip",
      cell: ({ status }) => <StatusChip status={status} />,
    },
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      card: "foot",
      align: "end",
      cell: (account) =>
        account.status === "migrated" ? null : (
          <Button
            variant="quiet"
            aria-label={`Assign ${legacyName(account)}`}
            onClick={() => onAssign(account)}
          >
            Assign
          </Button>
        ),
    },
  ];
}

function MigrateEverybody({ onDone }: { readonly onDone: (report: MigrateAllResponse) => void }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(migrateAll);
  async function run(): Promise<void> {
    const report = await action.run(undefined);
    if (report !== undefined) {
      setAsking(false);
      onDone(report);
    }
  }
  return (
    <>
      <Button variant="primary" icon={DatabaseZap} onClick={() => setAsking(true)}>
        Migrate everyone
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title="Migrate everyone?"
          act="Migrate everyone"
          busyAct="Migrating..."
          keep="Not now"
          isHarmless
          isBusy={action.isBusy}
          error={
            action.error === undefined
              ? undefined
              : `Failed to migrate inventory: ${action.error.message}`
          }
          onAct={() => void run()}
          onKeep={() => setAsking(false)}
        >
          Each person whose verified email matches an old account gets what they had there. People
          who were migrated before are skipped. Uncertain matches wait for your review.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function OldAccounts({ onAssign }: { readonly onAssign: (account: LegacyUser) => void }) {
  const [params, setParams] = useParams();
  const filters = legacyFiltersIn(params);
  const list = useLegacyUsers(filters);
  const columns = useMemo(() => legacyColumns(onAssign), [onAssign]);
  const total = list.pages?.[0]?.total;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 no-print">
        <SearchParamInput
          param="q"
          label="Search old accounts"
          placeholder="Name, username or email"
          className="w-72 max-sm:w-full"
        />
        <span className="max-sm:grow">
          <Select
            aria-label="Status"
            value={filters.status}
            choices={statusChoices}
            onValue={(status) => setParams({ status: status === "waiting" ? undefined : status })}
          />
        </span>
      </div>
      <DataTable
        label="Old accounts"
        columns={columns}
        rows={list.rows}
        rowId={(account) => account.legacyId}
        error={list.error}
        errorTitle="The old accounts could not be loaded"
        onRetry={list.refresh}
        empty={
          <EmptyState icon={DatabaseZap} title="No old accounts">
            No loaded account has this status or name.
          </EmptyState>
        }
        more={list}
        countText={total === undefined ? undefined : formatQuantity(total, "account")}
      />
    </>
  );
}

export function MigrationScreen() {
  const hasFile = useHasLegacy();
  const [isLoading, setLoading] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [report, setReport] = useState<MigrateAllResponse>();
  const [assigned, setAssigned] = useState<LegacyUser>();
  return (
    <Page
      title="Migration from the old app"
      subtitle="Balances, items, sales and payouts from the old app go to the people they belong to. Each account is migrated once."
      isWide
      back={<BackLink to={paths.consignors} label="Back to consignors" />}
      actions={
        hasFile === true ? (
          <>
            <Button icon={FileUp} aria-expanded={isLoading} onClick={() => setLoading(!isLoading)}>
              Load a file
            </Button>
            <MigrateEverybody onDone={setReport} />
          </>
        ) : undefined
      }
    >
      {report === undefined ? null : <MigrationReport report={report} />}
      {hasFile === false || isLoading ? (
        <LoadLegacy
          onLoaded={(said) => {
            setNotes(said);
            setLoading(false);
          }}
        />
      ) : null}
      {notes.length === 0 ? null : (
        <ul aria-label="About the loaded file" className="list-inside list-disc wrap-anywhere">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {hasFile === true ? <OldAccounts onAssign={setAssigned} /> : null}
      {assigned === undefined ? null : (
        <AssignLegacyForm account={assigned} onClose={() => setAssigned(undefined)} />
      )}
    </Page>
  );
}

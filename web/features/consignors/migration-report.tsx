// The result of "Migrate everyone": four numbers, and a line for each user whom it concerned.
import { useState } from "react";
import type { MigrateAllResponse } from "#features/migration/contract.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { consignorPath } from "#web/paths.ts";
import { Chip, type ChipKind } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ConsignorsIcon } from "#web/ui/thing-icons.ts";
import { TextButton } from "#web/ui/text-button.tsx";
import { Tile } from "#web/ui/tile.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { Link } from "react-router-dom";

type Detail = MigrateAllResponse["details"][number];

const statusWords: Readonly<Record<Detail["status"], { kind: ChipKind; word: string }>> = {
  migrated: { kind: "done", word: "Migrated" },
  skipped: { kind: "neutral", word: "Skipped" },
  needs_review: { kind: "pending", word: "Needs review" },
  failed: { kind: "danger", word: "Failed" },
};

const columns: readonly Column<Detail>[] = [
  {
    id: "who",
    header: "User",
    card: "title",
    isTruncated: true,
    width: "min-w-36 w-[32%]",
    cell: ({ uid, email }) => (
      <Link to={consignorPath(uid)} className="font-medium text-accent hover:underline">
        {email ?? uid}
      </Link>
    ),
  },
  {
    id: "status",
    header: "Status",
    card: "chip",
    width: "w-40",
    cell: ({ status }) => <Chip kind={statusWords[status].kind}>{statusWords[status].word}</Chip>,
  },
  {
    id: "why",
    header: "Why",
    card: "line",
    cell: ({ error, reason }) => error ?? reason ?? <Unknown reason="no reason given" />,
  },
];

/** Whom nothing concerned are most people, and are shown on request. */
function Without({
  count,
  isShown,
  unlisted,
  onShow,
}: {
  readonly count: number;
  readonly isShown: boolean;
  readonly unlisted: number;
  readonly onShow: () => void;
}) {
  const all = count + unlisted;
  if (all === 0) {
    return null;
  }
  return (
    <p className="text-muted">
      {`The old app has no account of ${formatQuantity(all, "user")}. `}
      {isShown ? (
        unlisted === 0 ? null : (
          `${formatCount(count)} of them are listed.`
        )
      ) : (
        <TextButton onClick={onShow}>Show them</TextButton>
      )}
    </p>
  );
}

export function MigrationReport({ report }: { readonly report: MigrateAllResponse }) {
  const { totalUsers, migrated, skipped, needsReview, failed, details, unlisted } = report;
  const [isAllShown, setAllShown] = useState(false);
  const concerned = details.filter(({ reasonCode }) => reasonCode !== "nothing_found");
  return (
    <section aria-label="Report" className="flex flex-col gap-4">
      <output>{report.message}</output>
      <div className="grid grid-cols-4 gap-4 max-lg:grid-cols-2 max-sm:gap-2">
        <Tile
          label="Migrated"
          value={formatCount(migrated)}
          hint={`of ${formatQuantity(totalUsers, "user")}`}
        />
        <Tile label="Skipped" value={formatCount(skipped)} hint="Nothing to do" />
        <Tile label="Needs review" value={formatCount(needsReview)} hint="An admin decides" />
        <Tile label="Failed" value={formatCount(failed)} hint="Nothing was migrated" />
      </div>
      <DataTable
        label="Report"
        columns={columns}
        rows={isAllShown ? details : concerned}
        rowId={(detail) => detail.uid}
        empty={<EmptyState icon={ConsignorsIcon} title="There was nothing to migrate" />}
      />
      <Without
        count={details.length - concerned.length}
        isShown={isAllShown}
        unlisted={unlisted}
        onShow={() => setAllShown(true)}
      />
    </section>
  );
}

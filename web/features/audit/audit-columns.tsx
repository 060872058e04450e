// The columns of the audit log.
import type { AuditLine } from "#features/audit/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Money } from "#web/ui/money.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { groupIcons, groupWord } from "./audit-words.ts";

const what: Column<AuditLine> = {
  id: "title",
  header: "What happened",
  card: "title",
  isTruncated: true,
  width: "min-w-44 w-[38%]",
  // Two lines have room for nearly every sentence; a card gives its title two by itself.
  cell: (event) => (
    <span className="wrap-anywhere whitespace-normal in-[td]:line-clamp-2 in-[td]:leading-5">
      {withIsolatedNames(event.title)}
    </span>
  ),
};

const kind: Column<AuditLine> = {
  id: "group",
  header: "About",
  card: "chip",
  cell: (event) => (
    <Chip kind="neutral" icon={groupIcons[event.group]}>
      {groupWord[event.group]}
    </Chip>
  ),
};

const whom: Column<AuditLine> = {
  id: "whom",
  header: "Concerns",
  card: "line",
  isTruncated: true,
  width: "min-w-28 w-[14%]",
  cell: (event) => event.whom?.name ?? <span className="text-muted">Store</span>,
};

const by: Column<AuditLine> = {
  id: "actor",
  header: "By",
  card: "end-line",
  isTruncated: true,
  width: "min-w-28 w-[14%]",
  cell: (event) => event.actor.name,
};

function amountOf(event: AuditLine, isChange: boolean, whyNone: string) {
  return event.amount === null ? (
    <Unknown reason={whyNone} />
  ) : (
    <Money cents={toCents(event.amount)} isChange={isChange} />
  );
}

const amount = (
  header: string,
  isChange: boolean,
  whyNone = "moved no money",
): Column<AuditLine> => ({
  id: "amount",
  header,
  card: "amount",
  align: "end",
  cell: (event) => amountOf(event, isChange, whyNone),
});

const recorded: Column<AuditLine> = {
  id: "recordedAt",
  header: "Recorded",
  card: "line",
  cell: (event) => <DateTime at={event.recordedAt} />,
};

const position: Column<AuditLine> = {
  id: "position",
  header: "Position",
  card: "none",
  align: "end",
  shownFrom: "66rem",
  cell: (event) => formatCount(event.position),
};

export const adminColumns: readonly Column<AuditLine>[] = [
  what,
  kind,
  whom,
  by,
  amount("Amount", false),
  recorded,
  position,
];

/** With the filter of one account, amounts are what each event changed of it. */
export const accountColumns: readonly Column<AuditLine>[] = adminColumns.map((column) =>
  column.id === "amount" ? amount("Change", true) : column,
);

/** A consignor sees only what concerns them, so no column says whom. */
export const ownColumns: readonly Column<AuditLine>[] = [
  what,
  kind,
  by,
  amount("Your balance", true, "did not change your balance"),
  recorded,
  position,
];

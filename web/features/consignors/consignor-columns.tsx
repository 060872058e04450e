// The columns of the list of people: name, contact, items, balance and role.
import { Pencil } from "lucide-react";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import type { ListedUser, UserSort } from "#features/users/contract-people.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import type { Why } from "#web/shared/explain/why.ts";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Money } from "#web/ui/money.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { consignorMenu, type ConsignorAct } from "./consignor-acts.ts";

type OnAct = (act: ConsignorAct, user: ListedUser) => void;

export function RoleChip({ user }: { readonly user: Pick<ListedUser, "role" | "deactivated"> }) {
  if (user.deactivated) {
    return <Chip kind="neutral">Deleted</Chip>;
  }
  return user.role === "admin" ? (
    <Chip kind="accent">Admin</Chip>
  ) : (
    <span className="text-muted">Consignor</span>
  );
}

/** A column that the server can sort by. The column's id is the server's name for it. */
function sortable(
  id: UserSort,
  column: Omit<Column<ListedUser>, "id" | "sortAs">,
): Column<ListedUser, UserSort> {
  return { ...column, id, sortAs: id };
}

function why(number: ExplainedNumber, { uid }: ListedUser): Why {
  return { kind: "number", number, uid };
}

const facts: readonly Column<ListedUser, UserSort>[] = [
  sortable("name", {
    header: "Name",
    card: "title",
    isTruncated: true,
    width: "min-w-36 w-[20%]",
    cell: (user) => user.name,
  }),
  sortable("email", {
    header: "Email",
    card: "line",
    isTruncated: true,
    width: "min-w-40 w-[20%]",
    cell: (user) => user.email ?? <Unknown reason="no email address" />,
  }),
  sortable("discord", {
    header: "Discord",
    card: "none",
    shownFrom: "77rem",
    isTruncated: true,
    width: "min-w-28 w-[12%]",
    cell: ({ discord }) =>
      discord === null ? <Unknown reason="not linked" /> : (discord.username ?? discord.id),
  }),
  sortable("units", {
    header: "Units",
    card: "none",
    align: "end",
    cell: (user) => formatCount(user.units),
  }),
  sortable("balance", {
    header: "Balance",
    card: "amount",
    align: "end",
    cell: (user) => (
      // Wide enough for an amount and "owed to the store" on one line.
      <span
        className={`font-semibold ${user.balance < 0 ? "not-in-data-cards:inline-block not-in-data-cards:min-w-50" : ""}`}
      >
        <WhyValue why={why("available", user)}>
          <Money cents={toCents(user.balance)} isBalance />
        </WhyValue>
      </span>
    ),
  }),
  sortable("pending", {
    header: "Pending",
    card: "none",
    align: "end",
    cell: (user) => (
      <WhyValue why={why("pendingPayouts", user)}>
        <Money cents={toCents(user.pending)} />
      </WhyValue>
    ),
  }),
  sortable("held", {
    header: "Held for trades",
    card: "none",
    shownFrom: "84rem",
    align: "end",
    cell: (user) => (
      <WhyValue why={why("heldForTrades", user)}>
        <Money cents={toCents(user.heldForTrades)} />
      </WhyValue>
    ),
  }),
  sortable("sales", {
    header: "30-day sales",
    card: "none",
    shownFrom: "77rem",
    align: "end",
    cell: (user) => <Money cents={toCents(user.sales30Days)} />,
  }),
  sortable("activity", {
    header: "Last activity",
    card: "end-line",
    cardLabel: "Active",
    shownFrom: "66rem",
    cell: (user) =>
      user.lastActivityAt === null ? (
        <Unknown reason="no activity yet" />
      ) : (
        <DateTime at={user.lastActivityAt} show="day" />
      ),
  }),
  sortable("role", {
    header: "Role",
    card: "chip",
    cell: (user) => (
      <span className={user.role === "user" && !user.deactivated ? "in-data-cards:hidden" : ""}>
        <RoleChip user={user} />
      </span>
    ),
  }),
];

/** Keep `onAct` stable: the table rerenders when its columns change. */
export function consignorColumns(
  onAct: OnAct,
  ownUid: string,
): readonly Column<ListedUser, UserSort>[] {
  return [
    ...facts,
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      card: "actions",
      align: "end",
      cell: (user) =>
        user.deactivated ? null : <RowActs user={user} ownUid={ownUid} onAct={onAct} />,
    },
  ];
}

type RowActsProps = {
  readonly user: ListedUser;
  readonly ownUid: string;
  readonly onAct: OnAct;
};

function RowActs({ user, ownUid, onAct }: RowActsProps) {
  return (
    <span className="-my-1 flex items-center justify-end gap-1 max-sm:gap-0">
      <IconButton icon={Pencil} label={`Edit ${user.name}`} onClick={() => onAct("edit", user)} />
      <Menu
        label={`More for ${user.name}`}
        items={consignorMenu(user, ownUid, (act) => onAct(act, user))}
      />
    </span>
  );
}

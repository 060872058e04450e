// The columns of the security log.
import type { ListedNote } from "#features/security/contract.ts";
import { securityKinds } from "#identity/security-kinds.ts";
import { formatCount } from "#web/lib/formats.ts";
import { deviceOf } from "#web/shared/account/device.ts";
import { OutcomeChip, outcomeWords } from "#web/shared/security/outcome-chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Unknown } from "#web/ui/unknown.tsx";

/** A /48 says more than one of its many addresses; what has too many networks has none. */
function sourceOf({ address, network }: ListedNote) {
  if (address !== null) {
    return <span className="font-mono text-12">{address}</span>;
  }
  return network === "others" || network === "none" ? (
    <Unknown reason={network === "others" ? "many networks at once" : "not known"} />
  ) : (
    <span className="font-mono text-12">{network}</span>
  );
}

function accountOf({ person, by, email }: ListedNote) {
  if (person === null) {
    return (
      <span className="text-muted">{email === null ? "Stranger" : `Unknown email ${email}`}</span>
    );
  }
  return by === null ? person.name : `${person.name}, by ${by.name}`;
}

export const columns: readonly Column<ListedNote>[] = [
  {
    id: "kind",
    header: "What happened",
    card: "title",
    isTruncated: true,
    width: "min-w-44 w-[28%]",
    cell: ({ kind, detail }) => (
      <>
        {securityKinds[kind]}
        {detail === null ? null : <span className="text-muted"> · {detail}</span>}
      </>
    ),
  },
  {
    id: "outcome",
    header: "Outcome",
    card: "chip",
    cell: ({ outcome }) =>
      // Most attempts go through: a chip on each line would hide the others.
      outcome === "ok" ? (
        <span className="text-muted in-data-cards:hidden">{outcomeWords.ok}</span>
      ) : (
        <OutcomeChip outcome={outcome} />
      ),
  },
  {
    id: "person",
    header: "Account",
    card: "line",
    isTruncated: true,
    width: "min-w-28 w-[20%]",
    cell: accountOf,
  },
  {
    id: "source",
    header: "Address",
    card: "line",
    isTruncated: true,
    width: "min-w-28 w-[16%]",
    cell: sourceOf,
  },
  {
    id: "device",
    header: "Device",
    card: "line",
    isTruncated: true,
    width: "min-w-24 w-[14%]",
    shownFrom: "66rem",
    cell: ({ userAgent }) =>
      userAgent === null ? (
        <Unknown reason="none, or several" />
      ) : (
        <span data-tip={userAgent}>{deviceOf(userAgent)}</span>
      ),
  },
  {
    id: "count",
    header: "Times",
    card: "amount",
    align: "end",
    cell: ({ count }) => `${formatCount(count)}×`,
  },
  {
    id: "lastAt",
    header: "Last at",
    card: "end-line",
    cell: ({ lastAt }) => <DateTime at={lastAt} />,
  },
];

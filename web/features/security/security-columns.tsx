// The columns of the security log.
import { accountIn, sourceIn, type ListedNote } from "#features/security/contract.ts";
import { outcomeWords, securityKinds } from "#identity/security-kinds.ts";
import { formatCount } from "#web/lib/formats.ts";
import { deviceOf } from "#web/shared/account/device.ts";
import { NotedTime } from "#web/shared/security/noted-time.tsx";
import { OutcomeChip } from "#web/shared/security/outcome-chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { Unknown } from "#web/ui/unknown.tsx";

function sourceOf(note: ListedNote) {
  const source = sourceIn(note);
  return source === null ? (
    <Unknown reason={note.network === "others" ? "many networks at once" : "not known"} />
  ) : (
    <span className="font-mono text-12">{source}</span>
  );
}

function accountOf(note: ListedNote) {
  return <span className={note.person === null ? "text-muted" : undefined}>{accountIn(note)}</span>;
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
        {detail === null ? null : (
          <span className="text-muted" data-tip={detail}>{` · ${detail}`}</span>
        )}
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
    id: "notedAt",
    header: "First at",
    card: "end-line",
    cell: NotedTime,
  },
];

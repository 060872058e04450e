// Up to which moment and position of the ledger the numbers above are true.
import { CircleCheck, Clock, TriangleAlert } from "lucide-react";
import { formatCount, formatSeconds } from "#web/lib/formats.ts";
import type { Freshness } from "#web/lib/read.ts";
import { Icon } from "./icon.tsx";

export function FreshnessLine({ freshness }: { readonly freshness: Freshness | undefined }) {
  if (freshness === undefined) {
    return <p className="h-4 text-12" />;
  }
  const { receivedAt, freshTo, isStale, heldRows } = freshness;
  const position = freshTo === undefined ? "" : ` (position ${formatCount(freshTo)})`;
  if (heldRows > 0) {
    return <HeldNotice rows={heldRows} />;
  }
  return isStale ? (
    <output className="flex items-center gap-1 text-12 text-pending">
      <Icon of={Clock} size={14} />
      Catching up: as of {formatSeconds(new Date(receivedAt))}
      {position}, newer entries follow
    </output>
  ) : (
    <p className="flex items-center gap-1 text-12 text-faint tabular-nums">
      <Icon of={CircleCheck} size={14} />
      Up to date as of {formatSeconds(new Date(receivedAt))}
      {position}
    </p>
  );
}

/** Stands where people look for how true the numbers are: these are not. */
function HeldNotice({ rows }: { readonly rows: number }) {
  const what = rows === 1 ? "1 row is" : `${formatCount(rows)} rows are`;
  return (
    <output className="flex items-start gap-1 text-12 text-pending">
      <Icon of={TriangleAlert} size={14} />
      {what} held back: lists and totals here are incomplete until the store's operator mends it.
      Nothing is lost.
    </output>
  );
}

// The time and ledger position up to which the numbers above are complete.
import { CircleCheck, Clock, TriangleAlert, WifiOff } from "lucide-react";
import { formatCount, formatSeconds } from "#web/lib/formats.ts";
import type { Freshness } from "#web/lib/read.ts";
import { useConnection } from "#web/lib/use-connection.ts";
import { Icon } from "./icon.tsx";

type FreshnessProps = { readonly freshness: Freshness | undefined };

type FreshnessLineProps = FreshnessProps & {
  /** Goes below the list. Its `HeldNotice` goes above. */
  readonly isBelow?: boolean;
};

export function FreshnessLine({ freshness, isBelow = false }: FreshnessLineProps) {
  const connection = useConnection();
  if (freshness === undefined) {
    return <p className="h-4 text-12" />;
  }
  const { receivedAt, freshTo, isStale, heldRows } = freshness;
  if (heldRows > 0) {
    return isBelow ? null : <HeldNotice freshness={freshness} />;
  }
  const position = freshTo === undefined ? "" : ` (position ${formatCount(freshTo)})`;
  const asOf = `as of ${formatSeconds(new Date(receivedAt))}${position}`;
  return connection !== "connected" ? (
    <Pending icon={WifiOff} text={`Offline: ${asOf}`} />
  ) : isStale ? (
    // Without the time of this answer: a table that stands still is as old tomorrow.
    <Pending icon={Clock} text={`Catching up: newer entries follow${position}`} />
  ) : (
    <p className="flex items-center gap-1 text-12 text-faint tabular-nums">
      <Icon of={CircleCheck} size={14} />
      Up to date {asOf}
    </p>
  );
}

/** Warns before a list that rows are missing from it. Renders nothing if none are. */
export function HeldNotice({ freshness }: FreshnessProps) {
  return (freshness?.heldRows ?? 0) > 0 ? (
    <Pending icon={TriangleAlert} text="Some entries are missing here, so totals may be wrong." />
  ) : null;
}

function Pending({ icon, text }: { readonly icon: typeof Clock; readonly text: string }) {
  return (
    <output className="flex items-center gap-1 text-12 text-pending">
      <Icon of={icon} size={14} />
      {text}
    </output>
  );
}

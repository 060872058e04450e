// An item's history, newest first: each event in words, with units, who did it, and the sale it belongs to.
import {
  ArrowDownToLine,
  ArrowRightLeft,
  ArrowUpFromLine,
  Handshake,
  ListChecks,
  Pencil,
  RotateCcw,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { Link } from "react-router-dom";
import type { TimelineLine } from "#features/inventory/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { orderPath, paths } from "#web/paths.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SaleIcon } from "#web/ui/thing-icons.ts";
import { TimelineEntry } from "#web/ui/timeline-entry.tsx";
import { ConsignorName } from "./consignor-name.tsx";
import { useItemTimeline } from "./inventory-api.ts";

const icons: Readonly<Record<TimelineLine["kind"], LucideIcon>> = {
  in: ArrowDownToLine,
  out: ArrowUpFromLine,
  sold: SaleIcon,
  traded: Handshake,
  back: RotateCcw,
  moved: ArrowRightLeft,
  edited: Pencil,
  counted: ListChecks,
  removed: Trash2,
};

type ItemTimelineProps = {
  readonly itemId: string;
  /** True if the drawer already says that rows are held. */
  readonly isHeldSaid: boolean;
};

export function ItemTimeline({ itemId, isHeldSaid }: ItemTimelineProps) {
  const timeline = useItemTimeline(itemId);
  return (
    <section aria-label="History" className="flex flex-col gap-3">
      <h3 className="text-14 font-semibold">History</h3>
      {isHeldSaid ? null : <HeldNotice freshness={timeline.freshness} />}
      {timeline.rows === undefined ? (
        timeline.error === undefined ? (
          <TimelineSkeleton />
        ) : (
          <ErrorState
            title="The history could not be loaded"
            error={timeline.error}
            onRetry={timeline.refresh}
          />
        )
      ) : (
        <ol className="flex flex-col">
          {timeline.rows.map((line) => (
            <Entry key={line.line} line={line} />
          ))}
        </ol>
      )}
      <LoadMore list={timeline} className="self-center" />
    </section>
  );
}

function TimelineSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-6 py-1">
      {["a", "b", "c"].map((key) => (
        <div key={key} className="flex gap-3">
          <Skeleton className="size-7 shrink-0 rounded-pill" />
          <div className="flex grow flex-col gap-2">
            <Skeleton className="h-3.5 w-40" />
            <Skeleton className="h-3 w-56" />
          </div>
        </div>
      ))}
    </div>
  );
}

function Entry({ line }: { readonly line: TimelineLine }) {
  const { kind, title, notes, reason, consignorID, saleID, price, data } = line;
  const tradeId = data?.["tradeId"];
  return (
    <TimelineEntry icon={icons[kind]}>
      <div className="flex items-baseline justify-between gap-3">
        <p className="min-w-0 font-medium wrap-anywhere">
          {withIsolatedNames(title)}
          {consignorID === null ? null : (
            <>
              {" to "}
              <ConsignorName uid={consignorID} />
            </>
          )}
          {price === null ? null : ` for ${formatMoney(toCents(price))}`}
        </p>
        <Units line={line} />
      </div>
      {notes.map((note) => (
        <p key={note} className="text-muted wrap-anywhere">
          {withIsolatedNames(note)}
        </p>
      ))}
      {reason === null ? null : <p className="wrap-anywhere">{`“${reason}”`}</p>}
      <p className="flex flex-wrap items-center gap-x-1.5 text-12 text-faint">
        <DateTime at={line.happenedAt} />
        <Actor line={line} />
        {saleID === null ? null : (
          <Opening to={`${paths.adminSales}?sale=${saleID}`}>Open sale</Opening>
        )}
        {typeof tradeId === "string" ? <Opening to={orderPath(tradeId)}>Open trade</Opening> : null}
      </p>
    </TimelineEntry>
  );
}

/** A link to what the line is about. */
function Opening({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <>
      <span aria-hidden="true">·</span>
      <Link
        to={to}
        className="inline-flex min-h-6 items-center text-accent hover:underline sm:min-h-4"
      >
        {children}
      </Link>
    </>
  );
}

/** The change in units and the number left; nothing if only text changed. */
function Units({ line }: { readonly line: TimelineLine }) {
  const { unitsDelta, unitsAfter } = line;
  const change = `${unitsDelta > 0 ? "+" : ""}${formatCount(unitsDelta)}`;
  return (
    <p className="shrink-0 text-end tabular-nums">
      {unitsDelta === 0 ? null : (
        <span className={`font-medium ${unitsDelta > 0 ? "text-credit" : ""}`}>{change} </span>
      )}
      <span className="text-12 text-muted">{`${formatCount(unitsAfter)} left`}</span>
    </p>
  );
}

function Actor({ line }: { readonly line: TimelineLine }) {
  const name =
    line.actorDisplayName ??
    (line.actor === null
      ? undefined
      : line.actor.startsWith("system:")
        ? `the system (${line.actor.slice("system:".length)})`
        : line.actor);
  return name === undefined ? null : (
    <span className="min-w-0 truncate">{withIsolatedNames(`by ${name}`)}</span>
  );
}

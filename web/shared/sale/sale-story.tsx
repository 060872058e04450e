// A sale's story, newest first: each version with what it changed from and to, who did it, when and why, and refunds.
import { CircleDollarSign, Pencil, RotateCcw, type LucideIcon } from "lucide-react";
import type { StoryChange, StoryEntry } from "#features/sales/contract-story.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { consignorHistoryPath, paths } from "#web/paths.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TimelineEntry } from "#web/ui/timeline-entry.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { useSaleStory } from "./sale-api.ts";

type Reader = {
  /** Whose ledger has the sale's lines; null for a sale of the store's own item. */
  readonly consignorId: string | null;
  /** False if an admin reads it. */
  readonly isOwn: boolean;
  /** Asked to correct how the money of a refund went back; undefined where that cannot be done. */
  readonly onRefundWrong?: ((refund: NonNullable<StoryEntry["refund"]>) => void) | undefined;
};

export function SaleStory({ saleId, ...reader }: Reader & { readonly saleId: string }) {
  const story = useSaleStory(saleId);
  return (
    <section aria-label="Story" className="flex flex-col gap-3">
      <h3 className="font-semibold">Story</h3>
      {story.rows === undefined ? (
        story.error === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <ErrorState
            title="The story could not be loaded"
            error={story.error}
            onRetry={story.refresh}
          />
        )
      ) : (
        <ol className="flex flex-col">
          {story.rows.map((entry) => (
            <Entry key={entry.version} entry={entry} {...reader} />
          ))}
        </ol>
      )}
      <LoadMore list={story} className="self-center" />
    </section>
  );
}

const icons: Readonly<Record<StoryEntry["kind"], LucideIcon>> = {
  recorded: CircleDollarSign,
  corrected: Pencil,
  refunded: RotateCcw,
};

function Entry({ entry, ...reader }: Reader & { readonly entry: StoryEntry }) {
  const { kind, title, notes, amounts, changes, reason, actor, happenedAt, recordedAt } = entry;
  return (
    <TimelineEntry icon={icons[kind]}>
      <div className="flex flex-col gap-1">
        <p className="font-medium">{title}</p>
        {amounts.length === 0 ? null : (
          <p className="flex flex-wrap gap-x-3 text-muted">
            {amounts.map(({ label, amount }) => (
              <span key={label} className="whitespace-nowrap">
                {label} <Money cents={toCents(amount)} />
              </span>
            ))}
          </p>
        )}
        {notes.map((note) => (
          <p key={note} className="text-muted">
            {note}
          </p>
        ))}
        {changes.length === 0 ? null : <Changes changes={changes} />}
        {reason === null ? null : <p className="wrap-anywhere">{`“${reason}”`}</p>}
        <p className="flex flex-wrap items-center gap-x-1.5 text-12 text-faint">
          <DateTime at={happenedAt} />
          {isLate(happenedAt, recordedAt) ? (
            <span className="whitespace-nowrap">
              (recorded <DateTime at={recordedAt} />)
            </span>
          ) : null}
          <span className="min-w-0 truncate">{withIsolatedNames(`by ${actor.name}`)}</span>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-12">
          <Links entry={entry} {...reader} />
        </p>
      </div>
    </TimelineEntry>
  );
}

const LATE_MS = 60_000;

function isLate(happenedAt: string, recordedAt: string): boolean {
  return Date.parse(recordedAt) - Date.parse(happenedAt) > LATE_MS;
}

function Changes({ changes }: { readonly changes: readonly StoryChange[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,max-content)_1fr] gap-x-4 gap-y-0.5">
      {changes.map((change) => (
        <div key={change.label} className="contents">
          <dt className="text-muted">{change.label}</dt>
          <dd className="min-w-0 wrap-anywhere tabular-nums">
            <span className="text-muted line-through decoration-1">
              <span className="sr-only">from </span>
              {shown(change, "before")}
            </span>
            <span className="sr-only"> to</span> <span>{shown(change, "after")}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function shown(change: StoryChange, side: "before" | "after"): string {
  if (change.kind === "text") {
    return change[side];
  }
  const dollars = change[side];
  return dollars === null ? "no price" : formatMoney(toCents(dollars));
}

/** To the entry in the consignor's ledger, and to the event in the audit log. */
function Links({
  entry,
  consignorId,
  isOwn,
  onRefundWrong,
}: Reader & { readonly entry: StoryEntry }) {
  const { ledger, position, refund } = entry;
  const history =
    consignorId === null
      ? undefined
      : `${isOwn ? paths.salesHistory : consignorHistoryPath(consignorId)}?at=${position}`;
  return (
    <>
      {ledger === null || history === undefined ? null : (
        <TextLink to={history}>
          <span>
            {`Ledger entry ${ledger.line}, `}
            <span className="whitespace-nowrap">{formatMoney(toCents(ledger.amount), true)}</span>
          </span>
        </TextLink>
      )}
      <TextLink to={auditPath({ position }, isOwn)}>Event</TextLink>
      {refund === null || onRefundWrong === undefined ? null : (
        <TextButton onClick={() => onRefundWrong(refund)}>Correct how it went back</TextButton>
      )}
    </>
  );
}

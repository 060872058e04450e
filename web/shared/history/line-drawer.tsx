// One ledger line in detail: how its amount was calculated, the balance before and after, when, and by whom.
import type { LedgerLine } from "#features/accounts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import type { Freshness } from "#web/lib/read.ts";
import { AuditLink } from "#web/shared/audit/audit-link.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { TextLink } from "#web/ui/text-link.tsx";
import { WhyLink } from "#web/shared/explain/line-links.tsx";
import { Calculation } from "./calculation.tsx";
import { useLedgerLine } from "./history-api.ts";
import { LineChip } from "./line-chip.tsx";

type LineDrawerProps = {
  /** Whose account it is in. */
  readonly uid: string;
  /** The number of the line. */
  readonly id: string;
  /** The line as the list shows it, until the line's own read has loaded. */
  readonly known: LedgerLine | undefined;
  /** The address of the line's trade. */
  readonly tradePathOf: (tradeId: string) => string;
  /** False if an admin looks at another person's line. */
  readonly isOwn: boolean;
  /** The list's freshness, until the line's own read has loaded. */
  readonly listFreshness: Freshness | undefined;
  readonly onClose: () => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
};

export function LineDrawer(props: LineDrawerProps) {
  const { uid, id, known, tradePathOf, isOwn, listFreshness, onClose, onPrevious, onNext } = props;
  const read = useLedgerLine(uid, id);
  const line = read.line ?? known;
  return (
    <Drawer
      title={line?.description ?? "Entry"}
      subtitle={line === undefined ? undefined : <LineChip line={line} />}
      freshness={read.freshness ?? listFreshness}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      {line !== undefined ? (
        <div className="flex flex-col gap-6">
          <Calculation steps={line.explanation} isOwn={isOwn} />
          <BalanceEffect line={line} />
          <FactList facts={factsOf(line, tradePathOf, isOwn)} />
        </div>
      ) : read.error !== undefined ? (
        <ErrorState
          title="The entry could not be loaded"
          error={read.error}
          onRetry={read.refresh}
        />
      ) : read.isLoading ? (
        <Skeleton className="h-48" />
      ) : (
        <EmptyState icon={HistoryIcon} title="This entry does not exist">
          The link is incomplete.
        </EmptyState>
      )}
    </Drawer>
  );
}

function BalanceEffect({ line }: { readonly line: LedgerLine }) {
  const amount = toCents(line.amount);
  const after = toCents(line.balanceAfter);
  const inTransit = toCents(line.inTransitChange);
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">Effect on the balance</h3>
      <SumLines
        lines={[
          { label: "Available before", cents: after - amount },
          { label: "This entry", cents: amount, isChange: true },
        ]}
        total={{ label: "Available after", cents: after, isBalance: true }}
      />
      {inTransit === 0 ? null : (
        <p className="text-12 text-muted">
          Pending payouts: <Money cents={toCents(line.inTransitAfter) - inTransit} /> before,{" "}
          <Money cents={toCents(line.inTransitAfter)} /> after.
        </p>
      )}
    </section>
  );
}

function factsOf(line: LedgerLine, tradePathOf: LineDrawerProps["tradePathOf"], isOwn: boolean) {
  const { saleID, payoutID } = line;
  return [
    { label: "Happened", value: <DateTime at={line.happenedAt} /> },
    { label: "Recorded", value: <DateTime at={line.recordedAt} /> },
    ...(line.actor === null ? [] : [{ label: "By", value: line.actor.displayName }]),
    ...(line.tradeID === null
      ? []
      : [
          {
            label: "Trade",
            value: <TextLink to={tradePathOf(line.tradeID)}>Open trade</TextLink>,
          },
        ]),
    ...(saleID === null
      ? []
      : [
          {
            label: "Money",
            value: <WhyLink why={{ kind: "sale", id: saleID }}>What it paid for</WhyLink>,
          },
        ]),
    ...(payoutID === null
      ? []
      : [
          {
            label: "Money",
            value: <WhyLink why={{ kind: "payout", id: payoutID }}>What funded it</WhyLink>,
          },
        ]),
    ...(line.note === null ? [] : [{ label: "Reason", value: line.note }]),
    { label: "Entry", value: `${formatCount(line.line)} of this account` },
    { label: "Position", value: `${formatCount(line.position)} in the store's ledger` },
    { label: "Event", value: <AuditLink to={{ position: line.position }} isOwn={isOwn} /> },
  ];
}

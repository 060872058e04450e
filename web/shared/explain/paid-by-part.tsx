// Where a sale's money went: payouts and trades that it paid for, what refunds took, and what is left.
import type { PaidByResponse } from "#features/accounts/contract-funding.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { StoreIcon } from "#web/ui/thing-icons.ts";
import { usePaidBy } from "./explain-api.ts";
import { sumSentence } from "./explain-words.ts";
import { LineLinks, WhyLink } from "./line-links.tsx";
import { SumCheck } from "./sum-check.tsx";

export function PaidByPart({ saleId }: { readonly saleId: string }) {
  const { data, error, refresh, freshness } = usePaidBy(saleId);
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-60" />
    ) : (
      <ErrorState
        title="What the sale paid for could not be loaded"
        thing="sale"
        error={error}
        onRetry={refresh}
      />
    );
  }
  const { consignorID, credited, summed, isBalanced } = data;
  if (consignorID === null) {
    return (
      <EmptyState icon={StoreIcon} title="The store's own item">
        Nobody is paid for it.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={freshness} />
      <div className="flex flex-col gap-1">
        <p className="text-24 font-semibold">
          <Money cents={toCents(credited)} />
        </p>
        <p className="text-12 text-muted">What the sale and its corrections added to the balance</p>
        <SumCheck
          isBalanced={isBalanced}
          sentence={sumSentence(partsOf(data), formatMoney(toCents(summed)))}
          shown={formatMoney(toCents(credited))}
        />
      </div>
      <Uses uid={consignorID} paid={data} />
      {data.itemID === null ? null : (
        <WhyLink why={{ kind: "item", id: data.itemID }}>Where the item came from</WhyLink>
      )}
    </div>
  );
}

function partsOf({ reduced, uses, remaining }: PaidByResponse): number {
  return uses.length + (reduced === 0 ? 0 : 1) + (remaining === 0 ? 0 : 1);
}

function Uses({ uid, paid }: { readonly uid: string; readonly paid: PaidByResponse }) {
  return (
    <ul aria-label="Paid for" className="divide-y divide-border rounded-card border border-border">
      <Part label="Taken back by refunds and corrections" dollars={paid.reduced} />
      {paid.uses.map((use) => (
        <li key={use.line} className="flex flex-col gap-0.5 px-4 py-2">
          <span className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">{withIsolatedNames(use.description)}</span>
            <Money cents={toCents(use.amount)} />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
            <DateTime at={use.happenedAt} />
            <LineLinks
              uid={uid}
              saleId={null}
              payoutId={use.payoutID}
              tradeId={use.tradeID}
              position={use.position}
            />
          </span>
        </li>
      ))}
      <Part label="Still available" dollars={paid.remaining} />
    </ul>
  );
}

function Part({ label, dollars }: { readonly label: string; readonly dollars: number }) {
  return dollars === 0 ? null : (
    <li className="flex justify-between gap-4 px-4 py-2">
      <span>{label}</span>
      <Money cents={toCents(dollars)} />
    </li>
  );
}

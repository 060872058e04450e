// A number over all people as the sum of theirs, the largest first. Each opens its own explanation.
import type { TotalNumber } from "#features/accounts/contract-explain-store.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useTotal } from "./explain-api.ts";
import { SumCheck } from "./sum-check.tsx";
import { WhyValue } from "./why-value.tsx";

export function TotalPart({ number }: { readonly number: TotalNumber }) {
  const total = useTotal(number);
  const first = total.pages?.[0];
  if (first === undefined) {
    return total.error === undefined ? (
      <Skeleton className="h-60" />
    ) : (
      <ErrorState
        title="The explanation could not be loaded"
        error={total.error}
        onRetry={total.refresh}
      />
    );
  }
  const { closing, summed, isBalanced, lineCount, position } = first;
  const sum = formatMoney(toCents(summed));
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={total.freshness} />
      <div className="flex flex-col gap-1">
        <p className="text-24 font-semibold">
          <Money cents={toCents(closing)} />
        </p>
        <SumCheck
          isBalanced={isBalanced}
          sentence={`The amounts of ${formatQuantity(lineCount, "person", "people")} sum to ${sum}.`}
          shown={formatMoney(toCents(closing))}
        />
        <p className="text-12 text-muted">{`At position ${formatCount(position)} of the ledger`}</p>
      </div>
      <ul
        aria-label="By person"
        className="divide-y divide-border rounded-card border border-border"
      >
        {(total.rows ?? []).map(({ consignorID, displayName, number: own, amount }) => (
          <li
            key={consignorID}
            className="flex min-h-9 items-center justify-between gap-4 px-4 py-1.5"
          >
            <span className="min-w-0 wrap-anywhere">{displayName}</span>
            <WhyValue why={{ kind: "number", number: own, uid: consignorID }}>
              <Money cents={toCents(amount)} />
            </WhyValue>
          </li>
        ))}
      </ul>
      <LoadMore list={total} className="self-start" />
    </div>
  );
}

// The answer to "what am I owed?": what can be cashed out now, and the button to request it.
import type { SummaryResponse } from "#features/accounts/contract-summary.ts";
import { toCents } from "#ledger/money.ts";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import { Button } from "#web/ui/button.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

type CashOutCardProps = {
  readonly uid: string;
  /** Undefined while loading. */
  readonly summary: SummaryResponse | undefined;
  readonly onRequest: () => void;
  /** Called when the dialog is about to be opened, so that it opens without a wait. */
  readonly onReach: () => void;
};

export function CashOutCard({ uid, summary, onRequest, onReach }: CashOutCardProps) {
  const available = summary?.available ?? 0;
  return (
    <section
      aria-label="Available"
      className="card flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-4"
    >
      <h2 className="flex min-w-0 flex-col gap-0.5">
        <span className="text-muted">
          {available < 0 ? "Nothing to cash out:" : "You can cash out"}
        </span>{" "}
        {summary === undefined ? (
          <Skeleton className="my-1 h-8 w-36" />
        ) : (
          <span className="text-32 font-semibold tabular-nums">
            <WhyValue why={{ kind: "number", number: "available", uid }}>
              <Money cents={toCents(available)} isBalance />
            </WhyValue>
          </span>
        )}
      </h2>
      <div className="flex flex-col max-sm:w-full">
        <Button
          variant="primary"
          disabled={available <= 0}
          onClick={onRequest}
          onPointerEnter={onReach}
          onFocus={onReach}
        >
          Request payout
        </Button>
      </div>
      {available < 0 ? (
        <p className="w-full text-muted">
          Your next sales pay this off first. After that you can cash out again.
        </p>
      ) : null}
    </section>
  );
}

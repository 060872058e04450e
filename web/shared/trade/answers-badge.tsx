// The number of offers that wait for the viewer's answer, next to their navigation entry. Every screen loads this.
import { waitingAnswersResponse } from "#features/trades/contract-badge.ts";
import { useRead } from "#web/lib/read.ts";
import { Chip } from "#web/ui/chip.tsx";

function badgeOf(...parts: readonly ("offers" | "counters")[]) {
  return function Badge() {
    const { data } = useRead("/trades/offers/count", waitingAnswersResponse);
    const waiting = parts.reduce((sum, part) => sum + (data?.[part] ?? 0), 0);
    return waiting === 0 ? null : (
      <Chip kind="accent">
        {waiting}
        <span className="sr-only"> to answer</span>
      </Chip>
    );
  };
}

/** Offers to answer as their seller. */
export const OffersBadge = badgeOf("offers");

/** Counters to answer as the buyer. */
export const CountersBadge = badgeOf("counters");

/** Both, where one entry stands for both screens. */
export const AnswersBadge = badgeOf("offers", "counters");

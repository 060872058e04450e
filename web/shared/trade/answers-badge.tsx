// The number of offers that wait for the viewer's answer, next to their navigation entry. Every screen loads this.
import { waitingAnswersResponse } from "#features/trades/contract-badge.ts";
import { formatCount } from "#web/lib/formats.ts";
import { useRead } from "#web/lib/read.ts";

const pollMs = 30_000;

function useWaiting() {
  const { data } = useRead("/trades/offers/count", waitingAnswersResponse, { pollMs });
  return data ?? { offers: 0, counters: 0 };
}

function Badge({ waiting, noun }: { readonly waiting: number; readonly noun: string }) {
  return waiting === 0 ? null : (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-pill bg-accent px-1.5 text-12 font-medium text-on-accent tabular-nums">
      {waiting > 99 ? "99+" : formatCount(waiting)}
      <span className="sr-only">{` ${noun}${waiting === 1 ? "" : "s"} to answer`}</span>
    </span>
  );
}

/** Offers to answer as their seller. */
export function OffersBadge() {
  return <Badge waiting={useWaiting().offers} noun="offer" />;
}

/** Counters to answer as the buyer. */
export function CountersBadge() {
  return <Badge waiting={useWaiting().counters} noun="counter" />;
}

/** Both, where one entry stands for both screens. */
export function AnswersBadge() {
  const { offers, counters } = useWaiting();
  return <Badge waiting={offers + counters} noun="offer" />;
}

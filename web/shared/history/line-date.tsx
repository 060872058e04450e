// When a ledger line happened. A late one also says when it was recorded: first where the list is in that order.
import { DateTime } from "#web/ui/date-time.tsx";

type Line = {
  readonly happenedAt: string;
  readonly recordedAt: string;
  readonly isLate: boolean;
  /** What views by what had happened go by: a correction counts from its sale. */
  readonly effectiveAt?: string;
};

type LineDateProps = {
  readonly line: Line;
  /** Whether the list goes by when things happened, not by when they were recorded. */
  readonly byHappened?: boolean;
};

export function LineDate({ line, byHappened = false }: LineDateProps) {
  const { happenedAt, recordedAt, effectiveAt = happenedAt } = line;
  const isCorrection = byHappened && effectiveAt !== happenedAt;
  const [first, word, second] = isCorrection
    ? ([effectiveAt, "corrected", happenedAt] as const)
    : byHappened
      ? ([happenedAt, "recorded", recordedAt] as const)
      : ([recordedAt, "for", happenedAt] as const);
  return line.isLate || isCorrection ? (
    // A phone's card cuts its line. Both dates have to be readable.
    <span className="whitespace-normal sm:whitespace-nowrap">
      <DateTime at={first} show="day" />,{" "}
      <span className="whitespace-nowrap">
        {word} <DateTime at={second} show="day" />
      </span>
    </span>
  ) : (
    <DateTime at={happenedAt} />
  );
}

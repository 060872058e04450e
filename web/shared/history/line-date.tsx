// When a ledger line happened. A late one also says when it was recorded: first where the list is in that order.
import { DateTime } from "#web/ui/date-time.tsx";

type Line = {
  readonly happenedAt: string;
  readonly recordedAt: string;
  readonly isLate: boolean;
};

type LineDateProps = {
  readonly line: Line;
  /** Whether the list goes by when things happened, not by when they were recorded. */
  readonly byHappened?: boolean;
};

export function LineDate({ line, byHappened = false }: LineDateProps) {
  const [first, word, second] = byHappened
    ? ([line.happenedAt, "recorded", line.recordedAt] as const)
    : ([line.recordedAt, "for", line.happenedAt] as const);
  return line.isLate ? (
    // A phone's card cuts its line. Both dates have to be readable.
    <span className="whitespace-normal sm:whitespace-nowrap">
      <DateTime at={first} show="day" />,{" "}
      <span className="whitespace-nowrap">
        {word} <DateTime at={second} show="day" />
      </span>
    </span>
  ) : (
    <DateTime at={line.happenedAt} />
  );
}

// A person's ledger folded by hand from stored events: the oracle of everything that explains an account or shows its past.
import type { StoredEvent } from "#ledger/log/read.ts";

export type FoldedLine = {
  readonly line: number;
  readonly position: number;
  readonly type: string;
  readonly available: number;
  readonly inTransit: number;
  /** ISO 8601: when the statement's month was decided, when it happened, and when it counts from. */
  readonly bookedAt: string;
  readonly happenedAt: string;
  readonly effectiveAt: string;
  readonly recordedAtMicros: bigint;
  readonly event: StoredEvent;
};

export function isoOf(micros: bigint): string {
  return new Date(Number(micros / 1000n)).toISOString();
}

/**
 * When an event happened, but not before the end of the last month that was closed by then. Call it for each event, in
 * the order of the log.
 */
export function openAt(): (event: StoredEvent) => string {
  let closedUntil = "";
  return (event) => {
    const happened = isoOf(event.happenedAtMicros);
    const at = happened > closedUntil ? happened : closedUntil;
    const to = event.type === "MonthClosed" ? String(fieldOf(event, "to")) : "";
    closedUntil = to > closedUntil ? to : closedUntil;
    return at;
  };
}

/** What an event's postings add to an account. */
export function changeOf({ postings }: StoredEvent, account: string): number {
  return postings.reduce(
    (sum, { from, to, cents }) =>
      sum + (to === account ? cents : 0) - (from === account ? cents : 0),
    0,
  );
}

function fieldOf({ data }: StoredEvent, name: string): unknown {
  return Reflect.get(Object(data), name);
}

/** All lines of a person, oldest first. */
export function foldAccount(events: readonly StoredEvent[], uid: string): FoldedLine[] {
  const lines: FoldedLine[] = [];
  const soldAt = new Map<unknown, string>();
  const openAtOf = openAt();
  for (const event of events) {
    const opened = openAtOf(event);
    const happenedAt = isoOf(event.happenedAtMicros);
    const saleId = fieldOf(event, "saleId");
    soldAt.set(saleId, soldAt.get(saleId) ?? happenedAt);
    if (!event.streams.some(({ streamId }) => streamId === `consignor-${uid}`)) {
      continue;
    }
    const before = lines.at(-1)?.bookedAt ?? "";
    lines.push({
      line: lines.length + 1,
      position: event.position,
      type: event.type,
      available: changeOf(event, `consignor:${uid}:available`),
      inTransit: changeOf(event, `consignor:${uid}:payouts`),
      bookedAt: opened > before ? opened : before,
      happenedAt,
      effectiveAt: event.type === "SaleCorrected" ? (soldAt.get(saleId) ?? "") : happenedAt,
      recordedAtMicros: event.recordedAtMicros,
      event,
    });
  }
  return lines;
}

/** The sum of what each line adds. */
export function sumOf(
  lines: readonly FoldedLine[],
  amountOf: (line: FoldedLine) => number,
): number {
  return lines.reduce((sum, line) => sum + amountOf(line), 0);
}

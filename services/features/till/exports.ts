// The counted days of the till as lines of a CSV file, one for each count.
import { money } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import type { TillClosing } from "#features/till/contract.ts";
import type { Words } from "#features/till/queries.ts";
import { listClosings } from "#features/till/queries.ts";

/** Whole days: a day may have several counts. */
const PAGE_DAYS = 500;

const TENDERS = [
  ["Cash", "cash"],
  ["Card", "card"],
  ["Other", "other"],
  ["Not said", null],
] as const;

export const CLOSINGS_CSV_HEAD: readonly string[] = [
  "Day",
  "At opening",
  "Put in",
  "Taken out",
  "Expected",
  "Counted",
  "Difference",
  "Stayed",
  ...TENDERS.flatMap(([name]) => [`${name} sales`, `${name} refunds`]),
  "Counted by",
  "Counted at",
  "Note",
  "Counted again later",
  "Opening is now",
  ...TENDERS.map(([name]) => `${name} since`),
];

function cellsOf(closing: TillClosing): readonly Cell[] {
  const paid = TENDERS.flatMap(([, tender]) => {
    const payment = closing.payments.find((one) => one.tender === tender);
    return [money(payment?.soldAmount ?? 0), money(payment?.refundedAmount ?? 0)];
  });
  return [
    closing.day,
    money(closing.openingAmount),
    money(closing.paidInAmount),
    money(closing.paidOutAmount),
    money(closing.expectedAmount),
    money(closing.countedAmount),
    money(closing.differenceAmount),
    money(closing.leftAmount),
    ...paid,
    closing.closedBy.displayName,
    closing.closedAt,
    closing.note,
    closing.isReplaced ? "yes" : null,
    money(closing.newOpening?.amount ?? null),
    ...TENDERS.map(([, tender]) =>
      money(closing.since.find((one) => one.tender === tender)?.amount ?? null),
    ),
  ];
}

/** Every count, the newest day first, in batches. */
export async function* exportClosings(
  reads: Reads,
  words: Words,
  pageDays = PAGE_DAYS,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  let before: string | undefined;
  do {
    const page = await listClosings(reads, words, { before, limit: pageDays });
    yield page.closings.map(cellsOf);
    before = page.nextBefore ?? undefined;
  } while (before !== undefined);
}

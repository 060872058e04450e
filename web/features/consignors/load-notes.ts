// What an admin should know about a loaded export: what was rounded, what lacks a handle, what is not taken over.
import type { LoadLegacyResponse } from "#features/migration/contract.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";

const MOST_NAMED = 8;

/** A sentence each, over the answers to all parts of the file. */
export function loadNotes(answers: readonly LoadLegacyResponse[]): readonly string[] {
  const sum = (of: (answer: LoadLegacyResponse) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
  const rounded = sum((answer) => answer.rounded);
  const withoutHandle = sum((answer) => answer.withoutHandle);
  const ignored = new Map<string, number>();
  for (const { field, count } of answers.flatMap((answer) => answer.ignored)) {
    ignored.set(field, (ignored.get(field) ?? 0) + count);
  }
  const named = [...ignored]
    .slice(0, MOST_NAMED)
    .map(([field, count]) => `${field} (${formatCount(count)})`);
  const more = ignored.size - named.length;
  return [
    ...(rounded === 0 ? [] : [`${formatQuantity(rounded, "amount")} rounded to the cent.`]),
    ...(withoutHandle === 0
      ? []
      : [
          `${formatQuantity(withoutHandle, "unpaid payout")} without a handle: ask for it before you pay.`,
        ]),
    ...(named.length === 0
      ? []
      : [
          `Not taken over: ${[...named, ...(more === 0 ? [] : [formatQuantity(more, "other field")])].join(", ")}.`,
        ]),
  ];
}

// How the days of visits read: they are days of the store, not instants.
import { dayWords } from "#ledger/day-text.ts";

const dayOf = dayWords("UTC", "no year");

/** "18 Nov" of "2026-11-18". */
export const dayText = (day: string): string => dayOf(new Date(day));

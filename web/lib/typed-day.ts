// A day, with or without its time, as people type it and as fields show it: "21 Nov", "21 Nov 2025, 14:02".
import { formatDay, formatDayTime } from "./formats.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** What a native date field would hold: "2026-11-21", with its time "2026-11-21T14:02". */
export type DayKind = "day" | "day-time";

type Parts = { readonly year: number; readonly month: number; readonly day: number };

function monthOf(word: string): number | undefined {
  const index = months.indexOf(word.slice(0, 3).toLowerCase());
  return index === -1 ? undefined : index + 1;
}

/** "26" is 2026. */
function yearOf(text: string | undefined, now: Date): number {
  return text === undefined ? now.getFullYear() : Number(text.length === 2 ? `20${text}` : text);
}

function partsOf(text: string, now: Date): Parts | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/u.exec(text);
  if (iso !== null) {
    return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  }
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/u.exec(text);
  if (slashed !== null) {
    return { year: yearOf(slashed[3], now), month: Number(slashed[1]), day: Number(slashed[2]) };
  }
  const dayFirst = /^(\d{1,2})\.? ?([a-z]{3,9})\.?(?:,? ?(\d{4}|\d{2}))?$/iu.exec(text);
  const monthFirst = /^([a-z]{3,9})\.? ?(\d{1,2})(?:,? (\d{4}|\d{2}))?$/iu.exec(text);
  const [day, word, year] =
    dayFirst === null
      ? [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]]
      : [dayFirst[1], dayFirst[2], dayFirst[3]];
  const month = word === undefined ? undefined : monthOf(word);
  return month === undefined ? undefined : { year: yearOf(year, now), month, day: Number(day) };
}

function shifted(text: string, now: Date): Parts | undefined {
  const word = text.toLowerCase();
  if (word !== "today" && word !== "yesterday") {
    return undefined;
  }
  const date = new Date(
    now.getFullYear(),
    now.getMonth(),
    now.getDate() - (word === "today" ? 0 : 1),
  );
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}

function isReal({ year, month, day }: Parts): boolean {
  const date = new Date(year, month - 1, day);
  return year >= 1900 && date.getMonth() === month - 1 && date.getDate() === day;
}

const two = (part: number): string => String(part).padStart(2, "0");

/** The day that was typed, as a native date field would hold it; undefined if it is none. Without a year it is this one. */
export function parseTypedDay(typed: string, kind: DayKind, now = new Date()): string | undefined {
  const text = typed.trim().replaceAll(/\s+/gu, " ");
  const time = /[T, ]+(\d{1,2}):(\d{2})(?: ?([ap])m)?$/iu.exec(text);
  const parts =
    partsOf(time === null ? text : text.slice(0, time.index), now) ??
    shifted(time === null ? text : text.slice(0, time.index), now);
  if (parts === undefined || !isReal(parts)) {
    return undefined;
  }
  const day = `${parts.year}-${two(parts.month)}-${two(parts.day)}`;
  if (kind === "day") {
    return time === null ? day : undefined;
  }
  const half = time?.[3]?.toLowerCase();
  const [hour, minute] = [Number(time?.[1] ?? 0), Number(time?.[2] ?? 0)];
  const isTime = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  const hours = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  return isTime && minute < 60 ? `${day}T${two(hours)}:${two(minute)}` : undefined;
}

/** The text that a field shows for a value; the value itself if it is none. */
export function textOfDay(value: string, kind: DayKind, now = new Date()): string {
  const date = new Date(kind === "day" ? `${value}T00:00` : value);
  return Number.isNaN(date.getTime())
    ? value
    : kind === "day"
      ? formatDay(date, now)
      : formatDayTime(date, now);
}

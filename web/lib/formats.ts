// How numbers, dates and money read on every screen: `Intl` with a true minus, local times, the year only if it is not the current one.
import { formatCents, type Cents } from "#ledger/money.ts";

const countFormat = new Intl.NumberFormat("en-US");
const hourMinute: Intl.DateTimeFormatOptions = {
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
};

const shortMonthFormat = new Intl.DateTimeFormat("en-US", { month: "short" });
const timeFormat = new Intl.DateTimeFormat("en-GB", hourMinute);
const secondsFormat = new Intl.DateTimeFormat("en-GB", { ...hourMinute, second: "2-digit" });
const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" });
const exactFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

/** "18,204" */
export function formatCount(count: number): string {
  return countFormat.format(count).replace("-", "−");
}

/** "$1,234.50", "−$3.00"; with `signed` also "+$42.50". Zero has no sign. */
export function formatMoney(cents: Cents, signed = false): string {
  // Negative zero would show a minus.
  const amount = formatCents(cents === 0 ? 0 : cents);
  return signed && cents > 0 ? `+${amount}` : amount;
}

/** "21 Nov", with the year where it is not the current one. */
export function formatDay(date: Date, now = new Date()): string {
  const day = `${date.getDate()} ${shortMonthFormat.format(date)}`;
  return date.getFullYear() === now.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** "21 Nov, 14:02", with the year where it is not the current one. */
export function formatDayTime(date: Date, now = new Date()): string {
  return `${formatDay(date, now)}, ${timeFormat.format(date)}`;
}

/** "14:02" */
export function formatTime(date: Date): string {
  return timeFormat.format(date);
}

/** "14:02:07" */
export function formatSeconds(date: Date): string {
  return secondsFormat.format(date);
}

/** "November 2026" */
export function formatMonth(date: Date): string {
  return monthFormat.format(date);
}

/** The exact time with its zone, for tooltips and screen readers. */
export function formatExact(date: Date): string {
  return exactFormat.format(date);
}

/** "under a minute", "4 minutes", "3 hours", "12 days": how long ago, in hours until it is a day. */
export function formatAge(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000));
  if (minutes < 1) {
    return "under a minute";
  }
  const [amount, unit] =
    minutes < 60
      ? [minutes, "minute"]
      : minutes < 24 * 60
        ? [Math.floor(minutes / 60), "hour"]
        : [Math.floor(minutes / (24 * 60)), "day"];
  return `${formatCount(amount)} ${unit}${amount === 1 ? "" : "s"}`;
}

/** "just now", "4 minutes ago", "3 hours ago". */
export function formatAgo(since: Date, now: Date): string {
  return now.getTime() - since.getTime() < 60_000 ? "just now" : `${formatAge(since, now)} ago`;
}

/** "1 item", "2 items", "10,000 items". */
export function formatQuantity(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "once", "twice", "3 times". */
export function formatTimes(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${formatCount(count)} times`;
}

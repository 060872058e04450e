// How the screen says lags, lengths of time and sizes.
import { formatQuantity } from "#web/lib/formats.ts";

/** "up to date", "40 ms", "3.2 s", "4 min" */
export function lagText(seconds: number): string {
  if (seconds === 0) {
    return "Up to date";
  }
  return seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : spanText(seconds);
}

/** Events and time in one: "Up to date", "12 events, 3.2 s behind". */
export function behindText(events: number, seconds: number): string {
  const parts = [
    ...(events === 0 ? [] : [formatQuantity(events, "event")]),
    ...(seconds === 0 ? [] : [lagText(seconds)]),
  ];
  return parts.length === 0 ? lagText(0) : `${parts.join(", ")} behind`;
}

/** "3.2 s", "48 s", "4 min", "2 h" */
export function spanText(seconds: number): string {
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  if (seconds < 90) {
    return `${Math.round(seconds)} s`;
  }
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

const units = ["B", "kB", "MB", "GB", "TB"];

/** "412 kB", "1.3 GB" */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power] ?? ""}`;
}

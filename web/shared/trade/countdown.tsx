// The time until an offer ends, updated every second, or "Expired".
import { Clock } from "lucide-react";
import { useSyncExternalStore } from "react";
import { formatExact, formatQuantity } from "#web/lib/formats.ts";
import { Icon } from "#web/ui/icon.tsx";

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) {
    listener();
  }
}

/** One clock for all countdowns of a screen. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const nowOf = (): number => now;

/** "2 days", "3:12:05", "4:05" */
export function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (seconds >= 86_400) {
    return formatQuantity(Math.round(seconds / 86_400), "day");
  }
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const tail = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

const soonMs = 6 * 3_600_000;

export function Countdown({ until }: { readonly until: string }) {
  const endsAt = new Date(until);
  const left = endsAt.getTime() - useSyncExternalStore(subscribe, nowOf, nowOf);
  if (Number.isNaN(left)) {
    return <span>N/A</span>;
  }
  return left <= 0 ? (
    <span className="text-muted">Expired</span>
  ) : (
    <time
      dateTime={endsAt.toISOString()}
      data-tip={`Until ${formatExact(endsAt)}`}
      className={`inline-flex items-center gap-1 whitespace-nowrap tabular-nums ${left < soonMs ? "text-pending" : ""}`}
    >
      <Icon of={Clock} size={14} />
      {formatLeft(left)}
      <span className="sr-only"> left</span>
    </time>
  );
}

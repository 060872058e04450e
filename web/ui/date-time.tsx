// An instant in local time. The exact one, with its zone, is shown on hover.
import { useNow } from "#web/lib/use-now.ts";
import { formatAge, formatAgo, formatDay, formatDayTime, formatExact } from "#web/lib/formats.ts";
import { Unknown } from "./unknown.tsx";

type DateTimeProps = {
  /** ISO 8601; null shows a dash. */
  readonly at: string | null | undefined;
  /** `age` says how long: "3 hours", `ago` how long ago: "3 hours ago", "just now". */
  readonly show?: "day" | "day-time" | "age" | "ago";
  readonly className?: string;
};

export function DateTime({ at, show = "day-time", className = "" }: DateTimeProps) {
  const now = useNow();
  if (at === null || at === undefined) {
    return <Unknown reason="no date" />;
  }
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) {
    return <span className={className}>Invalid Date</span>;
  }
  const text =
    show === "day"
      ? formatDay(date, now)
      : show === "age"
        ? formatAge(date, now)
        : show === "ago"
          ? formatAgo(date, now)
          : formatDayTime(date, now);
  return (
    <time
      dateTime={date.toISOString()}
      data-tip={formatExact(date)}
      className={`whitespace-nowrap tabular-nums ${className}`}
    >
      {text}
    </time>
  );
}

// How many people visit the app: five numbers beside what waits, read again every 30 seconds, and the last 14 days.
import { useEffect, useEffectEvent } from "react";
import { statsResponse, type StatsResponse } from "#features/visits/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { useRead } from "#web/lib/read.ts";
import { Button } from "#web/ui/button.tsx";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";

const READ_EVERY_MS = 30_000;

/** Visits are no events of the ledger, so no live event tells of them. */
function useVisitStats() {
  const read = useRead("/analytics/stats", statsResponse);
  const again = useEffectEvent(() => {
    if (document.visibilityState === "visible") {
      read.refresh();
    }
  });
  useEffect(() => {
    const timer = setInterval(() => again(), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return read;
}

const numbers = [
  ["Active now", "activeNow"],
  ["Today's visitors", "todayVisitors"],
  ["Today's views", "todayViews"],
  ["Total visitors", "totalVisitors"],
  ["Total views", "totalViews"],
] as const;

export function VisitorsCard() {
  const { data, error, refresh } = useVisitStats();
  if (data === undefined && error !== undefined) {
    return (
      <section
        aria-label="Visitors"
        className="card flex shrink-0 items-center gap-3 px-4 py-1.5 lg:min-w-120"
      >
        <p role="alert" className="grow text-danger">
          Failed to load analytics
        </p>
        <Button onClick={refresh}>Retry</Button>
      </section>
    );
  }
  return (
    <div className="shrink-0">
      <TileStrip label="Visitors">
        {numbers.map(([label, name]) => (
          <StripTile
            key={name}
            label={label}
            value={data === undefined ? undefined : formatCount(data[name])}
          />
        ))}
        <Sparkline days={data?.days ?? []} />
      </TileStrip>
    </div>
  );
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** "18 Nov" of "2026-11-18". */
const dayText = (day: string): string => dayFormat.format(new Date(day));

/** A bar for each day, as high as its visitors. */
function Sparkline({ days }: { readonly days: StatsResponse["days"] }) {
  const most = Math.max(1, ...days.map(({ visitors }) => visitors));
  const best = days.findLast(({ visitors }) => visitors === most);
  const words =
    best === undefined
      ? "Visitors of the last 14 days: none"
      : `Visitors of the last 14 days, most on ${dayText(best.day)}: ${formatCount(best.visitors)}`;
  return (
    <div className="flex items-center px-3">
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the drawing is one image to a screen reader
        role="img"
        aria-label={words}
        data-tip={words}
        viewBox="0 0 84 28"
        className="h-7 w-21 shrink-0"
      >
        {days.map(({ day, visitors }, index) => {
          const height = visitors === 0 ? 1 : Math.max(2, (visitors / most) * 28);
          return (
            <rect
              key={day}
              x={index * 6}
              y={28 - height}
              width="4"
              height={height}
              rx="1"
              className={visitors === 0 ? "fill-border-strong" : "fill-chart-1"}
            />
          );
        })}
      </svg>
    </div>
  );
}

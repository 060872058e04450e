// How many people visit the app: five numbers, read again every 30 seconds, and the last 14 days.
import { useState } from "react";
import { statsResponse, type StatsResponse } from "#features/visits/contract.ts";
import { useByTheClock } from "#web/lib/by-the-clock.ts";
import { formatCount } from "#web/lib/formats.ts";
import { useRead } from "#web/lib/read.ts";
import { Button } from "#web/ui/button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";
import { shortDayText } from "#web/lib/store-day.ts";

const VisitsDialog = onDemand(() =>
  import("./visits-dialog.tsx").then((file) => file.VisitsDialog),
);

const READ_EVERY_MS = 30_000;

function useVisitStats() {
  return useByTheClock(useRead("/analytics/stats", statsResponse), READ_EVERY_MS);
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
  const [isOpen, setOpen] = useState(false);
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
        <Sparkline days={data?.days ?? []} onOpen={() => setOpen(true)} />
      </TileStrip>
      {isOpen && data !== undefined ? (
        <VisitsDialog stats={data} onClose={() => setOpen(false)} />
      ) : null}
    </div>
  );
}

type SparklineProps = { readonly days: StatsResponse["days"]; readonly onOpen: () => void };

/** A bar for each day, as high as its visitors. It opens the numbers. */
function Sparkline({ days, onOpen }: SparklineProps) {
  const most = Math.max(1, ...days.map(({ visitors }) => visitors));
  const best = days.findLast(({ visitors }) => visitors === most);
  const words =
    best === undefined
      ? "Visitors of the last 14 days: none"
      : `Visitors of the last 14 days, most on ${shortDayText(best.day)}: ${formatCount(best.visitors)}`;
  return (
    <button
      type="button"
      aria-label={words}
      data-tip={words}
      onClick={onOpen}
      className="flex items-center rounded-e-card px-3 -outline-offset-2 transition-colors duration-120 hover:bg-hover"
    >
      <svg aria-hidden="true" viewBox="0 0 84 28" className="h-7 w-21 shrink-0">
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
    </button>
  );
}

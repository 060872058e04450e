// How far the image backfill is: a bar, what was found, and the item that is being looked for.
import type { BackfillResponse } from "#features/images/contract-backfill.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { Chip } from "#web/ui/chip.tsx";
import { ProgressLine } from "#web/ui/progress-line.tsx";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";

type Backfill = NonNullable<BackfillResponse["backfill"]>;

/** One item every two seconds. */
const ITEMS_PER_MINUTE = 30;

export function BackfillProgress({ backfill }: { readonly backfill: Backfill }) {
  const { state, total, updated, failed, skipped, current } = backfill;
  const done = updated + failed + skipped;
  return (
    <section aria-label="Progress" className="flex flex-col gap-3">
      <div className="card flex flex-col gap-1 p-4 max-sm:p-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <StateChip state={state} />
          <span className="text-12 text-muted tabular-nums">
            {timeLeft(backfill, total - done)}
          </span>
        </div>
        <ProgressLine
          done={done}
          total={total}
          label={`${formatCount(done)} of ${formatQuantity(total, "item")}`}
        />
        <p className="min-h-5 truncate text-muted">{nowText(state, current?.itemName)}</p>
      </div>
      <TileStrip label="Counts" isWrapped>
        <StripTile label="Pictures found" value={formatCount(updated)} />
        <StripTile label="Not found" value={formatCount(failed)} />
        <StripTile
          label="Skipped"
          value={formatCount(skipped)}
          hint={skipped === 0 ? undefined : "had a picture by then, or were deleted"}
        />
        <StripTile label="Left" value={formatCount(total - done)} />
      </TileStrip>
    </section>
  );
}

function StateChip({ state }: Pick<Backfill, "state">) {
  switch (state) {
    case "running":
      return <Chip kind="pending">Running</Chip>;
    case "paused":
      return <Chip kind="neutral">Paused</Chip>;
    case "finished":
      return <Chip kind="done">Finished</Chip>;
    default:
      return state satisfies never;
  }
}

function nowText(state: Backfill["state"], itemName: string | undefined): string {
  if (itemName !== undefined) {
    return `Looking for ${itemName}`;
  }
  return state === "running" ? "The next item follows in a moment" : "";
}

function timeLeft({ state }: Backfill, left: number): string {
  if (state === "finished" || left === 0) {
    return "";
  }
  return `About ${formatQuantity(Math.ceil(left / ITEMS_PER_MINUTE), "minute")}${state === "paused" ? " left once resumed" : " left"}`;
}

// Whether the times of two kinds of tries tell them apart, on a machine that may be busy with other work.
import { judge, type Outcome } from "./attack.ts";

const TELLING_MS = 15;
const TELLING_PART = 0.3;

/** The value below which this part of them lies. */
function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * part;
  const [below = 0, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return below + (above - below) * (place % 1);
}

const median = (times: readonly number[]) => quantile(times, 0.5);
/** How far the middle half of the tries lies apart, although they are alike. */
const noise = (times: readonly number[]) => quantile(times, 0.75) - quantile(times, 0.25);

/** Found only if the medians lie further apart than the tries of each side do. */
export function judgeTimes(wrong: readonly number[], unknown: readonly number[]): Outcome {
  const [first, second] = [median(wrong), median(unknown)];
  const apart = Math.abs(first - second);
  const [ofFirst, ofSecond] = [noise(wrong), noise(unknown)];
  const isTelling =
    apart > TELLING_MS &&
    apart > TELLING_PART * Math.max(first, second) &&
    apart > Math.max(ofFirst, ofSecond);
  const side = (time: number, spread: number) => `${Math.round(time)} ± ${Math.round(spread)} ms`;
  return judge(
    isTelling
      ? [`${side(first, ofFirst)} for a wrong password, ${side(second, ofSecond)} for nobody`]
      : [],
    `${side(first, ofFirst)} and ${side(second, ofSecond)}`,
  );
}

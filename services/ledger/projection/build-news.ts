// What a start tells while it builds read tables of another version again: that it begins, how far it is, how long it took.
import type { BuildOptions } from "#ledger/projection/build.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { RebuildPhase } from "#ledger/projection/orders.ts";

/** Which tables, and how many of those that are built at this start. */
type Built = {
  readonly projection: string;
  readonly version: number;
  readonly number: number;
  readonly of: number;
};

export type BuildNews = Built &
  (
    | { readonly kind: "begun"; readonly head: number }
    | {
        readonly kind: "going";
        readonly phase: RebuildPhase;
        readonly position: number;
        /** The position to reach. */
        readonly head: number;
        readonly percent: number;
        /** Row keys that the new tables hold back so far. */
        readonly heldCount: number;
        /** Until all events are in, at the speed so far; null if that is not known. */
        readonly secondsLeft: number | null;
      }
    | { readonly kind: "shown"; readonly position: number; readonly seconds: number }
  );

export type NewsOptions = {
  readonly onNews?: (news: BuildNews) => void;
  /** The shortest time between two lines about the same tables. */
  readonly newsEveryMs?: number;
};

const EVERY_MS = 3_000;

/** Small enough that its end can be told every few seconds on a slow machine too; larger ones gain little. */
const CHUNK = 50_000;

/** What one rebuild needs to be told about, and its end. */
export type Teller = {
  readonly options: Pick<BuildOptions, "chunk" | "onRowsHeld" | "onProgress" | "onStage">;
  readonly shown: (position: number) => void;
  /** Tells nothing more. */
  readonly close: () => void;
};

/** Begins to tell about a rebuild up to `head`. */
export function tellOfBuild(
  { name, version }: Projection,
  place: Pick<Built, "number" | "of">,
  head: number,
  { onNews = () => undefined, newsEveryMs = EVERY_MS }: NewsOptions,
): Teller {
  const built: Built = { projection: name, version, ...place };
  const begunAt = performance.now();
  let at: { phase: RebuildPhase; position: number; head: number } = {
    phase: "filling",
    position: 0,
    head,
  };
  let heldCount = 0;
  /** A rebuild that was broken off continues from where it was. */
  let startedFrom: number | undefined;
  let toldAt = begunAt;
  onNews({ kind: "begun", ...built, head });

  const tell = () => {
    const now = performance.now();
    if (now - toldAt < newsEveryMs) {
      return;
    }
    toldAt = now;
    const folded = at.position - (startedFrom ?? 0);
    const left = Math.max(0, at.head - at.position);
    onNews({
      kind: "going",
      ...built,
      ...at,
      heldCount,
      percent: at.head === 0 ? 100 : Math.floor((100 * Math.min(at.position, at.head)) / at.head),
      secondsLeft:
        at.phase === "filling" && folded > 0
          ? Math.ceil((left * (now - begunAt)) / folded / 1000)
          : null,
    });
  };
  // Indexes and comparisons may take long, and tell nothing themselves.
  const timer = setInterval(tell, Math.max(newsEveryMs, 100));
  return {
    options: {
      chunk: CHUNK,
      onRowsHeld: (keyCount) => {
        heldCount += keyCount;
      },
      onProgress: (position, head) => {
        at = { ...at, position, head };
        if (heldCount > 0) {
          // Where many rows fail, a chunk takes minutes.
          tell();
        }
      },
      onStage: ({ phase, position }) => {
        startedFrom ??= position;
        at = { ...at, phase, position };
        tell();
        return Promise.resolve();
      },
    },
    shown: (position) =>
      onNews({
        kind: "shown",
        ...built,
        position,
        seconds: Math.round((performance.now() - begunAt) / 100) / 10,
      }),
    close: () => clearInterval(timer),
  };
}

const PHASES: Partial<Record<RebuildPhase, string>> = {
  indexing: "all events are in, their indexes are made",
  comparing: "all events are in, they are compared with the shown ones",
};

const grouped = (value: number) => value.toLocaleString("en-US");

/** The news as a line of a log. */
export function describeBuildNews(news: BuildNews): string {
  const tables = `the read tables of ${news.projection} (version ${news.version}, ${news.number} of ${news.of})`;
  if (news.kind === "begun") {
    return `${tables} are built again from ${grouped(news.head)} events`;
  }
  if (news.kind === "shown") {
    return `${tables} were built again in ${news.seconds} s and are shown now`;
  }
  const { phase, position, head, percent, heldCount, secondsLeft } = news;
  const left = secondsLeft === null ? "" : `, about ${grouped(secondsLeft)} s left`;
  const held =
    heldCount === 0
      ? ""
      : `; ${grouped(heldCount)} ${heldCount === 1 ? "row is" : "rows are"} held back so far, because the step fails`;
  return `${tables}: ${PHASES[phase] ?? `${percent} %, position ${grouped(position)} of ${grouped(head)}${left}`}${held}`;
}

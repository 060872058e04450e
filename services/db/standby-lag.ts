// Computes how far a hot standby lags behind the primary, from checks of both. Pure.

/** The result of one check. Places in the write-ahead log are bytes from its beginning. */
export type StandbyLook =
  | {
      readonly kind: "answered";
      readonly atMs: number;
      /** How far the primary's write-ahead log was. */
      readonly written: number;
      /** How much of it the standby had replayed. */
      readonly replayed: number;
    }
  | {
      readonly kind: "silent";
      readonly atMs: number;
      readonly written: number;
      readonly reason: string;
    };

/** Reads go only to a standby that follows. */
export type StandbyState =
  | { readonly kind: "following"; readonly lagMs: number }
  | { readonly kind: "behind"; readonly lagMs: number }
  | { readonly kind: "away"; readonly lagMs: number; readonly reason: string };

/** A place in the primary's write-ahead log, and when the primary was first seen there. */
type Mark = { readonly atMs: number; readonly written: number };

/** What is known about a standby after some checks. */
export type Following = {
  readonly state: StandbyState;
  /** The places that the standby is not known to have replayed, oldest first. */
  readonly missing: readonly Mark[];
  /**
   * Where the primary was at the first check. Until the standby has reached this, its lag is unknown, and it may lack
   * tables that this program has just made.
   */
  readonly reachFirst: number | null;
};

export const notLookedAtYet: Following = {
  state: { kind: "away", lagMs: 0, reason: "it has not been checked yet" },
  missing: [],
  reachFirst: null,
};

/** A standby that was lost or late is used again at half the limit, so that it does not switch back and forth. */
export function afterLook(before: Following, look: StandbyLook, maxLagMs: number): Following {
  const reachFirst = before.reachFirst ?? look.written;
  const replayed = look.kind === "answered" ? look.replayed : -1;
  const missing = withMark(before.missing, look).filter(({ written }) => written > replayed);
  const lagMs = look.atMs - (missing[0]?.atMs ?? look.atMs);
  if (look.kind === "silent") {
    return { state: { kind: "away", lagMs, reason: look.reason }, missing, reachFirst };
  }
  const limitMs = before.state.kind === "following" ? maxLagMs : maxLagMs / 2;
  const kind = replayed >= reachFirst && lagMs <= limitMs ? "following" : "behind";
  return { state: { kind, lagMs }, missing, reachFirst };
}

/** One mark per hundredth of the missing time is precise enough and keeps the list short. */
function withMark(marks: readonly Mark[], { atMs, written }: StandbyLook): readonly Mark[] {
  const first = marks[0];
  const last = marks.at(-1);
  if (first === undefined || last === undefined) {
    return [{ atMs, written }];
  }
  const isNews = written > last.written && atMs - last.atMs >= (last.atMs - first.atMs) / 100;
  return isNews ? [...marks, { atMs, written }] : marks;
}

// Decides whether a request's reads go to the hot standby or the primary, and when one is repeated. Pure.
import type { Checkpoints } from "#http/checkpoints.ts";
import { codeOf, isConnectionFailure } from "#ledger/log/failure.ts";

export type ReadSource = "standby" | "primary";

/** The result of a check; `standby` is null if none is configured or it must not be read from. */
export type Sighting = {
  readonly primary: Checkpoints;
  readonly standby: Checkpoints | null;
};

/** A read that waits for its tables. */
export type WaitingRead = {
  readonly projections: readonly string[];
  /** The position to reach. */
  readonly target: number;
  /** The position that others have seen on the primary; the standby must have reached it too. */
  readonly shownByPrimary: number;
  /** Whether it has waited as long as reads may. */
  readonly isOverdue: boolean;
  /** Whether it may wait for the standby although the primary's tables are ready. */
  readonly mayAwaitStandby: boolean;
};

export type SourceChoice =
  | { readonly kind: "wait"; readonly isPrimaryThere: boolean }
  | {
      readonly kind: "read";
      readonly source: ReadSource;
      readonly freshTo: number;
      readonly stale: boolean;
      readonly held: number;
    };

/** The standby if it has what the read needs, else the primary. A read that gives up takes the newer one. */
export function chooseSource(read: WaitingRead, { primary, standby }: Sighting): SourceChoice {
  const onPrimary = reached(read, primary);
  const onStandby = standby === null ? null : reached(read, standby);
  if (
    onStandby?.stale === false &&
    onStandby.freshTo >= Math.min(read.shownByPrimary, onPrimary.freshTo)
  ) {
    return { kind: "read", source: "standby", ...onStandby };
  }
  if (!onPrimary.stale && (onStandby === null || !read.mayAwaitStandby)) {
    return { kind: "read", source: "primary", ...onPrimary };
  }
  if (!read.isOverdue) {
    return { kind: "wait", isPrimaryThere: !onPrimary.stale };
  }
  return onStandby === null || onPrimary.freshTo > onStandby.freshTo
    ? { kind: "read", source: "primary", ...onPrimary }
    : { kind: "read", source: "standby", ...onStandby };
}

function reached(
  { projections, target }: WaitingRead,
  { head, positions, held }: Checkpoints,
): { readonly freshTo: number; readonly stale: boolean; readonly held: number } {
  const freshTo = Math.min(head, ...projections.map((name) => positions.get(name) ?? 0));
  return {
    freshTo,
    stale: freshTo < target,
    held: projections.reduce((sum, name) => sum + (held.get(name) ?? 0), 0),
  };
}

/** Why a statement that failed on the standby should be repeated on the primary. */
export type RepeatReason = "conflict" | "lost";

/**
 * Undefined for a failure that would also happen on the primary: a mistake in the statement, a write (25006), a
 * timeout (57014). PostgreSQL cancels a read that blocks replay with 40001, or with 40P01 in a deadlock, and ends a
 * connection for it with 40001 or 57P04.
 */
export function whyRepeat(error: unknown): RepeatReason | undefined {
  const code = codeOf(error);
  if (code === "40001" || code === "40P01" || code === "57P04") {
    return "conflict";
  }
  return isConnectionFailure(error) ? "lost" : undefined;
}

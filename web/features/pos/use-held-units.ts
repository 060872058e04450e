// What trades hold of a refused line's item, while its dialog is open, and the ways to settle that follow from it.
import { useState } from "react";
import { heldItemResponse, type HoldingAcceptance } from "#features/trades/contract-held.ts";
import { useRead } from "#web/lib/read.ts";
import {
  mayBeHeld,
  missingUnits,
  unitsHeld,
  otherWays,
  waysToSettle,
  type SettlingWay,
} from "./held-by-trades.ts";
import type { RefusedLine } from "./taken-sale.ts";

export type HeldUnits = {
  /** Only the ways that fit in any case are there then. */
  readonly isLoading: boolean;
  /** False where it was not asked for, or could not be read. */
  readonly isKnown: boolean;
  /** Units of the line that the item has too few. */
  readonly missing: number;
  /** Units that trades hold. */
  readonly waiting: number;
  readonly acceptances: readonly HoldingAcceptance[];
  readonly ways: readonly [SettlingWay, ...SettlingWay[]];
  /** Trades held the missing units when the dialog was opened, and have sent them since. */
  readonly isGone: boolean;
};

export function useHeldUnits(line: RefusedLine): HeldUnits {
  const isAsked = mayBeHeld(line);
  const { data, error } = useRead(
    isAsked ? `/trades/holding/${line.target.id}` : undefined,
    heldItemResponse,
  );
  // An answer that failed is asked for again and again; what is offered stays the same meanwhile.
  const isLoading = isAsked && data === undefined && error === undefined;
  const [wasHeld, setWasHeld] = useState(false);
  const ways = isLoading ? otherWays : waysToSettle(line, data, wasHeld);
  if (ways[0] === "cancel" && !wasHeld) {
    setWasHeld(true);
  }
  return {
    isLoading,
    isKnown: data !== undefined,
    missing: data === undefined ? 0 : missingUnits(line, data),
    waiting: data === undefined ? 0 : unitsHeld(data),
    acceptances: data?.acceptances ?? [],
    ways,
    isGone: wasHeld && ways[0] === "another",
  };
}

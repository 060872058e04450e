// Decides who gets a scan that no text field took: the part that was opened last and takes scans.
import { useEffect, useEffectEvent } from "react";

/** Returns false if it has no use for scans now. */
type Taker = (code: string) => boolean;

const takers: Taker[] = [];

/** False if nobody took it. */
export function giveScan(code: string): boolean {
  return takers.at(-1)?.(code) === true;
}

/**
 * While the component is on screen, it gets the scans that no text field took. For a dialog or a screen where a scan
 * means something else than "open what this belongs to".
 */
export function useScans(onScan: Taker): void {
  const take = useEffectEvent(onScan);
  useEffect(() => {
    const taker: Taker = (code) => take(code);
    takers.push(taker);
    return () => {
      takers.splice(takers.indexOf(taker), 1);
    };
  }, []);
}

// A rebuild's state in a few words.
import type { RebuildStatus } from "#features/operations/contract.ts";
import { spanText } from "./lag-text.ts";

/** "Filling, 4 min left" */
export function rebuildText(rebuild: RebuildStatus): string {
  const { wanted, phase, secondsLeft } = rebuild;
  if (phase === "failed") {
    return "Failed";
  }
  if (wanted === "paused") {
    return "Paused";
  }
  if (wanted === "canceled") {
    return "Being canceled";
  }
  if (wanted === "taken-back") {
    return "Switching back";
  }
  if (phase === "ready") {
    return wanted === "shown" ? "Switching" : "Ready: look at the differences";
  }
  const words = {
    waiting: "Waiting for a worker",
    filling: secondsLeft === null ? "Filling" : `Filling, ${spanText(secondsLeft)} left`,
    indexing: "Making indexes",
    comparing: "Comparing",
    done: "Done",
  };
  return words[phase];
}

// Decides who gets a data folder: the first to ask, but a service takes it from a script, which ends at once.
import { setTimeout as delay } from "node:timers/promises";
import { DataFolderInUse, holdHome, isStillThere } from "#db/embedded/home.ts";
import type { Holder, HolderKind } from "#db/embedded/home.ts";

/** Sent to a script that holds a folder a service needs; it ends scripts that do not handle it. */
export const giveWaySignal = "SIGUSR2";

const patienceMs = 3_000;
const pollMs = 20;

/**
 * Marks the folder as used by this process. A service ends the script that holds it: scripts survive a kill at any
 * point, so what it wrote is complete, and its server is stopped like any that was left behind. Throws
 * `DataFolderInUse` if the holder stays.
 */
export async function takeHome(
  dataDir: string,
  home: string,
  kind: HolderKind,
  report: (line: string) => void,
): Promise<void> {
  for (;;) {
    try {
      await holdHome(dataDir, home, kind);
      return;
    } catch (error) {
      const isOurTurn =
        error instanceof DataFolderInUse && kind === "service" && error.holder.kind === "script";
      if (!isOurTurn) {
        throw error;
      }
      const { holder } = error;
      report(`A script (process ${holder.pid}) has the store open; it is asked to give it up`);
      if (!(await endScript(holder))) {
        throw error;
      }
    }
  }
}

/** Asks, then kills. False if this process may not end the script. */
async function endScript(holder: Holder): Promise<boolean> {
  for (const signal of [giveWaySignal, "SIGKILL"] as const) {
    try {
      process.kill(holder.pid, signal);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EPERM") {
        return false;
      }
      // It has ended already.
    }
    const deadline = performance.now() + patienceMs;
    while (isStillThere(holder) && performance.now() < deadline) {
      await delay(pollMs);
    }
    if (!isStillThere(holder)) {
      return true;
    }
  }
  return false;
}

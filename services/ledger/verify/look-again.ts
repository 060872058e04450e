// Repeats a look at the catalog: a flip switches views and pointer at once, but catalog functions do not all read one snapshot.
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "#ledger/log/failure.ts";
import type { Problem } from "#ledger/verify/problem.ts";

const LOOK_AGAIN_MS = 100;
const LOOKS = 3;

/** A flip or a drop removed something after it was found and before it was described. */
function isGoneMeanwhile(error: unknown): boolean {
  return ["XX000", "42P01"].includes(codeOf(error) ?? "");
}

/** The problems that every look finds; a flip or a drop of old tables may interfere with one. */
export async function lookAgain(look: () => Promise<Problem[]>): Promise<Problem[]> {
  for (let looks = 1; ; looks += 1) {
    try {
      const problems = await look();
      if (problems.length === 0 || looks >= LOOKS) {
        return problems;
      }
    } catch (error) {
      if (!isGoneMeanwhile(error) || looks >= LOOKS) {
        throw error;
      }
    }
    await delay(LOOK_AGAIN_MS);
  }
}

// The till's turns: scans and the saving of a sale, one after the other, in the order in which they began.
import { say, set, tillState } from "./till-state.ts";

/** Each waits for the one before. */
let turns: Promise<void> = Promise.resolve();
let codesInTurn = 0;

/** The number of waiting scans is shown only while an owner is chosen. */
function countCodes(change: number): void {
  codesInTurn += change;
  if (tillState().mode.kind === "choose") {
    set({ waitingScans: codesBehind() });
  }
}

/** Codes that wait for the one whose turn it is. */
export function codesBehind(): number {
  return codesInTurn - 1;
}

/** Whether a code is still looked up, or its owner chosen. */
export function isLookingUp(): boolean {
  return codesInTurn > 0;
}

/** Resolves when everything that has begun so far has had its turn. */
export function turnsSoFar(): Promise<void> {
  return turns;
}

/** Takes the turn for something that says itself what fails. */
export function inTurn(step: () => Promise<void>): Promise<void> {
  turns = turns.then(step);
  return turns;
}

/** One code after the other, in the order of the keys. */
export function codeInTurn(code: string, step: () => Promise<void>): Promise<void> {
  countCodes(1);
  return inTurn(() =>
    step()
      .catch((error: unknown) => say("bad", `Error finding ${code}: ${String(error)}`))
      .finally(() => countCodes(-1)),
  );
}

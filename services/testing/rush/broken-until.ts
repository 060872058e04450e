// Rushing until it shows: a race is likely in one rush, not certain.

const MAX_RUSHES = 30;

/**
 * Runs until a promise breaks in the way that is looked for, since one guard's absence can show in more than one
 * way. Returns what broke in all runs, a line each; without the sign in it after thirty.
 */
export async function brokenUntil(
  sign: RegExp,
  firstSeed: number,
  run: (seed: number) => Promise<readonly string[]>,
): Promise<string> {
  let broken = "";
  for (let seed = firstSeed; seed < firstSeed + MAX_RUSHES && !sign.test(broken); seed += 1) {
    const lines = await run(seed);
    broken += lines.map((line) => `${line}\n`).join("");
  }
  return broken;
}

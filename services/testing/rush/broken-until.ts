// Repeats a rush until a race shows, which is likely but not certain in a single one.

const MAX_RUSHES = 30;

/**
 * Runs until a promise breaks in the expected way; a missing guard can show in more than one way. Returns the broken
 * promises of all runs, one line each; after thirty runs, even without the expected one.
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

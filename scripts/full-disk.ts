// npm run full-disk: fills the disk under a running shop, frees it again, and proves that no sale was lost or doubled.
import type { FullDiskResult } from "#testing/rush/full-disk.ts";
import { rushOnFullDisk } from "#testing/rush/full-disk.ts";
import { readCommandLine, refusePositionals, runScript, untilInterrupted } from "./command-line.ts";

function print({ rounds, accepted, verdict, exitCode }: FullDiskResult): void {
  for (const { answers, backAfterMs } of rounds) {
    const listed = [...answers].map(([way, count]) => `${count} × ${way}`).join(", ");
    process.stdout.write(
      `While the disk was full: ${listed}. It sold again ${(backAfterMs / 1000).toFixed(1)} s after there was room.\n`,
    );
  }
  process.stdout.write(
    `${accepted} accepted, positions 1..${verdict.positions}, ${verdict.broken.length} broken promises; the service ended with ${exitCode}\n`,
  );
  for (const sentence of verdict.broken.slice(0, 20)) {
    process.stdout.write(`  ! ${sentence}\n`);
  }
}

const line = readCommandLine(
  "npm run full-disk -- [options]",
  "Mounts a small disk (needs root), runs the whole service on it with callers that sell, fills the disk, kills\n" +
    "PostgreSQL once while it is full, and frees it again. Then checks every answer against the log. Exits with 1 if\n" +
    "a promise was broken or the service did not recover by itself.",
  {},
);
refusePositionals(line);
const signal = untilInterrupted("Stopped; the small disk is unmounted");
await runScript(async () => {
  const result = await rushOnFullDisk({
    megabytes: 400,
    callers: 8,
    seed: 1,
    rounds: [
      { seconds: 15, kill: false },
      { seconds: 15, kill: true },
      { seconds: 120, kill: true },
    ],
    signal,
    onStep: (sentence) => process.stderr.write(`${sentence}\n`),
  });
  if (line.json) {
    const rounds = result.rounds.map((round) => ({
      ...round,
      answers: Object.fromEntries(round.answers),
    }));
    process.stdout.write(`${JSON.stringify({ ...result, rounds })}\n`);
  } else {
    print(result);
  }
  return result.verdict.broken.length === 0 && result.exitCode === 0 ? 0 : 1;
});
if (signal.aborted) {
  // Callers of the rush may still wait for answers that nobody gives.
  process.exit(130);
}

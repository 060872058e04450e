// A process of the service that kills itself at a named point: `crash-entry.ts <file> <point> <pass>`;
// with `signal:<pass>` it counts from SIGUSR2 on.
import { armCrashPoint } from "#ledger/crash-point.ts";
import type { CrashPoint } from "#ledger/crash-point.ts";

const POINTS: readonly CrashPoint[] = [
  "append:before-commit",
  "append:between-commit-and-answer",
  "projection:in-step",
  "rebuild:between-chunks",
  "rebuild:before-flip",
];

const [file, name, pass, ...rest] = process.argv.slice(2);
const point = POINTS.find((entry) => entry === name);
if (file === undefined || point === undefined) {
  throw new Error(`Usage: crash-entry.ts FILE POINT PASS; the points are ${POINTS.join(", ")}`);
}

const waits = pass?.startsWith("signal:") === true;
const passes = Number(pass?.replace("signal:", "") ?? "1");
let left = waits ? Number.POSITIVE_INFINITY : passes;
process.on("SIGUSR2", () => {
  left = passes;
});
armCrashPoint(point, () => {
  left -= 1;
  if (left <= 0) {
    process.kill(process.pid, "SIGKILL");
  }
});

// The file reads its arguments as if it had been started directly.
const entry = new URL(file, import.meta.url);
process.argv = [process.execPath, entry.pathname, ...rest];
await import(entry.href);

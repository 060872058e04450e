// How soon `npm run demo` answers after `npm ci`: in a fresh copy of the tree, and in a built one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#testing/service/service-process.ts";
import { median } from "./load.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";

const root = join(import.meta.dirname, "..", "..");
const leftOut = new Set([".git", ".data", "node_modules", "dist"]);
const TIMEOUT_MS = 120_000;

/** A copy of the tree as in a clone, with the installed packages of this one. */
async function copyTree(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(root)) {
    if (!leftOut.has(name)) {
      await cp(join(root, name), join(folder, name), { recursive: true });
    }
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
}

/** Milliseconds from the command until the address answers. Stops the demo again. */
async function timeDemo(folder: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "--silent", "demo"], {
    cwd: folder,
    env: {
      ...process.env,
      LOG_LEVEL: "warn",
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: join(folder, ".data"),
    },
    stdio: ["ignore", "pipe", "pipe"],
    // In its own process group, so that the signal reaches both npm and the service.
    detached: true,
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, "exit");
  try {
    while (!(await answers(`http://127.0.0.1:${port}/index.html`))) {
      if (child.exitCode !== null || performance.now() - startedAt > TIMEOUT_MS) {
        throw new Error(`npm run demo did not answer:\n${output}`);
      }
      await delay(50);
    }
    return performance.now() - startedAt;
  } finally {
    if (child.exitCode === null && child.pid !== undefined) {
      process.kill(-child.pid, "SIGTERM");
    }
    await exited;
    // npm exits before the service, which still has a database to stop.
    while (child.pid !== undefined && lives(-child.pid)) {
      await delay(50);
    }
  }
}

function lives(group: number): boolean {
  try {
    process.kill(group, 0);
    return true;
  } catch {
    // No process of the group is left.
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    // Nothing listens yet.
    return false;
  }
}

export async function benchStart(server: BenchServer, options: PartOptions): Promise<Report> {
  const folder = join(server.folder, "tree");
  await copyTree(folder);
  const unbuilt: number[] = [];
  const built: number[] = [];
  const again: number[] = [];
  for (let round = 1; round <= options.rounds(3); round += 1) {
    options.progress(`start: round ${round}, nothing built`);
    await rm(join(folder, "dist"), { recursive: true, force: true });
    await rm(join(folder, ".data"), { recursive: true, force: true });
    unbuilt.push(await timeDemo(folder));
    options.progress(`start: round ${round}, screens built`);
    await rm(join(folder, ".data"), { recursive: true, force: true });
    built.push(await timeDemo(folder));
    options.progress(`start: round ${round}, a second start with its data`);
    again.push(await timeDemo(folder));
  }
  const row = (start: string, times: readonly number[]) => ({
    start,
    "median s": median(times) / 1000,
    "longest s": Math.max(...times) / 1000,
  });
  return {
    part: "start",
    tables: [
      {
        title: "From `npm run demo` until its address answers",
        rows: [
          row("nothing built, no data", unbuilt),
          row("screens built, no data", built),
          row("screens built, its data there", again),
        ],
      },
    ],
    notes: ["In a copy of this tree, with its installed packages."],
    verdicts: (
      [
        ["nothing built", unbuilt],
        ["screens built", built],
      ] as const
    ).map(([name, times]) => ({
      name: `npm run demo answers, ${name}`,
      measured: median(times) / 1000,
      target: 20,
      unit: "s",
      atLeast: false,
    })),
  };
}

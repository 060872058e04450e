// SIGKILLs during a rush: API, worker and PostgreSQL, at random and at named points; each process comes back.
import { once } from "node:events";
import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import type { Armed, ArmedSeats, Shop, Seat } from "#testing/rush/shop.ts";
import { compiledModules } from "#testing/service/service-process.ts";

export type Kill = { readonly what: string; readonly at: string };

export type KillOptions = {
  readonly shop: Shop;
  readonly server: EmbeddedPostgres;
  readonly random: () => number;
  readonly onKilled?: (kill: Kill, count: number) => void;
};

const entry = fileURLToPath(new URL("./crash-entry.ts", import.meta.url));
const rebuild = "../../../scripts/rebuild.ts";

/** Throws if a process ended without being killed: a lost database or a killed neighbor must not end it. */
export function refuseEnded(seat: Seat): void {
  if (seat.process().hasEnded()) {
    throw new Error(`${seat.name} ended by itself:\n${seat.process().output().slice(-4_000)}`);
  }
}

/** Kills a seat's process at any point, and starts it again. */
async function killSomewhere(seat: Seat): Promise<Kill> {
  refuseEnded(seat);
  await seat.process().kill("SIGKILL");
  await seat.start();
  return { what: seat.name, at: "anywhere" };
}

/**
 * Replaces a seat's process with one that kills itself when it passes a point for the nth time, waits for that, and
 * starts it again.
 */
async function killAtPoint(seat: Seat, point: string, pass: number): Promise<Kill> {
  refuseEnded(seat);
  await seat.process().kill("SIGTERM");
  const code = await seat.process().exited;
  if (code !== 0) {
    throw new Error(`${seat.name} ended with ${code}:\n${seat.process().output().slice(-4_000)}`);
  }
  return startAndKillAtPoint(seat, point, pass);
}

async function startAndKillAtPoint(seat: Seat, point: string, pass: number): Promise<Kill> {
  await seat.start({ point, pass, from: "start" }).catch((error: unknown) => {
    // It may reach its point before it ever answers /readyz; then it is dead as intended.
    if (!seat.process().hasEnded()) {
      throw error;
    }
  });
  return untilKilledAt(seat, point);
}

/** Lets a process that is armed by a signal run to its point, and starts it again. */
async function killArmed(seat: Seat, { point }: Armed): Promise<Kill> {
  refuseEnded(seat);
  process.kill(seat.process().pid, "SIGUSR2");
  return untilKilledAt(seat, point);
}

async function untilKilledAt(seat: Seat, point: string): Promise<Kill> {
  const end = await Promise.race([
    seat.process().exited,
    delay(60_000).then(() => "not reached" as const),
  ]);
  if (typeof end === "number") {
    refuseEnded(seat);
  }
  if (end === "not reached") {
    await seat.process().kill("SIGKILL");
  }
  await seat.start();
  return { what: seat.name, at: end === null ? point : `anywhere (${point} was not reached)` };
}

/** Kills PostgreSQL; the embedded server's supervisor brings it back, the services reconnect. */
async function killPostgres(server: EmbeddedPostgres): Promise<Kill> {
  const before = server.pid();
  process.kill(before, "SIGKILL");
  const deadline = performance.now() + 180_000;
  while (server.pid() === before) {
    if (performance.now() > deadline) {
      throw new Error(`PostgreSQL was not started again after process ${before} was killed`);
    }
    // If the server cannot be started again, its output says why.
    await Promise.race([delay(50), server.lost]);
  }
  return { what: "postgres", at: "anywhere" };
}

/** A rebuild of everything that kills itself at a named point, and a second one that completes it. */
async function killRebuild(shop: Shop, point: string, random: () => number): Promise<Kill> {
  const run = async (args: readonly string[]): Promise<NodeJS.Signals | null> => {
    const child = spawn(process.execPath, [...args], {
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        NODE_COMPILE_CACHE: compiledModules,
        ...shop.environment,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const [code, signal] = await once(child, "exit");
    if (code !== 0 && signal !== "SIGKILL") {
      throw new Error(`rebuild ended with ${String(code)}: ${errors.slice(-2_000)}`);
    }
    return signal === "SIGKILL" ? "SIGKILL" : null;
  };
  const pass = String(1 + Math.floor(random() * 5));
  const signal = await run([entry, rebuild, point, pass, "all"]);
  await run([fileURLToPath(new URL("../../../scripts/rebuild.ts", import.meta.url)), "all"]);
  return { what: "rebuild", at: signal === null ? `${point} was not reached` : point };
}

/**
 * A short run: kills one API process after another, so that callers are always answered, and at the same time the
 * worker and a rebuild; at the end PostgreSQL, under all restarted processes.
 */
export async function killEachOnce(options: KillOptions): Promise<Kill[]> {
  const { shop, server, random } = options;
  const [first, second] = shop.apis;
  if (first === undefined || second === undefined) {
    throw new Error("Two API processes are needed");
  }
  const kills: Kill[] = [];
  const note = (kill: Kill) => {
    kills.push(kill);
    options.onKilled?.(kill, kills.length);
  };
  const killTwice = async (seat: Seat, point: string) => {
    refuseEnded(seat);
    await seat.process().kill("SIGKILL");
    note({ what: seat.name, at: "anywhere" });
    note(await startAndKillAtPoint(seat, point, pass()));
  };
  const pass = () => 1 + Math.floor(random() * 10);
  const lanes = [
    async () => {
      await killTwice(first, "append:between-commit-and-answer");
      note(await killAtPoint(second, "append:before-commit", pass()));
    },
    async () => {
      await killTwice(shop.worker, "projection:in-step");
      note(await killRebuild(shop, "rebuild:before-flip", random));
    },
  ];
  await Promise.all(lanes.map((lane) => lane()));
  note(await killPostgres(server));
  return kills;
}

/** For `killAtPoints`: a process that is armed when it first starts need not be started for its kill. */
export function armedSeats(random: () => number): ArmedSeats {
  const pass = () => 1 + Math.floor(random() * 10);
  const armed = (point: string): Armed => ({ point, pass: pass(), from: "signal" });
  return {
    worker: armed("projection:in-step"),
    apis: [armed("append:between-commit-and-answer"), armed("append:before-commit")],
  };
}

/** The shortest run: one API process after another, the worker and a rebuild at their points, and PostgreSQL. */
export async function killAtPoints(options: KillOptions, armed: ArmedSeats): Promise<Kill[]> {
  const { shop, server, random } = options;
  const kills: Kill[] = [];
  const note = (kill: Kill) => {
    kills.push(kill);
    options.onKilled?.(kill, kills.length);
  };
  const lanes = [
    async () => {
      for (const [index, api] of shop.apis.entries()) {
        note(await killArmed(api, armed.apis[index] ?? armed.apis[0]));
      }
    },
    async () => {
      note(await killArmed(shop.worker, armed.worker));
      note(await killRebuild(shop, "rebuild:before-flip", random));
    },
  ];
  await Promise.all(lanes.map((lane) => lane()));
  note(await killPostgres(server));
  return kills;
}

/** One kill after another until the number is reached. Returns what was killed and where. */
export async function killAround(options: KillOptions, count: number): Promise<Kill[]> {
  const { shop, server, random } = options;
  const pass = () => 1 + Math.floor(random() * 40);
  const api = () => shop.apis[Math.floor(random() * shop.apis.length)] ?? shop.worker;
  const ways: readonly (readonly [number, () => Promise<Kill>])[] = [
    [0.2, () => killSomewhere(api())],
    [0.15, () => killSomewhere(shop.worker)],
    [0.15, () => killPostgres(server)],
    [0.15, () => killAtPoint(api(), "append:between-commit-and-answer", pass())],
    [0.1, () => killAtPoint(api(), "append:before-commit", pass())],
    [0.15, () => killAtPoint(shop.worker, "projection:in-step", pass())],
    [0.05, () => killRebuild(shop, "rebuild:between-chunks", random)],
    [0.05, () => killRebuild(shop, "rebuild:before-flip", random)],
  ];
  const kills: Kill[] = [];
  // Each way once, so that a short run covers all; then at random.
  const first = ways.map(([, way]) => way);
  while (kills.length < count) {
    await delay(100 + random() * 500);
    let left = random();
    const chosen =
      first.shift() ??
      ways.find(([share]) => {
        left -= share;
        return left <= 0;
      })?.[1];
    if (chosen !== undefined) {
      const kill = await chosen();
      kills.push(kill);
      options.onKilled?.(kill, kills.length);
    }
  }
  return kills;
}

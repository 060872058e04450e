// SIGKILLs during a rush: API, worker and PostgreSQL, at random and at named points; each process comes back.
import { once } from "node:events";
import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import type { Shop, Seat } from "#testing/rush/shop.ts";

export type Kill = { readonly what: string; readonly at: string };

export type KillOptions = {
  readonly shop: Shop;
  readonly server: EmbeddedPostgres;
  readonly kills: number;
  readonly random: () => number;
  readonly onKilled?: (kill: Kill, count: number) => void;
};

const entry = fileURLToPath(new URL("../crash-entry.ts", import.meta.url));
const rebuild = "../../scripts/rebuild.ts";

/** Kills a seat's process wherever it is, and starts it again. */
async function killSomewhere(seat: Seat): Promise<Kill> {
  await seat.process().kill("SIGKILL");
  await seat.start();
  return { what: seat.name, at: "anywhere" };
}

/** Replaces a seat's process by one that kills itself at a named point, waits for that, and starts it again. */
async function killAtPoint(seat: Seat, point: string, random: () => number): Promise<Kill> {
  await seat.process().kill("SIGTERM");
  await seat.start({ point, pass: 1 + Math.floor(random() * 40) }).catch((error: unknown) => {
    // It may reach its point before it ever answers /readyz; then it is dead as it should be.
    if (!seat.process().hasEnded()) {
      throw error;
    }
  });
  const ended = await Promise.race([
    seat.process().exited.then(() => true),
    delay(15_000).then(() => false),
  ]);
  if (!ended) {
    await seat.process().kill("SIGKILL");
  }
  await seat.start();
  return { what: seat.name, at: ended ? point : `anywhere (${point} was not reached)` };
}

/** Kills PostgreSQL; the embedded server's supervisor brings it back, the services reconnect. */
async function killPostgres(server: EmbeddedPostgres): Promise<Kill> {
  const before = server.pid();
  process.kill(before, "SIGKILL");
  while (server.pid() === before) {
    await delay(50);
  }
  return { what: "postgres", at: "anywhere" };
}

/** A rebuild of everything that kills itself at a named point, and one after it that goes on to the end. */
async function killRebuild(shop: Shop, point: string, random: () => number): Promise<Kill> {
  const run = async (args: readonly string[]): Promise<NodeJS.Signals | null> => {
    const child = spawn(process.execPath, [...args], {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...shop.environment },
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

/** One kill after the other until the number is reached. Returns what was killed and where. */
export async function killAround(options: KillOptions): Promise<Kill[]> {
  const { shop, server, random } = options;
  const api = () => shop.apis[Math.floor(random() * shop.apis.length)] ?? shop.worker;
  const ways: readonly (readonly [number, () => Promise<Kill>])[] = [
    [0.2, () => killSomewhere(api())],
    [0.15, () => killSomewhere(shop.worker)],
    [0.15, () => killPostgres(server)],
    [0.15, () => killAtPoint(api(), "append:between-commit-and-answer", random)],
    [0.1, () => killAtPoint(api(), "append:before-commit", random)],
    [0.15, () => killAtPoint(shop.worker, "projection:between-step-and-checkpoint", random)],
    [0.05, () => killRebuild(shop, "rebuild:between-chunks", random)],
    [0.05, () => killRebuild(shop, "rebuild:before-flip", random)],
  ];
  const kills: Kill[] = [];
  // Every way once, so that a short run sees each; then by chance.
  const first = ways.map(([, way]) => way);
  while (kills.length < options.kills) {
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

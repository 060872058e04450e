// Whether a benchmark that is broken off leaves its server or its files behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "#db/embedded/home.ts";

const folder = join(import.meta.dirname, "..", ".data", "bench");

/** The first postmaster.pid in a folder that is new. */
async function newServer(before: ReadonlySet<string>): Promise<{ home: string; pid: number }> {
  const found = Promise.withResolvers<{ home: string; pid: number }>();
  const look = () => {
    for (const name of readdirSync(folder).filter((entry) => !before.has(entry))) {
      const file = join(folder, name, "postgres", "data", "postmaster.pid");
      const text = existsSync(file) ? readFileSync(file, "utf8") : "";
      if (text.includes("ready")) {
        found.resolve({ home: join(folder, name), pid: Number.parseInt(text, 10) });
      }
    }
  };
  const watcher = watch(folder, { recursive: true }, look);
  try {
    return await found.promise;
  } finally {
    watcher.close();
  }
}

test("a Ctrl-C, which arrives from the terminal and from npm, leaves neither a server nor its files", async () => {
  mkdirSync(folder, { recursive: true });
  const before = new Set(readdirSync(folder));
  const bench = spawn(process.execPath, ["scripts/bench.ts", "visible"], {
    cwd: join(import.meta.dirname, ".."),
    stdio: "ignore",
  });
  const ended = once(bench, "exit");
  const { home, pid } = await newServer(before);
  bench.kill("SIGINT");
  bench.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(home)).toBe(false);
});

// A restore drill that is killed leaves nothing behind for longer than until the next one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isAlive } from "#db/embedded/home.ts";
import { makeTemporaryStore } from "./empty-store.ts";
import { removeKilledDrills } from "./killed-drills.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the next restore drill stops the server of a killed one and removes its data, and leaves a live one alone", async () => {
  const script = `
    import { makeTemporaryStore } from "#process/empty-store.ts";
    await makeTemporaryStore(() => undefined);
    console.log("ready");
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    await once(createInterface({ input: child.stdout }), "line");
    const name = (await readdir(tmpdir())).find((entry) => entry.includes("-drill-"));
    const data = join(tmpdir(), name ?? "", "postgres", "data");
    const lock = await readFile(join(data, "postmaster.pid"), "utf8");
    const postmaster = Number(lock.split("\n")[0]);
    await removeKilledDrills(() => undefined);
    expect(isAlive(postmaster)).toBe(true);
    child.kill("SIGKILL");
    await exited;
    expect(isAlive(postmaster)).toBe(true);
    const next = await makeTemporaryStore(() => undefined);
    await next.remove();
    expect([isAlive(postmaster), existsSync(data)]).toEqual([false, false]);
    expect((await readdir(tmpdir())).filter((entry) => entry.includes("-drill-"))).toEqual([]);
  } finally {
    child.kill("SIGKILL");
    await exited;
    await removeKilledDrills(() => undefined);
  }
}, 120_000);

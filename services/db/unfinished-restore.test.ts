// A restore that was killed: no start makes a new store in its place, and its server does not go on.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { z } from "zod";
import { isAlive } from "#db/embedded/home.ts";
import { stopLeftBehind } from "#db/embedded/postmaster.ts";
import { openDatabase } from "#db/open.ts";
import { unfinishedRestoreIn } from "#db/unfinished-restore.ts";
import { makeEmptyStore } from "#process/empty-store.ts";

const start = (dataDir: string, report: (line: string) => void = () => undefined) =>
  openDatabase(
    {
      dataDir,
      database: { kind: "embedded" },
      isProduction: false,
      backup: { folder: null, passphrase: null },
    },
    "service",
    report,
  );

test("a start in its folder is refused, and so is another restore until what is left was removed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "unfinished-restore-"));
  try {
    await writeFile(unfinishedRestoreIn(dataDir), "");
    await expect(start(dataDir)).rejects.toThrow(/^A restore into .* did not end/u);
    expect(await readdir(dataDir)).toEqual(["unfinished-restore"]);
    await mkdir(join(dataDir, "postgres"));
    const again = makeEmptyStore({ dataDir, durability: "test", report: () => undefined });
    await expect(again).rejects.toThrow(
      /did not end, .* Remove .*postgres and .*unfinished-restore/u,
    );
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test("a start names the process of a restore that runs, and stops the server of one that was killed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "unfinished-restore-"));
  // The server's account must be able to enter it.
  await chmod(dataDir, 0o755);
  const script = join(import.meta.dirname, "../testing/database/embedded-child.ts");
  const child = spawn(process.execPath, [script, dataDir], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const { pid } = z.object({ pid: z.number() }).parse(JSON.parse(z.string().parse(line)));
    await writeFile(unfinishedRestoreIn(dataDir), "");
    await expect(start(dataDir)).rejects.toThrow(`in use by process ${child.pid}`);
    expect(isAlive(pid)).toBe(true);
    child.kill("SIGKILL");
    await exited;
    const reported: string[] = [];
    const again = start(dataDir, (text) => void reported.push(text));
    await expect(again).rejects.toThrow(/did not end/u);
    expect(reported).toEqual(["Stopped the PostgreSQL that a killed process had left behind"]);
    expect(isAlive(pid)).toBe(false);
  } finally {
    child.kill("SIGKILL");
    await exited;
    await stopLeftBehind(join(dataDir, "postgres"));
    await rm(dataDir, { recursive: true });
  }
}, 120_000);

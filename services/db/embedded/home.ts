// The embedded server's folder: where its data, log and passwords are, and which process uses it.
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { chmod, link, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { makeFolder } from "#db/make-folder.ts";
import { canEnter } from "#db/embedded/server-account.ts";
import type { ServerAccount } from "#db/embedded/server-account.ts";
import { processFields } from "#db/embedded/server-processes.ts";

/** Where the server's files are kept under root if the server's account cannot enter DATA_DIR. */
const reachableRoot = "/var/lib/consignment-ledger";

const secretsSchema = z.object({ superuser: z.string(), owner: z.string(), app: z.string() });

/** The three database passwords, generated once per data folder. */
export type Secrets = z.infer<typeof secretsSchema>;

/** Who holds a folder: a script gives it up to a service, and a service keeps it. */
const holderKind = z.enum(["service", "script"]);

export type HolderKind = z.infer<typeof holderKind>;

const holderSchema = z.object({
  pid: z.int(),
  startTime: z.string(),
  port: z.int().nullable(),
  // Missing from older programs, which had only one kind.
  kind: holderKind.default("service"),
});

/** The process that runs the server of a folder, and the server's port once it listens. */
export type Holder = z.infer<typeof holderSchema>;

/** Another live process runs the server of this data folder. */
export class DataFolderInUse extends Error {
  override readonly name = "DataFolderInUse";
  readonly holder: Holder;

  constructor(dataDir: string, holder: Holder) {
    super(
      `The data folder ${dataDir} is in use by process ${holder.pid}. Stop that process, or set DATA_DIR to another folder.`,
    );
    this.holder = holder;
  }
}

/** `<DATA_DIR>/postgres`, whether or not it exists yet. */
export function homeOf(dataDir: string): string {
  return join(resolve(dataDir), "postgres");
}

/**
 * Makes the server's folder and returns its real path. If the account cannot enter DATA_DIR (below a private home),
 * the folder is made under /var/lib and `<DATA_DIR>/postgres` becomes a link to it.
 */
export async function makeHome(
  dataDir: string,
  account: ServerAccount | null,
  report: (line: string) => void,
): Promise<string> {
  const home = homeOf(dataDir);
  if (existsSync(home)) {
    return reachable(await realpath(home), account);
  }
  if (lstatSync(home, { throwIfNoEntry: false }) !== undefined) {
    throw new Error(
      `${home} is a link to a folder that no longer exists. Remove the link to start with an empty store.`,
    );
  }
  await makeOpenFolder(dirname(home));
  if (account === null || canEnter(account, dirname(home))) {
    await makeOpenFolder(home);
    return home;
  }
  const elsewhere = join(reachableRoot, randomUUID());
  try {
    await makeOpenFolder(elsewhere);
  } catch (cause) {
    throw new Error(
      `User ${account.name}, which PostgreSQL runs as, cannot enter ${dirname(home)}, and ${reachableRoot} cannot be made. ` +
        "Set DATA_DIR to a folder that this user can enter.",
      { cause },
    );
  }
  await symlink(elsewhere, home);
  report(`User ${account.name} cannot enter ${dirname(home)}: the data is kept in ${elsewhere}`);
  return reachable(elsewhere, account);
}

function reachable(home: string, account: ServerAccount | null): string {
  if (account !== null && !canEnter(account, home)) {
    throw new Error(
      `User ${account.name}, which PostgreSQL runs as, cannot enter ${home}. ` +
        "Give it access (chmod o+x on the folders above), or set DATA_DIR to a folder that it can enter.",
    );
  }
  return home;
}

/** Makes folders that others may pass through but not list, whatever the umask; secrets inside are 0600 or 0700. */
async function makeOpenFolder(folder: string): Promise<void> {
  for (const made of await makeFolder(folder)) {
    await chmod(made, 0o711);
  }
}

/** Reads the passwords, or makes them if there is no data yet. */
export async function loadSecrets(home: string, hasData: boolean): Promise<Secrets> {
  const file = join(home, "secrets.json");
  if (existsSync(file)) {
    return secretsSchema.parse(JSON.parse(await readFile(file, "utf8")));
  }
  if (hasData) {
    throw new Error(
      `${file} is missing: without it nobody can sign in to the database in this folder.`,
    );
  }
  const secrets: Secrets = { superuser: newSecret(), owner: newSecret(), app: newSecret() };
  await writeWhole(file, secrets);
  return secrets;
}

function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

/** Marks the folder as used by this process. Throws `DataFolderInUse` while another live process holds it. */
export async function holdHome(dataDir: string, home: string, kind: HolderKind): Promise<void> {
  for (;;) {
    const draft = await writeDraft(holderFile(home), holderOfThisProcess(kind, null));
    try {
      // If several processes do this at once, one succeeds.
      await link(draft, holderFile(home));
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
        throw error;
      }
    } finally {
      await rm(draft, { force: true });
    }
    const holder = readHolder(home);
    if (holder !== null) {
      throw new DataFolderInUse(dataDir, holder);
    }
    await clearStaleHolder(home);
  }
}

/** Removes the mark of a killed process. If another process took the folder in between, its mark is restored. */
async function clearStaleHolder(home: string): Promise<void> {
  const aside = `${holderFile(home)}.${process.pid}.stale`;
  try {
    await rename(holderFile(home), aside);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return;
    }
    throw error;
  }
  if (readHolderFile(aside) !== null) {
    await link(aside, holderFile(home)).catch(() => undefined);
  }
  await rm(aside, { force: true });
}

/** Records the server's port in a folder that this process holds, so that others find it. */
export async function publishPort(home: string, kind: HolderKind, port: number): Promise<void> {
  const file = holderFile(home);
  await rename(await writeDraft(file, holderOfThisProcess(kind, port)), file);
}

/** Releases the folder if this process holds it. */
export async function releaseHome(home: string): Promise<void> {
  if (readHolder(home)?.pid === process.pid) {
    await rm(holderFile(home), { force: true });
  }
}

function holderFile(home: string): string {
  return join(home, "holder.json");
}

function holderOfThisProcess(kind: HolderKind, port: number | null): Holder {
  return { pid: process.pid, startTime: startTimeOf(process.pid), port, kind };
}

/** The live process that holds the folder, or null. */
export function readHolder(home: string): Holder | null {
  return readHolderFile(holderFile(home));
}

function readHolderFile(file: string): Holder | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // No file: nobody holds the folder.
    return null;
  }
  const holder = holderSchema.parse(JSON.parse(text));
  return isStillThere(holder) ? holder : null;
}

/** True while the same process runs, not a later one with its id. */
export function isStillThere({ pid, startTime }: Pick<Holder, "pid" | "startTime">): boolean {
  return isAlive(pid) && startTimeOf(pid) === startTime;
}

/** True while a process with this id runs; a zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return processFields(pid)[0] !== "Z";
}

/** Distinguishes a process from a later one with the same id; empty if the system has no /proc. */
export function startTimeOf(pid: number): string {
  return processFields(pid)[19] ?? "";
}

async function writeWhole(file: string, content: unknown): Promise<void> {
  await rename(await writeDraft(file, content), file);
}

async function writeDraft(file: string, content: unknown): Promise<string> {
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    // A full disk leaves an empty file behind.
    await rm(draft, { force: true });
    throw error;
  }
  return draft;
}

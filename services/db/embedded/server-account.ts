// Decides which operating-system account runs PostgreSQL: the current one, or an unprivileged one under root.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** An account that a child process is started under. */
export type ServerAccount = { readonly uid: number; readonly gid: number; readonly name: string };

/** Accounts that root may use for PostgreSQL, best first; nearly every Linux has the second. */
const candidates = ["postgres", "nobody"];

/**
 * The account for a data folder, or null if PostgreSQL runs as the current user. PostgreSQL refuses to run as root,
 * so root uses another account; existing data keeps the account that owns it.
 */
export function serverAccountFor(dataFolder: string): ServerAccount | null {
  const ours = process.getuid?.();
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (ours === undefined || (ours !== 0 && (owner === undefined || owner.uid === ours))) {
    return null;
  }
  if (ours !== 0) {
    throw new Error(
      `${dataFolder} belongs to user id ${owner?.uid}, but this process runs as ${ours}. ` +
        "Start it as the user who made the data, or set DATA_DIR to another folder.",
    );
  }
  const accounts = readAccounts();
  if (owner !== undefined && owner.uid !== 0) {
    return (
      accounts.find((account) => account.uid === owner.uid) ?? {
        uid: owner.uid,
        gid: owner.gid,
        name: String(owner.uid),
      }
    );
  }
  for (const name of candidates) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (account !== undefined) {
      return account;
    }
  }
  throw new Error(
    "PostgreSQL does not run as root and this machine has neither a user `postgres` nor `nobody`. " +
      "Create one (`useradd --system postgres`), start as another user, or set DATABASE_URL.",
  );
}

/** True if the account can enter the folder, which requires access to every folder above it. */
export function canEnter(account: ServerAccount, folder: string): boolean {
  const probe = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    uid: account.uid,
    gid: account.gid,
    cwd: "/",
    stdio: "ignore",
  });
  return probe.status === 0;
}

function readAccounts(): ServerAccount[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [name, , uid, gid] = line.split(":");
      return name === undefined || uid === undefined || gid === undefined
        ? []
        : [{ name, uid: Number(uid), gid: Number(gid) }];
    });
}

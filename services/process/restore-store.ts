// Makes a store of a back-up in an empty database, and proves it: files, heads, chain, and read tables built again.
import { checkBackup, loadBackup } from "#db/backup/load.ts";
import { filesOf } from "#db/backup/back-up.ts";
import { BackupError, readManifest } from "#db/backup/manifest.ts";
import type { Manifest } from "#db/backup/manifest.ts";
import { PassphraseError } from "#db/backup/seal.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { roleOf } from "#db/migrate.ts";
import { secretKeyId } from "#identity/sealed.ts";
import type { SecretKeys } from "#identity/sealed.ts";
import { readSealed } from "#identity/sealed-columns.ts";
import type { SealedSecret } from "#identity/sealed-columns.ts";
import { findContradicted } from "#ledger/log/contradicted-heads.ts";
import { openHeads } from "#ledger/log/head-files.ts";
import { describeNotShown, ensureProjections } from "#ledger/projection/ensure.ts";
import { createKnownLog } from "#ledger/projection/newer-events.ts";
import { buildGeneration } from "#ledger/projection/build.ts";
import { flipGeneration } from "#ledger/projection/generation.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { startUpcasts } from "#ledger/projection/upcasts.ts";
import { headsInHand } from "#ledger/verify/heads.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { VerifyReport } from "#ledger/verify/verify.ts";
import { bookChecks, events, projections, streams } from "../features.ts";
import { unopenableBy } from "./secret-keys.ts";

/** The empty database that becomes the store. */
export type RestoreTarget = { readonly appUrl: string; readonly ownerUrl: string };

export type RestoreOptions = {
  readonly folder: string;
  readonly passphrase: string | null;
  /** The keys that secrets in the back-up may be sealed with; null if there are none at hand. */
  readonly secretKeys: SecretKeys | null;
  /** Files of published heads, kept outside of the back-up. */
  readonly heads: readonly string[];
  /** Called once the back-up's files are proved; nothing is made before that. */
  readonly openTarget: () => Promise<RestoreTarget>;
  readonly onProgress?: (label: string, done: number, of: number) => void;
  readonly signal?: AbortSignal;
};

/** What the published heads say about the restored log. */
export type HeadsCompared = {
  readonly compared: number;
  /** The highest position that was published and is not in the back-up; null if there is none. */
  readonly lostThrough: number | null;
};

export type Restored = {
  readonly position: number;
  readonly backedUpAt: string;
  readonly bytes: number;
  readonly heads: HeadsCompared;
  readonly secrets: {
    readonly sealed: number;
    /** Those that nobody can open any more. */
    readonly lost: readonly SealedSecret[];
  };
  readonly verified: VerifyReport;
  readonly loadMs: number;
  readonly rebuildMs: number;
  readonly elapsedMs: number;
};

/**
 * Restores and proves. The database stays marked as unfinished, so that no program starts on it before
 * `finishRestore`. Throws BackupError and PassphraseError for a back-up that cannot be restored, or whose log the
 * published heads contradict; other findings are in `verified`.
 */
export async function restoreStore(options: RestoreOptions): Promise<Restored> {
  const startedAt = performance.now();
  const { folder, passphrase, onProgress, signal } = options;
  const read = await readManifest(folder, passphrase);
  if (read === null) {
    throw new BackupError(`There is no back-up in ${folder}`);
  }
  const { manifest, key } = read;
  // Otherwise anybody who can write to the folder could put an unproved back-up in the place of a proved one.
  if (key === null && passphrase !== null) {
    throw new PassphraseError(
      "This back-up is not encrypted, and BACKUP_PASSPHRASE is set: nothing proves that nobody changed it. " +
        "Unset BACKUP_PASSPHRASE to restore it all the same",
    );
  }
  const progress = onProgress === undefined ? {} : { onProgress };
  await checkBackup({ folder, manifest, ...progress });
  const { appUrl, ownerUrl } = await options.openTarget();
  signal?.throwIfAborted();
  await loadBackup({ folder, ...read, ownerUrl, appRole: roleOf(appUrl), ...progress });
  const loadedAt = performance.now();
  const sql = connect(appUrl, { applicationName: "ledger-restore", maxConnections: 6 });
  try {
    const secrets = await readSecrets(sql, options.secretKeys);
    const heads = await compareHeads(sql, options.heads, manifest.position);
    signal?.throwIfAborted();
    await buildReadTables(sql, manifest.position, onProgress);
    const builtAt = performance.now();
    const verified = await verifyBooks({
      sql,
      events,
      streams,
      projections,
      checks: bookChecks,
      heads: [headsInHand("the back-up", headsOf(manifest))],
      ...progress,
      ...(signal === undefined ? {} : { signal }),
    });
    return {
      position: manifest.position,
      backedUpAt: manifest.createdAt,
      bytes: filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0),
      heads,
      secrets,
      verified,
      loadMs: loadedAt - startedAt,
      rebuildMs: builtAt - loadedAt,
      elapsedMs: performance.now() - startedAt,
    };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Without a key the secrets are lost, and the store makes new ones. With a wrong one, somebody made a mistake. */
async function readSecrets(sql: Sql, keys: SecretKeys | null): Promise<Restored["secrets"]> {
  const sealed = await readSealed(sql);
  const lost = unopenableBy(sealed, keys);
  const [first] = lost;
  if (keys !== null && first !== undefined) {
    throw new BackupError(
      `The back-up's secrets are sealed with key ${first.keyId}, and the key at hand (SECRET_KEY or secret.key) is ${secretKeyId(keys.current)}. ` +
        "Set the one that they are sealed with, also as PREVIOUS_SECRET_KEY; or restore without a key, which gives " +
        "them up",
    );
  }
  return { sealed: sealed.length, lost };
}

/** The chain's head at the end of each back-up. */
function headsOf({ segments }: Manifest) {
  return segments.flatMap(({ through, head }) =>
    head === null ? [] : [{ position: through, hash: head }],
  );
}

/**
 * Every published head up to the restored position must be in the log. Later ones are of events that were appended
 * after the back-up, and are lost.
 */
async function compareHeads(
  sql: Sql,
  files: readonly string[],
  position: number,
): Promise<HeadsCompared> {
  await using opened = await openHeads(files);
  let compared = 0;
  let lostThrough: number | null = null;
  for (const { name, read } of opened.sources) {
    for await (const lines of read()) {
      const heads = lines.filter((line) => line.kind === "head");
      const [wrong] = await findContradicted(
        sql,
        heads.filter((head) => head.position <= position),
      );
      if (wrong !== undefined) {
        throw new BackupError(
          `The back-up's log has another event at position ${wrong.position} than was published (${name}, line ${wrong.line})`,
        );
      }
      compared += heads.length;
      for (const head of heads.filter((later) => later.position > position)) {
        lostThrough = Math.max(lostThrough ?? 0, head.position);
      }
    }
  }
  return { compared, lostThrough };
}

/** Fills tables that nobody reads yet, and indexes them afterwards: fed like shown ones, they take longer. */
async function buildReadTables(
  sql: Sql,
  head: number,
  onProgress: RestoreOptions["onProgress"],
): Promise<void> {
  await startUpcasts(sql, events);
  const knownLog = createKnownLog(sql, events);
  for (const [index, projection] of projections.entries()) {
    const tell = (position: number) =>
      onProgress?.("read tables", index * head + position, projections.length * head);
    tell(0);
    const built = await buildGeneration(sql, projection, { events, knownLog, onProgress: tell });
    await flipGeneration(sql, projection, built.generation);
  }
  const notShown = await ensureProjections({ sql, projections, events });
  if (notShown.length > 0) {
    throw new BackupError(notShown.map(describeNotShown).join("\n"));
  }
  await createRunner({ sql, projections, events }).catchUp();
  onProgress?.("read tables", projections.length * head, projections.length * head);
}

// The list of what a folder of back-ups contains. Renaming it into place is what makes a back-up count.
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { authenticate, isSame, openFolderKey, sealSchema } from "#db/backup/seal.ts";
import type { FolderKey } from "#db/backup/seal.ts";

const hash = z.hex().length(64);

const fileSchema = z.strictObject({
  /** Names no folder, so that a restore reads nothing outside of its own. */
  name: z.string().regex(/^\d{6}-[a-z0-9_.-]+$/),
  /** With its schema. */
  table: z.string(),
  columns: z.array(z.string()),
  bytes: z.int(),
  sha256: hash,
});

const segmentSchema = z.strictObject({
  /** The positions are in (after, through]. */
  after: z.int(),
  through: z.int(),
  /** The chain's head at `through`; null before the first event. */
  head: hash.nullable(),
  createdAt: z.iso.datetime(),
  files: z.array(fileSchema),
});

const contentSchema = z.strictObject({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The hash of the first event: each log has its own. */
  store: hash.nullable(),
  position: z.int(),
  head: hash.nullable(),
  /** The migrations that the database had. */
  schema: z.array(z.strictObject({ number: z.int(), name: z.string(), sha256: hash })),
  /** The log, in order. */
  segments: z.array(segmentSchema),
  /** All other tables, as they were at `position`. */
  tables: z.array(fileSchema),
  /** The number in the names of the newest files. */
  run: z.int(),
  seal: sealSchema.nullable(),
});

const manifestSchema = contentSchema.extend({
  /** Proves the rest to somebody with the passphrase; null if the folder is not encrypted. */
  mac: hash.nullable(),
});

export type BackupFile = z.infer<typeof fileSchema>;
export type Segment = z.infer<typeof segmentSchema>;
/** The manifest as a program makes it; what proves it is added when it is written. */
export type Manifest = z.infer<typeof contentSchema>;

const NAME = "manifest.json";

/** A back-up is missing, incomplete, changed, or not this store's. The message names what is wrong. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** The newest manifest with its folder's key, proved if the folder is encrypted; null in a folder without one. */
export async function readManifest(
  folder: string,
  passphrase: string | null,
): Promise<{ manifest: Manifest; key: FolderKey | null } | null> {
  const found = await readManifestFile(folder);
  if (found === null) {
    return null;
  }
  const { manifest, mac } = found;
  const key = await openFolderKey(manifest.seal, passphrase);
  if (key !== null && !isSame(mac ?? "", authenticate(key, JSON.stringify(manifest)))) {
    throw new BackupError(`${NAME} was changed: it is not what the back-up wrote`);
  }
  return { manifest, key };
}

async function readManifestFile(
  folder: string,
): Promise<{ manifest: Manifest; mac: string | null } | null> {
  let text: string;
  try {
    text = await readFile(join(folder, NAME), "utf8");
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") {
      return null;
    }
    throw error;
  }
  try {
    const { mac, ...manifest } = manifestSchema.parse(JSON.parse(text));
    return { manifest, mac };
  } catch (cause) {
    throw new BackupError(`${NAME} is not the manifest of a back-up that this program can read`, {
      cause,
    });
  }
}

/** Replaces the manifest in one step. From then on the new back-up is the folder's. */
export async function writeManifest(
  folder: string,
  manifest: Manifest,
  key: FolderKey | null,
): Promise<void> {
  // The order of the schema, which reading restores too: the proof covers this text.
  const content = contentSchema.parse(manifest);
  const mac = key === null ? null : authenticate(key, JSON.stringify(content));
  const draft = join(folder, `${NAME}.part`);
  {
    await using file = await open(draft, "w", 0o600);
    await file.writeFile(`${JSON.stringify({ ...content, mac }, null, 1)}\n`);
    await file.sync();
  }
  await rename(draft, join(folder, NAME));
  await syncFolder(folder);
}

/** Makes renames in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

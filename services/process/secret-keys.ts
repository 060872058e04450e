// Reads the keys from outside the database: SECRET_KEY, or the file in the data folder, which the first start makes.
import { randomBytes, randomUUID } from "node:crypto";
import { chmod, link, open, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config, SecretKeyConfig } from "#config";
import type { Sql } from "#db/connect.ts";
import { makeFolder } from "#db/make-folder.ts";
import type { Sealed, SecretKeys } from "#identity/sealed.ts";
import { createSealed, SECRET_KEY_BYTES, secretKeyId } from "#identity/sealed.ts";
import type { SealedSecret } from "#identity/sealed-columns.ts";
import { readSealed, sealSecrets } from "#identity/sealed-columns.ts";
import { codeOf } from "#ledger/log/failure.ts";
import { secretKeyBytes } from "../environment-forms.ts";

/**
 * The store's sealed secrets, all with the current key once this resolves. Throws if one is sealed with a key that is
 * not at hand: to go on without it would give it up.
 */
export async function openSealed(
  { secretKey }: Pick<Config, "secretKey">,
  sql: Sql,
  report: (line: string) => void,
): Promise<Sealed> {
  const known = await readSecretKeys(secretKey);
  if (known === null) {
    // A new key would open none of them, and its file would look like the right one.
    const sealedBefore = await readSealed(sql);
    if (sealedBefore.length > 0) {
      throw new Error(describeUnopenable(sealedBefore, secretKey, null));
    }
  }
  const keys = known ?? (await makeSecretKeys(secretKey));
  const sealed = createSealed(keys);
  const { unopenable, unreadable, again } = await sealSecrets(sql, sealed);
  for (const { purpose, of } of unreadable) {
    report(`The sealed ${purpose} of ${of} was changed: no key opens it, and it does not count`);
  }
  if (unopenable.length > 0) {
    throw new Error(describeUnopenable(unopenable, secretKey, keys));
  }
  if (again > 0) {
    report(
      `${again} secrets in the database were sealed with a previous key. They are sealed with key ` +
        `${secretKeyId(keys.current)} (${sourceOf(secretKey)}) from now on: keep a copy of it, and make a new back-up`,
    );
  }
  return sealed;
}

/** Where the current key is from. */
function sourceOf({ given, file }: SecretKeyConfig): string {
  return given === null ? file : "SECRET_KEY";
}

function describeUnopenable(
  unopenable: readonly SealedSecret[],
  config: SecretKeyConfig,
  keys: SecretKeys | null,
): string {
  const { file } = config;
  const atHand =
    keys === null
      ? `SECRET_KEY is not set, and there is no ${file}`
      : `The key at hand is ${secretKeyId(keys.current)}, from ${sourceOf(config)}`;
  const ids = [...new Set(unopenable.map(({ keyId }) => keyId))].join(" and ");
  return (
    `${unopenable.length} secrets in the database are sealed with key ${ids}, which is not at hand. ${atHand}. Set SECRET_KEY ` +
    `(or PREVIOUS_SECRET_KEY) to it, or put it into ${file}. If it is lost for good, \`npm run secret-key -- --lost\` ` +
    "gives them up: then people sign in again, statements get a new key, and authenticator apps are set up again."
  );
}

/**
 * The first line of the file is the current key, further ones are previous keys. With SECRET_KEY the file's keys are
 * previous ones, so that a store can be moved from one to the other. Null if there is neither.
 */
export async function readSecretKeys({
  given,
  previous,
  file,
}: SecretKeyConfig): Promise<SecretKeys | null> {
  const inFile = await readKeyFile(file);
  const [current, ...older] =
    given === null ? inFile : [given, ...(previous === null ? [] : [previous]), ...inFile];
  return current === undefined ? null : { current, previous: older };
}

/** Makes the file where there is no key. */
async function makeSecretKeys(config: SecretKeyConfig): Promise<SecretKeys> {
  await makeKeyFile(config.file);
  const made = await readSecretKeys(config);
  if (made === null) {
    throw new Error(`${config.file} was just made and is gone`);
  }
  return made;
}

/** Which of the secrets are sealed with none of these keys. */
export function unopenableBy(
  secrets: readonly SealedSecret[],
  keys: SecretKeys | null,
): readonly SealedSecret[] {
  const known = new Set(keys === null ? [] : [keys.current, ...keys.previous].map(secretKeyId));
  return secrets.filter(({ keyId }) => !known.has(keyId));
}

/** Empty if there is no file. */
async function readKeyFile(file: string): Promise<readonly Uint8Array[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      return [];
    }
    throw error;
  }
  // A copy may have lost its mode.
  if (((await stat(file)).mode & 0o077) !== 0) {
    await chmod(file, 0o600);
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const keys = lines.map((line) => secretKeyBytes(line.trim()));
  const known = keys.filter((key) => key !== null);
  if (known.length === 0 || known.length < keys.length) {
    throw new Error(
      `${file} is not a file of keys: each line is 32 bytes in hex or base64, the current key first`,
    );
  }
  return known;
}

/** Written whole before it has its name. Several processes may do this at once: the first one's key counts. */
async function makeKeyFile(file: string): Promise<void> {
  await makeFolder(dirname(file));
  // Process ids are not enough: two containers with the same folder often have the same.
  const draft = `${file}.${randomUUID()}`;
  const opened = await open(draft, "wx", 0o600);
  try {
    await opened.writeFile(`${randomBytes(SECRET_KEY_BYTES).toString("hex")}\n`);
    await opened.sync();
    await opened.close();
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") {
        throw error;
      }
    });
  } finally {
    await rm(draft, { force: true });
  }
}

// The ES256 keys that sign our ID tokens: made in the database, published before use, kept until their last token ended.
import { createHash } from "node:crypto";
import {
  type CryptoKey,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
} from "jose";
import type { Sql, TransactionSql } from "#db/connect.ts";

/** One hour at most; short, because a token cannot be taken back. */
export const ID_TOKEN_SECONDS = 900;

const DAY_MS = 86_400_000;
const SIGNS_FOR_MS = 30 * DAY_MS;
// Longer than a verifier may keep our key set, and than a token lives.
const PUBLISHED_BEFORE_MS = 3_600_000;
const PUBLISHED_AFTER_MS = DAY_MS;
const RELOAD_AFTER_MS = 60_000;
const RELOAD_UNKNOWN_AFTER_MS = 1_000;

export type SigningKey = { readonly kid: string; readonly key: CryptoKey };

export type SigningKeys = {
  /** The key that signs now. */
  readonly current: () => Promise<SigningKey>;
  /** The key a token names; an unknown one is looked for in the database, at most once a second. */
  readonly find: (header: JWTHeaderParameters) => Promise<CryptoKey>;
  /** The public keys, for `GET jwks`. */
  readonly jwks: () => Promise<{ keys: JWK[] }>;
  /** Makes the next key when the newest one's time ends soon. Cheap; `current` does it too. */
  readonly rotate: () => Promise<void>;
};

type KeyRow = {
  kid: string;
  public_jwk: JWK;
  private_jwk: JWK;
  signs_from: Date;
  published_until: Date;
};

type LoadedKey = {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  readonly signsFrom: number;
};

export function createSigningKeys(sql: Sql, clock: () => Date): SigningKeys {
  let loaded: readonly LoadedKey[] = [];
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<readonly LoadedKey[]> | undefined;

  function keys(maxAgeMs: number): Promise<readonly LoadedKey[]> {
    const age = clock().getTime() - loadedAt;
    if (loaded.length > 0 && age >= 0 && age < maxAgeMs) {
      return Promise.resolve(loaded);
    }
    loading ??= loadKeys(sql, clock)
      .then((fresh) => {
        loaded = fresh;
        loadedAt = clock().getTime();
        return fresh;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  }

  return {
    async current() {
      const known = await keys(RELOAD_AFTER_MS);
      // Looked at afterwards: a key that was made meanwhile signs from then on.
      const now = clock().getTime();
      const key = known.findLast(({ signsFrom }) => signsFrom <= now);
      if (key === undefined) {
        throw new Error("There is no key to sign with");
      }
      return { kid: key.kid, key: key.privateKey };
    },
    async find({ kid }) {
      const byKid = (key: LoadedKey): boolean => key.kid === kid;
      const key =
        (await keys(RELOAD_AFTER_MS)).find(byKid) ??
        (await keys(RELOAD_UNKNOWN_AFTER_MS)).find(byKid);
      if (key === undefined) {
        throw new errors.JWKSNoMatchingKey();
      }
      return key.publicKey;
    },
    async jwks() {
      const published = await keys(RELOAD_AFTER_MS);
      return { keys: published.map(({ publicJwk }) => publicJwk) };
    },
    async rotate() {
      await keys(0);
    },
  };
}

/** Reads the published keys, oldest first, after making what is missing. Several processes may do so at once. */
async function loadKeys(sql: Sql, clock: () => Date): Promise<readonly LoadedKey[]> {
  const now = clock();
  const rows = await sql.begin(async (transaction) => {
    const read = () => transaction<KeyRow[]>`
      select kid, public_jwk, private_jwk, signs_from, published_until from identity.signing_keys
      where published_until > ${now} order by signs_from, kid limit 100`;
    const known = await read();
    if (!needsKey(known, now)) {
      return known;
    }
    await transaction`select pg_advisory_xact_lock(hashtextextended('identity.signing_keys', 0))`;
    const seen = await read();
    if (needsKey(seen, now)) {
      await insertKey(transaction, now, seen);
    }
    return read();
  });
  return Promise.all(rows.map(load));
}

function needsKey(rows: readonly KeyRow[], now: Date): boolean {
  const newest = rows.at(-1);
  return (
    newest === undefined ||
    newest.signs_from.getTime() + SIGNS_FOR_MS - PUBLISHED_BEFORE_MS <= now.getTime()
  );
}

async function insertKey(
  transaction: TransactionSql,
  now: Date,
  rows: readonly KeyRow[],
): Promise<void> {
  const newest = rows.at(-1);
  const signsFrom = Math.max(
    now.getTime(),
    newest === undefined
      ? 0
      : Math.min(newest.signs_from.getTime() + SIGNS_FOR_MS, now.getTime() + PUBLISHED_BEFORE_MS),
  );
  const pair = await generateKeyPair("ES256", { extractable: true });
  const publicPart = await exportJWK(pair.publicKey);
  const kid = createHash("sha256").update(JSON.stringify(publicPart)).digest("base64url");
  const publicJwk = { ...publicPart, kid, alg: "ES256", use: "sig" };
  const privateJwk = await exportJWK(pair.privateKey);
  await transaction`
    insert into identity.signing_keys
      (kid, public_jwk, private_jwk, created_at, signs_from, published_until)
    values (${kid}, ${transaction.json({ ...publicJwk })}, ${transaction.json({ ...privateJwk })},
      ${now}, ${new Date(signsFrom)}, ${new Date(signsFrom + SIGNS_FOR_MS + PUBLISHED_AFTER_MS)})`;
  await transaction`delete from identity.signing_keys where published_until <= ${now}`;
}

async function load(row: KeyRow): Promise<LoadedKey> {
  const [publicKey, privateKey] = await Promise.all([
    importJWK(row.public_jwk, "ES256"),
    importJWK(row.private_jwk, "ES256"),
  ]);
  if (publicKey instanceof Uint8Array || privateKey instanceof Uint8Array) {
    throw new Error(`Signing key ${row.kid} is not an elliptic-curve key`);
  }
  return {
    kid: row.kid,
    publicJwk: row.public_jwk,
    publicKey,
    privateKey,
    signsFrom: row.signs_from.getTime(),
  };
}

// The ES256 keys that sign ID tokens: stored in the database, published before use, accepted until their last token expires.
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
import {
  acceptedFromBefore,
  type KeyTime,
  missingKey,
  publishedUntil,
  signingKey,
} from "#identity/key-choice.ts";
import type { Sealed } from "#identity/sealed.ts";
import { sealJwk } from "#identity/sealed-jwk.ts";
import type { JudgedKey, ProvableSigningKey } from "#identity/signing-key-proof.ts";
import { AT_MOST, isSameKey, judgeKey } from "#identity/signing-key-proof.ts";

/** At most one hour; short, because a token cannot be revoked. */
export const ID_TOKEN_SECONDS = 900;

const RELOAD_AFTER_MS = 60_000;
const RELOAD_UNKNOWN_AFTER_MS = 1_000;
/** How many keys that are not accepted now are kept, so that a wrong clock does not delete them. */
export const KEPT_KEYS = 24;

export type SigningKey = { readonly kid: string; readonly key: CryptoKey };

export type SigningKeys = {
  /** The key that signs at this time, by default now. */
  readonly current: (at?: Date) => Promise<SigningKey>;
  /** The key named in a token; an unknown one is looked up in the database, at most once a second. */
  readonly find: (header: JWTHeaderParameters) => Promise<CryptoKey>;
  /** The public keys, for `GET jwks`. */
  readonly jwks: () => Promise<{ keys: JWK[] }>;
  /** Makes the next key if the newest one's time ends soon. Cheap; `current` does it too. */
  readonly rotate: () => Promise<void>;
};

type KeyRow = ProvableSigningKey & {
  readonly signs_from: Date;
  readonly turn: number;
  readonly newest_turn: number;
};

type Judged = { readonly row: KeyRow; readonly found: JudgedKey };

type LoadedKey = KeyTime & {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  /** Null if it is now sealed with a key that this process was not given. */
  readonly privateKey: CryptoKey | null;
};

type Source = {
  readonly sql: Sql;
  readonly sealed: Sealed;
  /** Gets the name of each key that the store did not make, or that nobody can read. */
  readonly onPlanted: (kid: string) => void;
};

/** The keys that are accepted at a clock time and for a while around it. */
type KeySet<Keys> = { readonly at: number; readonly keys: Keys };

/** `onPlanted` gets once each key that does not count: somebody else wrote it, or nobody can read it. */
export function createSigningKeys(
  sql: Sql,
  clock: () => Date,
  sealed: Sealed,
  onPlanted: (kid: string) => void = () => undefined,
): SigningKeys {
  const source = { sql, sealed, onPlanted: once(onPlanted) };
  let loaded: KeySet<readonly LoadedKey[]> | undefined;
  let loading: KeySet<Promise<readonly LoadedKey[]>> | undefined;

  async function load(at: number): Promise<readonly LoadedKey[]> {
    const begun = { at, keys: loadKeys(source, at, loaded?.keys ?? []) };
    loading = begun;
    try {
      const keys = await begun.keys;
      loaded = { at, keys };
      return keys;
    } finally {
      if (loading === begun) {
        loading = undefined;
      }
    }
  }

  /** If the clock was set forwards or back, loads the keys for its new time. */
  function keysAt(at: number, maxAgeMs: number): Promise<readonly LoadedKey[]> {
    if (isNear(loaded, at, maxAgeMs)) {
      return Promise.resolve(loaded.keys);
    }
    return isNear(loading, at, RELOAD_AFTER_MS) ? loading.keys : load(at);
  }

  return {
    async current(at = clock()) {
      const now = at.getTime();
      const keys = await keysAt(now, RELOAD_AFTER_MS);
      const openable = keys.filter(({ privateKey }) => privateKey !== null);
      const key = signingKey(openable.length === 0 ? keys : openable, now);
      if (key === undefined) {
        throw new Error("There is no key to sign with");
      }
      if (key.privateKey === null) {
        throw new Error(
          "The key that signs is sealed with another SECRET_KEY: restart with the store's key",
        );
      }
      return { kid: key.kid, key: key.privateKey };
    },
    async find({ kid }) {
      const now = clock().getTime();
      const byKid = (key: LoadedKey): boolean => key.kid === kid;
      const key =
        (await keysAt(now, RELOAD_AFTER_MS)).find(byKid) ??
        (await keysAt(now, RELOAD_UNKNOWN_AFTER_MS)).find(byKid);
      if (key === undefined) {
        throw new errors.JWKSNoMatchingKey();
      }
      return key.publicKey;
    },
    async jwks() {
      const published = await keysAt(clock().getTime(), RELOAD_AFTER_MS);
      return { keys: published.map(({ publicJwk }) => publicJwk) };
    },
    async rotate() {
      await load(clock().getTime());
    },
  };
}

function isNear<Set extends KeySet<unknown>>(
  set: Set | undefined,
  at: number,
  withinMs: number,
): set is Set {
  return set !== undefined && Math.abs(at - set.at) < withinMs;
}

function once(report: (name: string) => void): (name: string) => void {
  const reported = new Set<string>();
  return (name) => {
    if (!reported.has(name)) {
      reported.add(name);
      report(name);
    }
  };
}

/**
 * Reads the keys that are accepted at this time, oldest first, after making missing ones. Several processes may do
 * this at once. `before` are those that this process accepted already: they stay when another process seals them with
 * a new SECRET_KEY.
 */
async function loadKeys(
  { sql, sealed, onPlanted }: Source,
  now: number,
  before: readonly LoadedKey[],
): Promise<readonly LoadedKey[]> {
  const judged = await sql.begin(async (transaction) => {
    const known = await readKeys(transaction, sealed, now);
    if (missingKey(usable(known).map(timeOf), now) === undefined) {
      return known;
    }
    await transaction`select pg_advisory_xact_lock(hashtextextended('identity.signing_keys', 0))`;
    const rows = usable(await readKeys(transaction, sealed, now));
    const signsFrom = missingKey(rows.map(timeOf), now);
    if (signsFrom !== undefined) {
      await insertKey(transaction, sealed, now, signsFrom);
      await forgetLongUnused(transaction, now);
    }
    return readKeys(transaction, sealed, now);
  });
  for (const { row, found } of judged) {
    if (found.standing === "planted") {
      onPlanted(row.kid);
    }
  }
  await noteTurn(sql, usable(judged), now);
  const keys = await Promise.all(judged.map((one) => importKey(one, before)));
  return keys.filter((key) => key !== null);
}

/** The store's keys. Those of another SECRET_KEY are somebody else's as long as this one opens any. */
function usable(judged: readonly Judged[]): readonly KeyRow[] {
  const having = (standing: JudgedKey["standing"]) =>
    judged.filter(({ found }) => found.standing === standing).map(({ row }) => row);
  const own = having("counts");
  return own.length > 0 ? own : having("unknown");
}

async function readKeys(
  transaction: TransactionSql,
  sealed: Sealed,
  now: number,
): Promise<readonly Judged[]> {
  const rows = await transaction<KeyRow[]>`
    select kid, public_jwk, private_sealed, signs_from, turn,
      (select max(turn) from identity.signing_keys) as newest_turn
    from identity.signing_keys
    where published_until > ${new Date(now)} and signs_from <= ${new Date(acceptedFromBefore(now))}
    order by signs_from, kid limit ${AT_MOST}`;
  return rows.map((row) => ({ row, found: judgeKey(row, sealed) }));
}

function timeOf(row: KeyRow): KeyTime {
  return { signsFrom: row.signs_from.getTime() };
}

async function insertKey(
  transaction: TransactionSql,
  sealed: Sealed,
  now: number,
  signsFrom: number,
): Promise<void> {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const publicPart = await exportJWK(pair.publicKey);
  const kid = createHash("sha256").update(JSON.stringify(publicPart)).digest("base64url");
  const publicJwk = { ...publicPart, kid, alg: "ES256", use: "sig" };
  const what = { purpose: "signing-key", of: kid } as const;
  const privateSealed = sealJwk(sealed, what, await exportJWK(pair.privateKey));
  await transaction`
    insert into identity.signing_keys
      (kid, public_jwk, private_sealed, created_at, signs_from, published_until, turn)
    values (${kid}, ${transaction.json({ ...publicJwk })}, ${privateSealed},
      ${new Date(now)}, ${new Date(signsFrom)}, ${new Date(publishedUntil(signsFrom))},
      (select coalesce(max(turn), 0) + 1 from identity.signing_keys))`;
}

/** By number and not by age, so that after a fast clock the right time finds its keys again. */
async function forgetLongUnused(transaction: TransactionSql, now: number): Promise<void> {
  await transaction`
    delete from identity.signing_keys where kid in (
      select kid from identity.signing_keys
      where published_until <= ${new Date(now)} or signs_from > ${new Date(acceptedFromBefore(now))}
      order by turn desc, signs_from desc offset ${KEPT_KEYS})`;
}

/** Records that another key signs now: once a month, or when the clock was set. */
async function noteTurn(sql: Sql, rows: readonly KeyRow[], now: number): Promise<void> {
  const keys = rows.map((row) => ({ ...timeOf(row), row }));
  const signing = signingKey(keys, now)?.row;
  if (signing !== undefined && (signing.turn === 0 || signing.turn < signing.newest_turn)) {
    await sql`
      update identity.signing_keys
      set turn = (select max(turn) + 1 from identity.signing_keys) where kid = ${signing.kid}`;
  }
}

/** Null if the key does not count. */
async function importKey(
  { row, found }: Judged,
  before: readonly LoadedKey[],
): Promise<LoadedKey | null> {
  const { kid } = row;
  if (found.standing === "counts") {
    const { publicJwk, privateJwk } = found;
    const [publicKey, privateKey] = await Promise.all([
      importEllipticKey(publicJwk, kid),
      importEllipticKey(privateJwk, kid),
    ]);
    return { ...timeOf(row), kid, publicJwk, publicKey, privateKey };
  }
  const known = before.find((key) => key.kid === kid && isSameKey(key.publicJwk, row.public_jwk));
  return found.standing === "unknown" && known !== undefined
    ? { ...known, privateKey: null }
    : null;
}

async function importEllipticKey(jwk: JWK, kid: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, "ES256");
  if (key instanceof Uint8Array) {
    throw new Error(`Signing key ${kid} is not an elliptic-curve key`);
  }
  return key;
}

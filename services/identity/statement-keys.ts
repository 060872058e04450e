// The ES256 keys that sign statements: one signs, retired ones stay published forever, so that old statements can be checked.
import { createHash } from "node:crypto";
import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Sql as AnySql, TransactionSql as Snapshot } from "postgres";
import type { Sql, TransactionSql } from "#db/connect.ts";
import type { Sealed } from "#identity/sealed.ts";
import { openJwk, sealJwk } from "#identity/sealed-jwk.ts";
import { notePurgeDue } from "#identity/sealed-columns.ts";
import type { ProvableKey } from "#identity/statement-key-proof.ts";
import { sealPublicPart, standingOf } from "#identity/statement-key-proof.ts";

/** A public key as it is published. Only a retired one has `retired_at`. */
export type PublishedKey = {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
  readonly created_at: string;
  readonly retired_at?: string;
};

export type StatementKeys = {
  /** Signs a payload with the current key, which is made if there is none: a compact JWS. */
  readonly sign: (payload: object) => Promise<string>;
  /** Every key the store ever made: first the current one, then the retired ones, the latest first. */
  readonly published: () => Promise<readonly PublishedKey[]>;
  /** Retires the current key, if there is one, and makes the next. */
  readonly rotate: () => Promise<{ readonly current: string; readonly retired: string | null }>;
};

type Row = ProvableKey & {
  readonly public_jwk: PublicPart;
  readonly retired_at: Date | null;
};
type PublicPart = Omit<PublishedKey, "created_at" | "retired_at">;
type Current = { readonly kid: string; readonly private_sealed: Buffer | null };

const TYPE = "consignment-ledger-statement";

export function createStatementKeys(sql: Sql, clock: () => Date, sealed: Sealed): StatementKeys {
  return {
    async sign(payload) {
      const [found] = await readCurrent(sql);
      const key = found ?? (await sql.begin((own) => ensure(own, clock(), sealed)));
      return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: "ES256", kid: key.kid, typ: TYPE })
        .sign(await importJWK(openKey(key, sealed), "ES256"));
    },
    published: () => publishedKeys(sql, sealed),
    rotate() {
      return sql.begin(async (own) => {
        await lock(own);
        const now = clock();
        const [retired] = await own<{ kid: string }[]>`
          update identity.statement_keys set plain_jwk = null, private_sealed = null,
            retired_at = ${now}
          where retired_at is null returning kid`;
        await notePurgeDue(own);
        const { kid } = await insertKey(own, now, sealed);
        return { current: kid, retired: retired?.kid ?? null };
      });
    },
  };
}

/** Without a row that somebody else than the store made. */
export async function publishedKeys(sql: AnySql, sealed: Sealed): Promise<readonly PublishedKey[]> {
  const rows = await readKeys(sql);
  return rows
    .filter((row) => standingOf(row, sealed) === "counts")
    .map(({ public_jwk: key, created_at: created, retired_at: retired }) => ({
      ...key,
      created_at: created.toISOString(),
      ...(retired === null ? {} : { retired_at: retired.toISOString() }),
    }));
}

/** Who has the application's role could fill any page of a list. */
const AT_MOST = 100_000;

function readKeys(sql: AnySql | Snapshot): Promise<Row[]> {
  return sql<Row[]>`
    select kid, public_jwk, public_sealed, is_vouched, created_at, retired_at
    from identity.statement_keys
    order by retired_at desc nulls first, kid limit ${AT_MOST}`;
}

function readCurrent(sql: Sql | TransactionSql): Promise<Current[]> {
  return sql<Current[]>`
    select kid, private_sealed from identity.statement_keys where retired_at is null limit 1`;
}

async function lock(own: TransactionSql): Promise<void> {
  await own`select pg_advisory_xact_lock(hashtextextended('identity.statement_keys', 0))`;
}

/** Several processes may need the first key at once. */
async function ensure(own: TransactionSql, now: Date, sealed: Sealed): Promise<Current> {
  await lock(own);
  const [found] = await readCurrent(own);
  return found ?? insertKey(own, now, sealed);
}

async function insertKey(own: TransactionSql, now: Date, sealed: Sealed): Promise<Current> {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const publicPart = await exportJWK(pair.publicKey);
  const kid = createHash("sha256").update(JSON.stringify(publicPart)).digest("base64url");
  const publicJwk = { ...publicPart, kid, alg: "ES256", use: "sig" };
  const what = { purpose: "statement-key", of: kid } as const;
  const privateSealed = sealJwk(sealed, what, await exportJWK(pair.privateKey));
  const publicSealed = sealPublicPart(sealed, { kid, public_jwk: publicJwk, created_at: now });
  await own`
    insert into identity.statement_keys (kid, public_jwk, private_sealed, public_sealed, created_at)
    values (${kid}, ${own.json({ ...publicJwk })}, ${privateSealed}, ${publicSealed}, ${now})`;
  return { kid, private_sealed: privateSealed };
}

function openKey({ kid, private_sealed: bytes }: Current, sealed: Sealed): JWK {
  const jwk = openJwk(sealed, { purpose: "statement-key", of: kid }, bytes);
  if (jwk === null) {
    throw new Error(
      "The key that signs statements is sealed with another SECRET_KEY: restart with the store's key",
    );
  }
  return jwk;
}

/** For verify: the keys that the store did not make, and how many it cannot check without their SECRET_KEY. */
export async function findPlantedKeys(
  sql: Snapshot,
  sealed: Sealed | null,
): Promise<{ readonly planted: readonly string[]; readonly unknown: number }> {
  const rows = (await readKeys(sql)).map((row) => ({
    kid: row.kid,
    standing: standingOf(row, sealed),
  }));
  return {
    planted: rows.filter(({ standing }) => standing === "planted").map(({ kid }) => kid),
    unknown: rows.filter(({ standing }) => standing === "unknown").length,
  };
}

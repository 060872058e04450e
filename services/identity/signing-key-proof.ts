// Which keys of ID tokens count: only those whose private part the store sealed, and whose public part belongs to it.
import type { JWK } from "jose";
import type { TransactionSql as Snapshot } from "postgres";
import type { Sealed } from "#identity/sealed.ts";
import { openJwk } from "#identity/sealed-jwk.ts";

export type ProvableSigningKey = {
  readonly kid: string;
  /** Whoever can write to the table may have put any JSON there. */
  readonly public_jwk: unknown;
  readonly private_sealed: Buffer | null;
};

/**
 * `planted`: without the store's seal, unreadable, or with the public part of another key. `unknown`: sealed with a key
 * that this process was not given.
 */
export type JudgedKey =
  | { readonly standing: "counts"; readonly publicJwk: JWK; readonly privateJwk: JWK }
  | { readonly standing: "planted" | "unknown" };

export function judgeKey(key: ProvableSigningKey, sealed: Sealed | null): JudgedKey {
  if (key.private_sealed === null) {
    return { standing: "planted" };
  }
  if (sealed === null) {
    return { standing: "unknown" };
  }
  try {
    const what = { purpose: "signing-key", of: key.kid } as const;
    const privateJwk = openJwk(sealed, what, key.private_sealed);
    if (privateJwk === null) {
      return { standing: "unknown" };
    }
    const { crv = "", x = "", y = "" } = privateJwk;
    const publicJwk = { kty: "EC", crv, x, y, kid: key.kid, alg: "ES256", use: "sig" };
    return isSameKey(publicJwk, key.public_jwk)
      ? { standing: "counts", publicJwk, privateJwk }
      : { standing: "planted" };
  } catch {
    return { standing: "planted" };
  }
}

/** Whether two public parts are of the same key, with the same words about it. JSON in the database has no order. */
export function isSameKey(one: JWK, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(jwk: unknown): string {
  const members = Object.entries(Object(jwk)).toSorted(([first], [second]) =>
    first < second ? -1 : 1,
  );
  return JSON.stringify(members);
}

/** Who can write to the table could fill any page of it. */
export const AT_MOST = 100_000;

/** For verify: the keys that the store did not make, and how many it cannot check without their SECRET_KEY. */
export async function findPlantedSigningKeys(
  sql: Snapshot,
  sealed: Sealed | null,
): Promise<{ readonly planted: readonly string[]; readonly unknown: number }> {
  const rows = await sql<ProvableSigningKey[]>`
    select kid, public_jwk, private_sealed from identity.signing_keys order by kid limit ${AT_MOST}`;
  const judged = rows.map((row) => ({ kid: row.kid, ...judgeKey(row, sealed) }));
  return {
    planted: judged.filter(({ standing }) => standing === "planted").map(({ kid }) => kid),
    unknown: judged.filter(({ standing }) => standing === "unknown").length,
  };
}

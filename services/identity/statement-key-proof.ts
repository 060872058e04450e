// Which keys of statements count: whoever has only the database's role can insert a key, but cannot seal its public part.
import type { Sql } from "#db/connect.ts";
import type { Sealed, SealedFor } from "#identity/sealed.ts";
import type { SealedSecret } from "#identity/sealed-columns.ts";

export type ProvableKey = {
  readonly kid: string;
  readonly public_jwk: object;
  readonly public_sealed: Buffer | null;
  readonly is_vouched: boolean;
  readonly created_at: Date;
};

const PURPOSE = "statement-key-public";

const boundTo = (kid: string): SealedFor => ({ purpose: PURPOSE, of: kid });

/** All that must not be changed. JSON in the database has its members in another order. */
function textOf(key: Pick<ProvableKey, "kid" | "public_jwk" | "created_at">): string {
  const members = Object.entries(key.public_jwk).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return JSON.stringify([key.kid, members, key.created_at.toISOString()]);
}

export function sealPublicPart(
  sealed: Sealed,
  key: Pick<ProvableKey, "kid" | "public_jwk" | "created_at">,
): Buffer {
  return sealed.seal(boundTo(key.kid), Buffer.from(textOf(key)));
}

/** `unknown`: sealed with a key that this process was not given. */
export type Standing = "counts" | "planted" | "unknown";

/** Whether a key is one that the store made, or that the owner of the schema vouches for. */
export function standingOf(key: ProvableKey, sealed: Sealed | null): Standing {
  if (key.is_vouched) {
    return "counts";
  }
  if (key.public_sealed === null) {
    return "planted";
  }
  if (sealed === null) {
    return "unknown";
  }
  try {
    const opened = sealed.open(boundTo(key.kid), key.public_sealed);
    if (opened.kind === "key-gone") {
      return "unknown";
    }
    return opened.bytes.toString() === textOf(key) ? "counts" : "planted";
  } catch {
    return "planted";
  }
}

/**
 * Keys whose proof was sealed with a key that is lost for good go on counting, so that old statements stay genuine.
 * Only the owner of the schema may say so. Returns their names, which an operator should look at.
 */
export async function vouchForLost(
  ownerSql: Sql,
  lost: readonly SealedSecret[],
): Promise<readonly string[]> {
  const kids = lost.filter(({ purpose }) => purpose === PURPOSE).map(({ of }) => of);
  await ownerSql`
    update identity.statement_keys set is_vouched = true where kid = any(${kids}::text[])`;
  return kids;
}

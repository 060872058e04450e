// Recovery codes: ten a person, shown once and kept as hashes. Each opens the account once instead of a second factor.
import { createHash, randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "#db/connect.ts";
import { lockProfile } from "#identity/lock-order.ts";

const HOW_MANY = 10;
/** 120 bits: too many to try, even with the hashes at hand. Older codes have 80. */
const BYTES = 15;
/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz234567890";

/** Replaces all codes of the person; they are never shown again. */
export async function makeRecoveryCodes(
  transaction: TransactionSql,
  now: Date,
  uid: string,
): Promise<readonly string[]> {
  const codes = Array.from({ length: HOW_MANY }, newCode);
  await lockProfile(transaction, uid);
  await transaction`delete from identity.recovery_codes where uid = ${uid}`;
  for (const code of codes) {
    await transaction`
      insert into identity.recovery_codes (uid, code_hash, made_at)
      values (${uid}, ${hashOf(code)}, ${now})`;
  }
  return codes;
}

/** False for a wrong or used code. Of two uses at once, one is right. */
export async function spendRecoveryCode(
  sql: Sql,
  now: Date,
  uid: string,
  code: string,
): Promise<boolean> {
  const used = await sql`
    update identity.recovery_codes set used_at = ${now}
    where uid = ${uid} and code_hash = ${hashOf(code)} and used_at is null`;
  return used.count === 1;
}

/** How many can still be used. */
export async function countRecoveryCodes(sql: Sql, uid: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select count(*)::int as left from identity.recovery_codes where uid = ${uid} and used_at is null`;
  return row?.left ?? 0;
}

/** `abcd-efgh-jkmn-pqrs-tuvw-xyz2`. */
function newCode(): string {
  const bits = [...randomBytes(BYTES)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = (bits.match(/.{5}/g) ?? []).map((five) =>
    ALPHABET.charAt(Number.parseInt(five, 2)),
  );
  return (letters.join("").match(/.{4}/g) ?? []).join("-");
}

/** Typed with capitals, spaces or without hyphens, it is the same code. */
function hashOf(code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return createHash("sha256").update(letters).digest();
}

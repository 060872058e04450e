// Every column of sealed secrets: at each start they are sealed with the current key, and those that cannot be opened
// are found.
import type { Sql, TransactionSql } from "#db/connect.ts";
import {
  type Opened,
  type Purpose,
  type Sealed,
  type SealedFor,
  sealedKeyId,
} from "#identity/sealed.ts";

type SealedColumn = {
  readonly purpose: Purpose;
  readonly table: string;
  /** Names the row, and is what the value is bound to. */
  readonly of: string;
  readonly column: string;
  /** Where such a secret was kept before it was sealed: JSON. */
  readonly plain?: string;
  /** What is done with a row whose key is gone for good; `$1` is the row's name. */
  readonly giveUp: string;
};

const COLUMNS: readonly SealedColumn[] = [
  {
    purpose: "signing-key",
    table: "identity.signing_keys",
    of: "kid",
    column: "private_sealed",
    plain: "plain_jwk",
    // The next use makes a new one; tokens of this one are refused from now on.
    giveUp: "delete from identity.signing_keys where kid = $1",
  },
  {
    purpose: "statement-key",
    table: "identity.statement_keys",
    of: "kid",
    column: "private_sealed",
    plain: "plain_jwk",
    // Stays published, so that what it signed can be checked.
    giveUp:
      "update identity.statement_keys set private_sealed = null, retired_at = now() where kid = $1",
  },
  {
    // No secret: sealed, it proves that the store made the key.
    purpose: "statement-key-public",
    table: "identity.statement_keys",
    of: "kid",
    column: "public_sealed",
    // The owner of the schema vouches for the key before (`vouchForLost`).
    giveUp: "update identity.statement_keys set public_sealed = null where kid = $1",
  },
  {
    purpose: "totp-secret",
    table: "identity.factors",
    of: "uid || '/' || id",
    column: "secret_sealed",
    // The person sets it up again. Until then, their password alone signs them in, unless they have a passkey.
    giveUp: "delete from identity.factors where uid || '/' || id = $1",
  },
  {
    purpose: "payout-handle",
    table: "identity.chosen_handles",
    of: "uid || '/' || method",
    column: "handle_sealed",
    // The handle used last is suggested again.
    giveUp: "delete from identity.chosen_handles where uid || '/' || method = $1",
  },
];

/** A sealed secret and the key that it is sealed with. */
export type SealedSecret = {
  readonly purpose: Purpose;
  readonly of: string;
  readonly keyId: string;
};

export type SealedAgain = {
  /** How many secrets were in plain sight, or sealed with a previous key. */
  readonly sealed: number;
  /** How many of them were sealed with a previous key. */
  readonly again: number;
  /** Those whose key this process was not given. */
  readonly unopenable: readonly SealedSecret[];
  /** Those that somebody changed, so that no key opens them. They stay as they are. */
  readonly unreadable: readonly SealedFor[];
};

const AT_MOST = 1_000_000;

type Row = { readonly of: string; readonly sealed: Buffer | null; readonly plain: unknown };

/**
 * Seals what is not sealed with the current key, in one transaction, and notes that the older bytes must be purged.
 * Several processes may do this at once. A secret in plain sight is one of before only if nothing is sealed yet: beside
 * sealed ones somebody put it there, and sealed it would count as the store's.
 */
export async function sealSecrets(sql: Sql, sealed: Sealed): Promise<SealedAgain> {
  const unopenable: SealedSecret[] = [];
  const unreadable: SealedFor[] = [];
  const counts = await sql.begin(async (own) => {
    await own`select pg_advisory_xact_lock(hashtextextended('identity.sealed', 0))`;
    let done = 0;
    let again = 0;
    const columns: (readonly [SealedColumn, readonly Row[]])[] = [];
    for (const column of COLUMNS) {
      columns.push([column, await readRows(own, column)]);
    }
    const isOfBefore = columns.every(([, rows]) => rows.every((row) => row.sealed === null));
    for (const [column, rows] of columns) {
      for (const row of rows.filter((one) => isOfBefore || one.sealed !== null)) {
        const bytes = bytesOf(column, row, sealed);
        if (bytes.kind === "key-gone") {
          unopenable.push(bytes.row);
        } else if (bytes.kind === "unreadable") {
          unreadable.push({ purpose: column.purpose, of: row.of });
        } else if (bytes.kind === "opened") {
          await writeRow(own, column, row.of, sealed.seal({ ...column, of: row.of }, bytes.bytes));
          done += 1;
          again += row.sealed === null ? 0 : 1;
        }
      }
    }
    await (done > 0 ? notePurgeDue(own) : undefined);
    return { sealed: done, again };
  });
  return { ...counts, unopenable, unreadable };
}

type Found =
  | { readonly kind: "current" }
  | { readonly kind: "opened"; readonly bytes: Buffer }
  | { readonly kind: "key-gone"; readonly row: SealedSecret }
  | { readonly kind: "unreadable" };

function bytesOf({ purpose }: SealedColumn, row: Row, sealed: Sealed): Found {
  const { of } = row;
  if (row.sealed === null) {
    return { kind: "opened", bytes: Buffer.from(JSON.stringify(row.plain)) };
  }
  if (sealed.isCurrent(row.sealed)) {
    return { kind: "current" };
  }
  const opened = openChanged(sealed, { purpose, of }, row.sealed);
  if (opened === null) {
    return { kind: "unreadable" };
  }
  return opened.kind === "opened"
    ? opened
    : { kind: "key-gone", row: { purpose, of, keyId: sealedKeyId(row.sealed) } };
}

/** Null if the sealed bytes were changed. One such row must not keep the store from starting. */
function openChanged(sealed: Sealed, what: SealedFor, bytes: Uint8Array): Opened | null {
  try {
    return sealed.open(what, bytes);
  } catch {
    return null;
  }
}

function readRows(own: TransactionSql, column: SealedColumn): Promise<Row[]> {
  const { table, of, column: name, plain } = column;
  return own.unsafe<Row[]>(
    `select ${of} as of, ${name} as sealed, ${plain ?? "null"} as plain from ${table}
     where ${name} is not null ${plain === undefined ? "" : `or ${plain} is not null`}
     order by ${of} limit ${AT_MOST} for update`,
  );
}

async function writeRow(
  own: TransactionSql,
  { table, of, column, plain }: SealedColumn,
  name: string,
  bytes: Buffer,
): Promise<void> {
  const empties = plain === undefined ? "" : `, ${plain} = null`;
  await own.unsafe(`update ${table} set ${column} = $1 ${empties} where ${of} = $2`, [bytes, name]);
}

/** Deleted secrets are still in dead rows and in the write-ahead log: the worker purges them. */
export async function notePurgeDue(own: TransactionSql): Promise<void> {
  await own`
    insert into identity.purge_due (only_one, since) values (true, date_trunc('milliseconds', clock_timestamp()))
    on conflict (only_one) do update set since = excluded.since`;
}

/** Every sealed secret. */
export async function readSealed(sql: Sql): Promise<readonly SealedSecret[]> {
  const secrets = await sql.begin(async (own) => {
    const found: SealedSecret[] = [];
    for (const column of COLUMNS) {
      for (const { of, sealed } of await readRows(own, column)) {
        found.push(
          ...(sealed === null ? [] : [{ purpose: column.purpose, of, keyId: sealedKeyId(sealed) }]),
        );
      }
    }
    return found;
  });
  return secrets;
}

/** How many secrets are still kept as they were before secrets were sealed. */
export async function countPlain(sql: Sql): Promise<number> {
  let plain = 0;
  for (const { table, column, plain: before } of COLUMNS) {
    if (before !== undefined) {
      const [row] = await sql.unsafe<{ count: number }[]>(
        `select count(*)::int as count from ${table} where ${column} is null and ${before} is not null`,
      );
      plain += row?.count ?? 0;
    }
  }
  return plain;
}

/** Gives up what nobody can open any more. What needs such a secret asks for a new one. */
export async function giveUpSecrets(sql: Sql, lost: readonly SealedSecret[]): Promise<void> {
  if (lost.length === 0) {
    return;
  }
  await sql.begin(async (own) => {
    for (const { purpose, of } of lost) {
      const column = COLUMNS.find((one) => one.purpose === purpose);
      await (column === undefined ? undefined : own.unsafe(column.giveUp, [of]));
    }
    await notePurgeDue(own);
  });
}

// Stores labels and other files of people encrypted, each with its own key in schema identity: erasing a person
// deletes the keys.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";

export type Label = {
  /** A new UUID, which the event contains too. */
  readonly id: string;
  /** The owner of the file: erasing this person makes it unreadable. Must have a profile. */
  readonly ownerUid: string;
  readonly bytes: Uint8Array;
};

/** A file to store with a command: pass it to `runCommand`, or call `stage` and then `write` in its transaction. */
export type NewLabel = {
  readonly id: string;
  /**
   * Encrypts the file and stores its bytes before the command runs, because the append's transaction must stay short.
   * They cannot be read before the key is stored too, and `sweep` removes bytes whose key never was.
   */
  readonly stage: () => Promise<void>;
  /** Stores the key: key and event are written together or not at all. */
  readonly write: (transaction: TransactionSql) => Promise<void>;
};

export type OpenedLabel = { readonly ownerUid: string; readonly bytes: Uint8Array };

export type KeptLabel = { readonly id: string; readonly keptAt: Date };

export type Labels = {
  /** Writes nothing yet. */
  readonly prepare: (label: Label) => NewLabel;
  /** The files of a person that can be opened, oldest first. */
  readonly listOf: (ownerUid: string) => Promise<readonly KeptLabel[]>;
  /** Null if the file was erased, replaced or is too old. Throws if the stored bytes were changed. */
  readonly open: (id: string) => Promise<OpenedLabel | null>;
  /** Makes a file permanently unreadable, for example one that was replaced. */
  readonly discard: (transaction: TransactionSql, id: string) => Promise<void>;
  /** Makes files unreadable that were stored before this time; returns how many. */
  readonly deleteOlder: (keptBefore: Date) => Promise<number>;
  /** Removes bytes that nobody can read any more; returns the number of files. */
  readonly sweep: () => Promise<number>;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Longer than any command that stages a file takes. */
const STAGED_FOR_MS = 3_600_000;
const DELETED_AT_ONCE = 1_000;
const LISTED_AT_MOST = 10_000;

export function createLabels(sql: Sql, clock: () => Date): Labels {
  return {
    prepare({ id, ownerUid, bytes }) {
      const key = randomBytes(32);
      return {
        id,
        async stage() {
          await sql`
            insert into files.labels (id, sealed, stored_at)
            values (${id}, ${seal(key, nameOf(id, ownerUid), bytes)}, ${clock()})`;
        },
        async write(transaction) {
          await transaction`
            insert into identity.label_keys (id, uid, key, kept_at)
            values (${id}, ${ownerUid}, ${key}, ${clock()})`;
        },
      };
    },
    async listOf(ownerUid) {
      const rows = await sql<{ id: string; kept_at: Date }[]>`
        select id, kept_at from identity.label_keys where uid = ${ownerUid}
        order by kept_at, id limit ${LISTED_AT_MOST}`;
      return rows.map((row) => ({ id: row.id, keptAt: row.kept_at }));
    },
    async open(id) {
      const [row] = await sql<{ uid: string; key: Buffer; sealed: Buffer }[]>`
        select k.uid, k.key, l.sealed
        from identity.label_keys k join files.labels l on l.id = k.id where k.id = ${id}`;
      return row === undefined
        ? null
        : { ownerUid: row.uid, bytes: unseal(row.key, nameOf(id, row.uid), row.sealed) };
    },
    async discard(transaction, id) {
      await transaction`delete from identity.label_keys where id = ${id}`;
    },
    async deleteOlder(keptBefore) {
      const { count } = await sql`
        delete from identity.label_keys where id in (
          select id from identity.label_keys where kept_at < ${keptBefore}
          order by kept_at limit ${DELETED_AT_ONCE})`;
      return count;
    },
    async sweep() {
      const stagedBefore = new Date(clock().getTime() - STAGED_FOR_MS);
      const { count } = await sql`
        delete from files.labels where id in (
          select l.id from files.labels l
          where l.stored_at < ${stagedBefore}
            and not exists (select from identity.label_keys k where k.id = l.id)
          order by l.stored_at limit ${DELETED_AT_ONCE})`;
      return count;
    },
  };
}

/** The data bound to the ciphertext: it cannot be decrypted with another id or owner. */
function nameOf(id: string, ownerUid: string): Buffer {
  return Buffer.from(`label\n${id}\n${ownerUid}`);
}

function seal(key: Buffer, name: Buffer, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(name);
  const sealed = [nonce, cipher.update(bytes), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]);
}

function unseal(key: Buffer, name: Buffer, sealed: Buffer): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(name);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)),
    decipher.final(),
  ]);
}

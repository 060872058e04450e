// Free-text reasons about people are personal: events carry only the id of a note kept here, which is made of its text.
import { createHash, randomBytes } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { uuidOf } from "#ledger/uuid.ts";

export type Note = {
  /** The hash of salt and text, so that the event that names it is bound to the text. */
  readonly id: string;
  /** 16 random bytes. Once they are erased, nobody can find out the text by guessing. */
  readonly salt: Buffer;
  readonly text: string;
  /** Whose erasure erases it; null for a script's, which is about nobody. */
  readonly aboutUid: string | null;
};

export type Notes = {
  /** Writes a note in the transaction that appends the event referring to it. */
  readonly write: (transaction: TransactionSql, note: Note) => Promise<void>;
  /** The texts with these ids; erased notes are missing. */
  readonly findMany: (ids: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
};

const SALT_BYTES = 16;

/** A note with this salt, which must be its own. */
export function saltedNote(salt: Buffer, text: string, aboutUid: string | null): Note {
  const hash = createHash("sha256").update(salt).update(text).digest();
  // Four bits tell these ids from those of older notes, which have another version or another digit there.
  hash.writeUInt8((hash.readUInt8(8) & 0x0f) | 0x90, 8);
  return { id: uuidOf(hash, 8), salt, text, aboutUid };
}

export function newNote(text: string, aboutUid: string | null): Note {
  return saltedNote(randomBytes(SALT_BYTES), text, aboutUid);
}

export function createNotes(sql: Sql): Notes {
  return {
    async write(transaction, { id, salt, text, aboutUid }) {
      await transaction`
        insert into identity.notes (id, salt, text, about_uid)
        values (${id}, ${salt}, ${text}, ${aboutUid})`;
    },
    async findMany(ids) {
      const distinct = [...new Set(ids)];
      if (distinct.length === 0) {
        return new Map();
      }
      const rows = await sql<{ id: string; text: string }[]>`
        select id, text from identity.notes where id = any(${distinct}::uuid[])`;
      return new Map(rows.map((row) => [row.id, row.text]));
    },
  };
}

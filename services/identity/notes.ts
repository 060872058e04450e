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
  /**
   * Those of these notes that are not erased. With `alike` also every other note about nobody with the same text, but
   * for spaces around it and capitals; at most MAX_ERASED_NOTES of all.
   */
  readonly findKept: (ids: readonly string[], alike: boolean) => Promise<readonly string[]>;
};

const SALT_BYTES = 16;

/** As many as one event names. */
export const MAX_ERASED_NOTES = 500;

/** What stands in the list of erasures for a note; a uid never has a colon. */
const ERASED_NOTE = "note:";
const LISTED_NOTE = /^note:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u;

/**
 * Erases these notes for good, as a person's data are: dead rows are removed, and a restore of an older back-up erases
 * them again.
 */
export async function eraseNotes(
  transaction: TransactionSql,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await transaction`delete from identity.notes where id = any(${[...ids]}::uuid[])`;
  await transaction`
    insert into identity.erasures (uid, erased_at)
    select ${ERASED_NOTE} || id, ${now} from unnest(${[...ids]}::text[]) as n (id)
    on conflict (uid) do nothing`;
}

/** The notes among what a list of erasures names. */
export function erasedNotesIn(listed: readonly string[]): string[] {
  return listed.flatMap((name) => LISTED_NOTE.exec(name)?.[1] ?? []);
}

/** A note with this salt, which must be its own. */
export function saltedNote(salt: Buffer, text: string, aboutUid: string | null): Note {
  const hash = createHash("sha256").update(salt).update(text).digest();
  // Four bits tell these ids from those of older notes, which have another version or another digit there.
  hash.writeUInt8((hash.readUInt8(8) & 0x0f) | 0x90, 8);
  return { id: uuidOf(hash), salt, text, aboutUid };
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
    async findKept(ids, alike) {
      const rows = await sql<{ id: string }[]>`
        select n.id from identity.notes n
        where n.id = any(${[...ids]}::uuid[]) or ${alike} and n.about_uid is null
          and lower(btrim(n.text)) in (
            select lower(btrim(k.text)) from identity.notes k where k.id = any(${[...ids]}::uuid[]))
        order by n.id = any(${[...ids]}::uuid[]) desc, n.id limit ${MAX_ERASED_NOTES}`;
      return rows.map(({ id }) => id);
    },
  };
}

// Free-text reasons about people are personal: events carry only the id of a note kept here.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";

export type Note = {
  readonly id: string;
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

export function createNotes(sql: Sql): Notes {
  return {
    async write(transaction, { id, text, aboutUid }) {
      await transaction`
        insert into identity.notes (id, text, about_uid) values (${id}, ${text}, ${aboutUid})`;
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

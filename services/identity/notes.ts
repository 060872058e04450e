// Free-text reasons about people are personal: events carry only the id of a note kept here.
import type { Sql } from "#db/connect.ts";

export type Notes = {
  /** Writes the note under an id the caller made, so that a retried command refers to the same note. */
  readonly write: (id: string, text: string, aboutUid: string) => Promise<void>;
  /** The texts behind these ids; an erased note is absent. */
  readonly findMany: (ids: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
};

export function createNotes(sql: Sql): Notes {
  return {
    async write(id, text, aboutUid) {
      await sql`
        insert into identity.notes (id, text, about_uid) values (${id}, ${text}, ${aboutUid})
        on conflict (id) do nothing`;
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

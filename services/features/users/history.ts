// What the log says about one user, joined with the texts that are kept beside it for as long as they are not erased.
import type { Sql } from "#db/connect.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { UserChange, UserChangesAnswer } from "#features/users/contract.ts";
import type { EventExplanations } from "#features/histories.ts";
import { UsernameChanged } from "#features/users/events.ts";
import { userStreamId } from "#features/users/streams.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";

type Row = {
  position: number;
  type: string;
  schema_version: number;
  data: Record<string, unknown>;
  actor: string;
  happened_at: Date;
  field: string | null;
  before: string | null;
  after: string | null;
};

/** Who acts where nobody does, in words that an admin knows. */
const systemNames: Readonly<Record<string, string>> = {
  "system:adoption": "the store's earlier records",
  "system:import-legacy": "the import from the old app",
  "system:sample-store": "the sample store",
};

type Words = Pick<UserChange, "kind" | "description" | "before" | "after" | "erased"> & {
  readonly noteId: string | null;
};

/** What a change says. An event that this program cannot explain is named as it is, never hidden. */
function wordsOf(explanations: EventExplanations, row: Row): Words {
  const { type, schema_version: schemaVersion, data, before, after } = row;
  const text = { isKept: row.field !== null, before, after };
  const read = readIn(explanations, "user", { type, schemaVersion, data }, text);
  if (read === null) {
    return {
      kind: "other",
      description: spelledOut(type),
      before,
      after,
      erased: false,
      noteId: null,
    };
  }
  const { isErased, ...words } = read.words;
  return { kind: read.kind, ...words, erased: isErased };
}

/** Newest first, from below position `before`. */
export async function readChanges(
  sql: Sql,
  people: {
    readonly profiles: Profiles;
    readonly notes: Notes;
    readonly explanations: EventExplanations;
  },
  uid: string,
  page: { readonly before: number | undefined; readonly limit: number },
): Promise<UserChangesAnswer> {
  // A username that was there before the log kept them has no text of its own: it is what the next change
  // replaced, or what the profile still has.
  const isAdopted = sql`e.type = ${UsernameChanged.type} and e.data ->> 'changeId' is null`;
  const nextBefore = sql`(
    select c2.before
    from log.event_streams s2
    join log.events e2 on e2.position = s2.position
    left join identity.user_changes c2 on c2.id = (e2.data ->> 'changeId')::uuid
    where s2.stream_id = s.stream_id and s2.version > s.version and e2.type = e.type
    order by s2.version limit 1)`;
  const rows = await sql<Row[]>`
    select e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, c.field, c.before,
      case when ${isAdopted} then coalesce(${nextBefore}, p.username) else c.after end as after
    from log.event_streams s
    join log.events e on e.position = s.position
    left join identity.user_changes c on c.id = (e.data ->> 'changeId')::uuid
    left join identity.profiles p on p.uid = ${uid}
    where s.stream_id = ${userStreamId(uid)}
      and s.position < ${page.before ?? Number.MAX_SAFE_INTEGER}
    order by s.version desc limit ${page.limit + 1}`;
  const shown = rows
    .slice(0, page.limit)
    .map((row) => ({ ...row, words: wordsOf(people.explanations, row) }));
  const [names, notes] = await Promise.all([
    people.profiles.displayNames(
      shown.map(({ actor }) => actor).filter((actor) => !actor.startsWith("system:")),
    ),
    people.notes.findMany(
      shown.flatMap(({ words }) => (words.noteId === null ? [] : [words.noteId])),
    ),
  ]);
  return {
    changes: shown.map((row): UserChange => {
      const { actor } = row;
      const { noteId, ...words } = row.words;
      return {
        position: row.position,
        ...words,
        actor: {
          uid: actor,
          displayName:
            names.get(actor) ?? systemNames[actor] ?? actor.replace("system:", "System: "),
        },
        note: noteId === null ? null : (notes.get(noteId) ?? null),
        happenedAt: row.happened_at.toISOString(),
      };
    }),
    nextBefore: rows.length > page.limit ? (shown.at(-1)?.position ?? null) : null,
  };
}

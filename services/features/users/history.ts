// What the log says about one user, joined with the texts that are kept beside it for as long as they are not erased.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { UserChange, UserChangesAnswer } from "#features/users/contract.ts";
import type { EventExplanations } from "#features/histories.ts";
import { UsernameChanged } from "#features/users/events.ts";
import { userStreamId } from "#features/users/streams.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";

/** Who acts where nobody does, in words that an admin knows. */
const systemNames: Readonly<Record<string, string>> = {
  "system:adoption": "the store's earlier records",
  "system:import-legacy": "the import from the old app",
  "system:sample-store": "the sample store",
};

function selectChanges(reads: Reads, uid: string) {
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
  return reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .leftJoin("identity.user_changes as c", (join) =>
      join.on("c.id", "=", sql<string>`(e.data ->> 'changeId')::uuid`),
    )
    .leftJoin("identity.profiles as p", (join) => join.on("p.uid", "=", uid))
    .select(["e.position", "e.type", "e.schema_version", "e.data", "e.actor", "e.happened_at"])
    .select(["c.field", "c.before"])
    .select(
      sql<
        string | null
      >`case when ${isAdopted} then coalesce(${nextBefore}, p.username) else c.after end`.as(
        "after",
      ),
    )
    .where("s.stream_id", "=", userStreamId(uid));
}

type Row = Awaited<ReturnType<ReturnType<typeof selectChanges>["execute"]>>[number];

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
  reads: Reads,
  people: {
    readonly profiles: Profiles;
    readonly notes: Notes;
    readonly explanations: EventExplanations;
  },
  uid: string,
  page: { readonly before: number | undefined; readonly limit: number },
): Promise<UserChangesAnswer> {
  const rows = await selectChanges(reads, uid)
    .where("s.position", "<", page.before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("s.version", "desc")
    .limit(page.limit + 1)
    .execute();
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

// What the log says about one user, joined with the texts that are kept outside it until they are erased.
import type { Reads } from "#http/reads.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { UserChange, UserChangesResponse } from "#features/users/contract-people.ts";
import type { ChangedText, EventExplanations } from "#features/histories.ts";
import type { WithText } from "#features/users/change-texts.ts";
import { withTexts } from "#features/users/change-texts.ts";
import { UsernameChanged } from "#features/users/events.ts";
import { userStreamId } from "#features/users/streams.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";

/** The actor's name if it is not a person. */
const systemNames: Readonly<Record<string, string>> = {
  "system:adoption": "the store's earlier records",
  "system:import-legacy": "the import from the old app",
  "system:sample-store": "the sample store",
};

function selectChanges(reads: Reads, uid: string) {
  return reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["s.version", "e.position", "e.type", "e.schema_version", "e.data"])
    .select(["e.actor", "e.happened_at"])
    .where("s.stream_id", "=", userStreamId(uid));
}

type Row = WithText<Awaited<ReturnType<ReturnType<typeof selectChanges>["execute"]>>[number]>;

/**
 * A username from before the log kept names has no text of its own: it is the one that the next change replaced, or
 * the profile's current one.
 */
async function adoptedUsername(
  reads: Reads,
  readEvent: ReadEvent,
  uid: string,
  version: number,
): Promise<string | null> {
  const rows = await selectChanges(reads, uid)
    .where("s.version", ">", version)
    .where("e.type", "=", UsernameChanged.type)
    .orderBy("s.version")
    .limit(1)
    .execute();
  const [next] = await withTexts(reads, readEvent, rows);
  const profile = await reads
    .selectFrom("identity.profiles")
    .select("username")
    .where("uid", "=", uid)
    .executeTakeFirst();
  return next?.text?.before ?? profile?.username ?? null;
}

type People = {
  readonly profiles: Profiles;
  readonly notes: Notes;
  readonly readEvent: ReadEvent;
  readonly explanations: EventExplanations;
};

async function textOf(reads: Reads, readEvent: ReadEvent, uid: string, row: Row) {
  const { changeId, text } = row;
  const isAdopted = row.type === UsernameChanged.type && changeId === null;
  return {
    isKept: text !== undefined,
    before: text?.before ?? null,
    after: isAdopted
      ? await adoptedUsername(reads, readEvent, uid, row.version)
      : (text?.after ?? null),
  };
}

type Words = Pick<UserChange, "kind" | "description" | "before" | "after" | "erased"> & {
  readonly noteId: string | null;
};

/** A change's text. An event that this program cannot explain is shown by its type, never hidden. */
function wordsOf(explanations: EventExplanations, row: Row, text: ChangedText): Words {
  const { type, schema_version: schemaVersion, data } = row;
  const read = readIn(explanations, "user", { type, schemaVersion, data }, text);
  if (read === null) {
    return {
      kind: "other",
      description: spelledOut(type),
      before: text.before,
      after: text.after,
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
  people: People,
  uid: string,
  page: { readonly before: number | undefined; readonly limit: number },
): Promise<UserChangesResponse> {
  const rows = await selectChanges(reads, uid)
    .where("s.position", "<", page.before ?? Number.MAX_SAFE_INTEGER)
    .orderBy("s.version", "desc")
    .limit(page.limit + 1)
    .execute();
  const { readEvent, explanations } = people;
  const withText = await withTexts(reads, readEvent, rows.slice(0, page.limit));
  const shown = await Promise.all(
    withText.map(async (row) => ({
      ...row,
      words: wordsOf(explanations, row, await textOf(reads, readEvent, uid, row)),
    })),
  );
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

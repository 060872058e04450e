// What the log says about one user, joined with the texts that are kept beside it for as long as they are not erased.
import type { Sql } from "#db/connect.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import type { ChangeText } from "#features/users/change-texts.ts";
import { findChangeTexts } from "#features/users/change-texts.ts";
import type { UserChange, UserChangesAnswer } from "#features/users/contract.ts";
import { UsernameChanged } from "#features/users/events.ts";
import { userStreamId } from "#features/users/streams.ts";

type Row = StoredFact & {
  readonly position: number;
  readonly version: number;
  readonly actor: string;
  readonly happened_at: Date;
};

/** A row with its data as it reads today, and the texts that it refers to. */
type Change = {
  readonly row: Row;
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: ChangeText | undefined;
};

const KINDS: Readonly<Record<string, UserChange["kind"]>> = {
  UserRoleChanged: "role",
  UsernameChanged: "username",
  UserEmailChanged: "email",
  UserRenamed: "display-name",
  UserDeactivated: "deleted",
  UserMigrated: "migrated",
};

/** Who acts where nobody does, in words that an admin knows. */
const systemNames: Readonly<Record<string, string>> = {
  "system:adoption": "the store's earlier records",
  "system:import-legacy": "the import from the old app",
  "system:sample-store": "the sample store",
};

function text(data: Change["data"], name: string): string | null {
  const value = data[name];
  return typeof value === "string" ? value : null;
}

async function withTexts(
  sql: Sql,
  readEvent: ReadEvent,
  rows: readonly Row[],
): Promise<readonly Change[]> {
  const read = rows.map((row) => ({ row, data: fieldsOf(readEvent(row)) }));
  const texts = await findChangeTexts(
    sql,
    read.map(({ data }) => data["changeId"]),
  );
  return read.map(({ row, data }) => ({
    row,
    data,
    text: texts.get(text(data, "changeId") ?? ""),
  }));
}

/**
 * A username that was there before the log kept them has no text of its own: it is what the next change replaced,
 * or what the profile still has.
 */
async function adoptedUsername(
  sql: Sql,
  readEvent: ReadEvent,
  uid: string,
  version: number,
): Promise<string | null> {
  const rows = await sql<Row[]>`
    select e.position, s.version, e.type, e.schema_version, e.data, e.actor, e.happened_at
    from log.event_streams s
    join log.events e on e.position = s.position
    where s.stream_id = ${userStreamId(uid)} and s.version > ${version} and e.type = ${UsernameChanged.type}
    order by s.version limit 1`;
  const [next] = await withTexts(sql, readEvent, rows);
  const [profile] = await sql<{ username: string | null }[]>`
    select username from identity.profiles where uid = ${uid}`;
  return next?.text?.before ?? profile?.username ?? null;
}

type People = {
  readonly profiles: Profiles;
  readonly notes: Notes;
  readonly readEvent: ReadEvent;
};

async function changeOf(
  sql: Sql,
  readEvent: ReadEvent,
  uid: string,
  { row, data, text: kept }: Change,
): Promise<Pick<UserChange, "kind" | "before" | "after" | "erased">> {
  const kind = KINDS[row.type] ?? "migrated";
  const erased = text(data, "changeId") !== null && kept === undefined;
  if (kind === "role") {
    return { kind, before: text(data, "before"), after: text(data, "after"), erased };
  }
  const isAdopted = kind === "username" && data["changeId"] === null;
  return {
    kind,
    before: kept?.before ?? null,
    after: isAdopted
      ? await adoptedUsername(sql, readEvent, uid, row.version)
      : (kept?.after ?? null),
    erased,
  };
}

/** Newest first, from below position `before`. */
export async function readChanges(
  sql: Sql,
  people: People,
  uid: string,
  page: { readonly before: number | undefined; readonly limit: number },
): Promise<UserChangesAnswer> {
  const { profiles, notes, readEvent } = people;
  const rows = await sql<Row[]>`
    select e.position, s.version, e.type, e.schema_version, e.data, e.actor, e.happened_at
    from log.event_streams s
    join log.events e on e.position = s.position
    where s.stream_id = ${userStreamId(uid)}
      and s.position < ${page.before ?? Number.MAX_SAFE_INTEGER}
    order by s.version desc limit ${page.limit + 1}`;
  const shown = await withTexts(sql, readEvent, rows.slice(0, page.limit));
  const [names, found] = await Promise.all([
    profiles.displayNames(
      shown.map(({ row }) => row.actor).filter((actor) => !actor.startsWith("system:")),
    ),
    notes.findMany(
      shown.flatMap(({ data }) => {
        const noteId = text(data, "noteId");
        return noteId === null ? [] : [noteId];
      }),
    ),
  ]);
  const changes: UserChange[] = [];
  for (const change of shown) {
    const { row, data } = change;
    changes.push({
      position: row.position,
      ...(await changeOf(sql, readEvent, uid, change)),
      actor: {
        uid: row.actor,
        displayName:
          names.get(row.actor) ??
          systemNames[row.actor] ??
          row.actor.replace("system:", "System: "),
      },
      note: found.get(text(data, "noteId") ?? "") ?? null,
      happenedAt: row.happened_at.toISOString(),
    });
  }
  return {
    changes,
    nextBefore: rows.length > page.limit ? (shown.at(-1)?.row.position ?? null) : null,
  };
}

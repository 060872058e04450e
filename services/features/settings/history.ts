// The newest changes of the store's settings, with who made them and what was before.
import type { Reads } from "#http/reads.ts";
import type { StoreDetails } from "#http/store-facts.ts";
import type { Profiles } from "#identity/profiles.ts";
import { readIn } from "#ledger/explain.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { SettingsChange } from "#features/settings/contract.ts";
import { StoreDetailsChanged } from "#features/settings/events.ts";
import { STORE_SETTINGS } from "#features/settings/streams.ts";

const NEWEST = 50;

type HistoryParts = {
  readonly reads: Reads;
  readonly readEvent: ReadEvent;
  readonly explanations: EventExplanations;
  readonly profiles: Profiles;
  /** The versions of the store's details with these ids. */
  readonly readDetails: (ids: Iterable<string>) => Promise<ReadonlyMap<string, StoreDetails>>;
};

function selectChanges(reads: Reads) {
  return reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["e.position", "e.type", "e.schema_version", "e.data", "e.actor", "e.happened_at"])
    .where("s.stream_id", "=", STORE_SETTINGS)
    .orderBy("s.version", "desc")
    .limit(NEWEST);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectChanges>["execute"]>>[number];

/** The rows of details that a change refers to. */
function detailIdsOf(
  readEvent: ReadEvent,
  row: Row,
): { before: string | null; after: string | null } {
  const { before, after } =
    row.type === StoreDetailsChanged.type
      ? fieldsOf(readEvent(row))
      : ({} as Record<string, unknown>);
  const idOf = (value: unknown) => (typeof value === "string" ? value : null);
  return { before: idOf(before), after: idOf(after) };
}

/** Newest first. An event that this program cannot explain is shown without lines, never hidden. */
export async function readSettingsChanges(parts: HistoryParts): Promise<SettingsChange[]> {
  const { readEvent, explanations } = parts;
  const rows = await selectChanges(parts.reads).execute();
  const referred = rows.map((row) => detailIdsOf(readEvent, row));
  const ids = referred.flatMap(({ before, after }) => [before, after].filter((id) => id !== null));
  const [details, names] = await Promise.all([
    parts.readDetails(ids),
    parts.profiles.displayNames(
      rows.map(({ actor }) => actor).filter((actor) => !actor.startsWith("system:")),
    ),
  ]);
  return rows.map((row, index) => {
    const { type, schema_version: schemaVersion, data, actor } = row;
    const textOf = (id: string | null | undefined) =>
      typeof id === "string" ? (details.get(id) ?? null) : null;
    const { before, after } = referred[index] ?? { before: null, after: null };
    const read = readIn(
      explanations,
      "store",
      { type, schemaVersion, data },
      { before: textOf(before), after: textOf(after) },
    );
    return {
      position: row.position,
      section: read?.kind ?? "other",
      lines: [...(read?.words ?? [])],
      actor: {
        uid: actor,
        displayName: names.get(actor) ?? actor.replace("system:", "System: "),
      },
      happenedAt: row.happened_at.toISOString(),
    };
  });
}

// The settings as they are now, read on the primary: what routes of any feature ask about the store.
import type { Sql } from "#db/connect.ts";
import type { StoreDetails, StoreFacts } from "#http/store-facts.ts";
import { UNNAMED_STORE } from "#http/store-facts.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import { NO_DETAILS, readDetails } from "#features/settings/store-rows.ts";
import type { SettingsState } from "#features/settings/streams.ts";
import { settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";

type Parts = { readonly sql: Sql; readonly readEvent: ReadEvent };

/** The time zone of a store that has none yet. */
const NO_TIME_ZONE = "UTC";

/** The stream's stored state. A state that another version of this program stored is folded again from the log. */
export async function readSettings(parts: Parts): Promise<SettingsState> {
  const { sql } = parts;
  const [row] = await sql<{ state: SettingsState; state_version: number }[]>`
    select state, state_version from log.streams where id = ${STORE_SETTINGS}`;
  if (row === undefined) {
    return settingsStream.initial;
  }
  return row.state_version === settingsStream.stateVersion ? row.state : foldSettings(parts);
}

/** From the log itself, up to a position. */
async function foldSettings(
  { sql, readEvent }: Parts,
  position = Number.MAX_SAFE_INTEGER,
): Promise<SettingsState> {
  const rows = await sql<(StoredFact & { happened_at: Date })[]>`
    select e.type, e.schema_version, e.data, e.happened_at
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${STORE_SETTINGS} and s.position <= ${position} order by s.version`;
  return rows.reduce<SettingsState>((state, stored) => {
    const fact = readEvent(stored);
    const happenedAt = stored.happened_at.toISOString();
    return fact.kind === "unreadable"
      ? state
      : settingsStream.evolve(
          state,
          { ...fact, postings: [], movements: [], happenedAt },
          STORE_SETTINGS,
        );
  }, settingsStream.initial);
}

/** The texts that apply now; all empty if there are none yet. */
export async function detailsNow(sql: Sql, { detailsId }: SettingsState): Promise<StoreDetails> {
  if (detailsId === null) {
    return NO_DETAILS;
  }
  const details = (await readDetails(sql, [detailsId])).get(detailsId);
  if (details === undefined) {
    throw new Error(`store.details has no row ${detailsId}, which the log refers to: restore it`);
  }
  return details;
}

/** `fixedTimeZone` is what the environment says; null if it says nothing. */
export function createStoreFacts(parts: Parts, fixedTimeZone: string | null): StoreFacts {
  const nameIn = async (state: SettingsState) => {
    const { storeName } = await detailsNow(parts.sql, state);
    return storeName === "" ? UNNAMED_STORE : storeName;
  };
  const timeZoneIn = (state: SettingsState) => fixedTimeZone ?? state.timeZone ?? NO_TIME_ZONE;
  return {
    fixedTimeZone,
    details: async () => detailsNow(parts.sql, await readSettings(parts)),
    name: async () => nameIn(await readSettings(parts)),
    timeZone: async () => timeZoneIn(await readSettings(parts)),
    async at(position) {
      const state = await foldSettings(parts, position);
      return { name: await nameIn(state), timeZone: timeZoneIn(state) };
    },
  };
}

// The settings as they are now, read on the primary: what routes of any feature ask about the store.
import type { Sql } from "#db/connect.ts";
import type { StoreDetails, StoreFacts } from "#http/store-facts.ts";
import { UNNAMED_STORE } from "#http/store-facts.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { foldState, readState } from "#ledger/log/read-state.ts";
import { beginsOf, MONTHS, monthsStream, zoneSpansOf } from "#features/months/streams.ts";
import { logoAddress, NO_DETAILS, readDetails } from "#features/settings/store-rows.ts";
import type { SettingsState } from "#features/settings/streams.ts";
import { settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";

type Parts = { readonly sql: Sql; readonly readEvent: ReadEvent };

const orNull = (text: string) => (text === "" ? null : text);

/** The time zone of a store that has none yet. */
const NO_TIME_ZONE = "UTC";

export function readSettings(parts: Parts): Promise<SettingsState> {
  return readState(parts, settingsStream, STORE_SETTINGS);
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

export function timeZoneIn(state: SettingsState, fixedTimeZone: string | null): string {
  return fixedTimeZone ?? state.timeZone ?? NO_TIME_ZONE;
}

/** `fixedTimeZone` is what the environment says; null if it says nothing. */
export function createStoreFacts(parts: Parts, fixedTimeZone: string | null): StoreFacts {
  const nameIn = async (state: SettingsState) => {
    const { storeName } = await detailsNow(parts.sql, state);
    return storeName === "" ? UNNAMED_STORE : storeName;
  };
  return {
    fixedTimeZone,
    details: async () => detailsNow(parts.sql, await readSettings(parts)),
    async shopWindow() {
      const state = await readSettings(parts);
      const { storeName, chatLink } = await detailsNow(parts.sql, state);
      const { details, logo, rates } = state.versions;
      return {
        version: [details, logo, rates].join("."),
        storeName: orNull(storeName),
        logo: logoAddress(state.logoId),
        chatLink: orNull(chatLink),
        defaultConsignorPercentage: state.rates.defaultConsignorPercentage,
      };
    },
    name: async () => nameIn(await readSettings(parts)),
    timeZone: async () => timeZoneIn(await readSettings(parts), fixedTimeZone),
    async dayBegins(days) {
      const [settings, months] = await Promise.all([
        readSettings(parts),
        readState(parts, monthsStream, MONTHS),
      ]);
      return beginsOf(days, timeZoneIn(settings, fixedTimeZone), months);
    },
    async zones() {
      const [settings, months] = await Promise.all([
        readSettings(parts),
        readState(parts, monthsStream, MONTHS),
      ]);
      return zoneSpansOf(timeZoneIn(settings, fixedTimeZone), months);
    },
    async at(position) {
      const state = await foldState(parts, settingsStream, STORE_SETTINGS, position);
      return { name: await nameIn(state), timeZone: timeZoneIn(state, fixedTimeZone) };
    },
  };
}

// The stream that ensures that an old account goes to one person only.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import { UserMigrated } from "#features/migration/events.ts";

/** The user who has the old account; null while it waits. */
export type LegacyState = { readonly uid: string | null };

const legacyStreamName = defineName("legacy_stream", "legacy-");

export function legacyStreamId(legacyId: string): string {
  return legacyStreamName.of(legacyId);
}

export const migrationNames = [legacyStreamName] as const;

/** What was owed in the old app when it was left. */
export const OPENING_BALANCES = "world:opening-balances";

export const legacyStream: StreamDefinition<LegacyState> = {
  category: "legacy",
  stateVersion: 1,
  initial: { uid: null },
  evolve: (state, event) => (is(UserMigrated, event) ? { uid: event.data.uid } : state),
};

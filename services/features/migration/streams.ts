// The stream that gives an account of the old app to one person only.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import { UserMigrated } from "#features/migration/events.ts";

/** Whose an account of the old app is; null while it waits. */
export type LegacyState = { readonly uid: string | null };

const legacyStreamName = defineName("legacy_stream", "legacy-");

export function legacyStreamId(legacyId: string): string {
  return legacyStreamName.of(legacyId);
}

export const migrationNames = [legacyStreamName] as const;

/** What the old app owed or was owed when it was left. */
export const OPENING_BALANCES = "world:opening-balances";

export const legacyStream: StreamDefinition<LegacyState> = {
  category: "legacy",
  stateVersion: 1,
  initial: { uid: null },
  evolve: (state, event) => (is(UserMigrated, event) ? { uid: event.data.uid } : state),
};

// The stream that gives an account of the old app to one person only.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import { UserMigrated } from "#features/migration/events.ts";

/** Whose an account of the old app is; null while it waits. */
export type LegacyState = { readonly uid: string | null };

export function legacyStreamId(legacyId: string): string {
  return `legacy-${legacyId}`;
}

export const legacyStream: StreamDefinition<LegacyState> = {
  category: "legacy",
  stateVersion: 1,
  initial: { uid: null },
  evolve: (state, event) => (is(UserMigrated, event) ? { uid: event.data.uid } : state),
};

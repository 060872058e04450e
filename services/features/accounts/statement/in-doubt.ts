// Nothing is signed for an account whose rows were found to be wrong: what is signed stays so after they are repaired.
import type { RouteDeps } from "#http/deps.ts";
import { heldBack } from "#http/freshness.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { readState } from "#ledger/log/read-state.ts";

/**
 * Throws HttpError while payouts of this person, or of everybody, wait for a row to be repaired; for `null`, while those of
 * anybody do.
 */
export async function refuseInDoubt(
  deps: Pick<RouteDeps, "sql" | "readEvent">,
  uid: string | null,
): Promise<void> {
  const { open } = await readState(deps, holdsStream, HOLDS);
  if (open.some((hold) => uid === null || hold.uid === null || hold.uid === uid)) {
    throw heldBack(
      "The store is checking its books, so no statement is signed. It can be saved once that is done.",
    );
  }
}

// Reasons are text about people: they are kept beside the log, in the transaction that appends the event referring to them.
import type { CommandContext, RowInSameTransaction } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";

/**
 * The note that a reason becomes if its command is accepted; null for no reason. Hand its id to the command and
 * the note to `runCommand`. `aboutUid` is whose erasure takes the note along; a reason about nobody we know is
 * kept with whoever gave it.
 */
export async function noteOf(
  c: CommandContext,
  deps: Pick<RouteDeps, "notes" | "profiles" | "newId">,
  reason: string | undefined,
  aboutUid: string | null,
): Promise<RowInSameTransaction | null> {
  if (reason === undefined || reason === "") {
    return null;
  }
  const id = deps.newId();
  const known = aboutUid === null ? undefined : await deps.profiles.find(aboutUid);
  const note = { id, text: reason, aboutUid: known?.uid ?? c.var.person.uid };
  return { id, write: (transaction) => deps.notes.write(transaction, note) };
}

// Reasons are text about people: they are stored outside the log, in the transaction that appends the event referring
// to them.
import type { CommandContext, RowInSameTransaction } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { newNote } from "#identity/notes.ts";

/**
 * The note for a reason, stored if its command is accepted; null without a reason. Pass its id to the command and the
 * note to `runCommand`. Erasing the person `aboutUid` also erases the note; if that person is unknown or erased
 * already, the note belongs to the caller.
 */
export async function noteOf(
  c: CommandContext,
  deps: Pick<RouteDeps, "notes" | "profiles">,
  reason: string | undefined,
  aboutUid: string | null,
): Promise<RowInSameTransaction | null> {
  if (reason === undefined || reason === "") {
    return null;
  }
  const known = aboutUid === null ? undefined : await deps.profiles.find(aboutUid);
  const isThere = known !== undefined && known.deactivatedAt === null;
  const note = newNote(reason, isThere ? known.uid : c.var.person.uid);
  return { id: note.id, write: (transaction) => deps.notes.write(transaction, note) };
}

// Reasons are text about people: they are kept beside the log before the event that refers to them is written.
import { createHash } from "node:crypto";
import type { CommandContext } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";

/**
 * Keeps a reason and gives the id that an event refers to; null for no reason. A request that is repeated
 * under its Idempotency-Key keeps one note. `aboutUid` is whose erasure takes the note along; a reason about
 * nobody we know is kept with whoever gave it.
 */
export async function keepNote(
  c: CommandContext,
  deps: Pick<RouteDeps, "notes" | "profiles" | "newId">,
  reason: string | undefined,
  aboutUid: string | null,
): Promise<string | null> {
  if (reason === undefined || reason === "") {
    return null;
  }
  const { commandScope, person } = c.var;
  const key = c.req.header("Idempotency-Key");
  const id = key === undefined ? deps.newId() : uuidFrom(`${commandScope}\n${key}`);
  const known = aboutUid === null ? undefined : await deps.profiles.find(aboutUid);
  await deps.notes.write(id, reason, known?.uid ?? person.uid);
  return id;
}

/** The same UUID for the same text. */
function uuidFrom(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

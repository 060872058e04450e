// Usernames given by a script: with the same event as all others, so that the log has every name.
import { randomUUID } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { findUser, writeTextChanges } from "#identity/users.ts";
import type { ExecutionContext, Ledger } from "#ledger/log/ledger.ts";
import { changeUser } from "#features/users/decider.ts";

export type NamingDeps = {
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly clock: () => Date;
};

/** Throws if the ledger refuses it or somebody else has the name. Appends no event for a name that the log has. */
export async function giveUsername(
  { sql, ledger, clock }: NamingDeps,
  uid: string,
  username: string,
  context: Pick<ExecutionContext, "actor" | "scope" | "key">,
): Promise<void> {
  // An older sample store has its names only in profiles: then there is no name to replace.
  const isThere = (await findUser(sql, uid))?.username === username;
  const changeId = isThere ? null : randomUUID();
  const reservation = await createReservationKeys(sql).keyOf("username", username);
  const outcome = await ledger.execute(
    changeUser,
    {
      uid,
      role: null,
      username: { reservation, changeId },
      emailChangeId: null,
      displayNameChangeId: null,
      noteId: null,
      happenedAt: clock().toISOString(),
    },
    {
      ...context,
      requestHash: "",
      inSameTransaction: (transaction) =>
        writeTextChanges(
          transaction,
          uid,
          changeId === null ? [] : [{ id: changeId, field: "username", after: username }],
        ),
    },
  );
  if (outcome.kind !== "accepted") {
    throw new Error(`${uid} cannot be called ${username}: ${outcome.kind}`);
  }
}

// Usernames that a script gives: by the same event as everybody's, so that the log knows every name there is.
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

/** Throws when the ledger refuses it, or somebody else has the name. A name that the log knows is no event. */
export async function giveUsername(
  { sql, ledger, clock }: NamingDeps,
  uid: string,
  username: string,
  context: Pick<ExecutionContext, "actor" | "scope" | "key">,
): Promise<void> {
  // A sample store of before has its names in the profiles alone: nothing is replaced then.
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

// Usernames and roles given by a script: with the same events as all others, so that the log has them.
import { randomUUID } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { findPersonByEmail } from "#identity/factor-reset.ts";
import { isInvited } from "#identity/invited.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { findUser, writeTextChanges } from "#identity/users.ts";
import type { ExecutionContext, Ledger } from "#ledger/log/ledger.ts";
import { passesForAdmin } from "#features/users/admin-names.ts";
import { userRefusals } from "#features/users/contract-refusals.ts";
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

/** What came of making somebody an admin; `refused` has the sentence. */
export type AdminMade =
  | {
      readonly kind: "made" | "was-admin";
      readonly uid: string;
      readonly isVerified: boolean;
      /** Another admin is called like this. Whoever runs the machine may be the only one left who could mend that. */
      readonly isNamedLikeAnother: boolean;
    }
  | { readonly kind: "unknown" }
  | { readonly kind: "refused"; readonly message: string };

/** Makes the person who signs in with this email an admin, on the operator's word. */
export async function makeAdmin(
  { sql, ledger, clock }: NamingDeps,
  email: string,
): Promise<AdminMade> {
  const uid = await findPersonByEmail(sql, email);
  const user = uid === undefined ? undefined : await findUser(sql, uid);
  if (uid === undefined || user === undefined) {
    return { kind: "unknown" };
  }
  if (await isInvited(sql, uid)) {
    return { kind: "refused", message: userRefusals.invitation_open.message };
  }
  const outcome = await ledger.execute(
    changeUser,
    {
      uid,
      role: "admin",
      username: null,
      emailChangeId: null,
      displayNameChangeId: null,
      noteId: null,
      cause: "script",
      happenedAt: clock().toISOString(),
    },
    { actor: "system:admin", scope: "system:admin", key: randomUUID(), requestHash: "" },
  );
  if (outcome.kind !== "accepted") {
    const message = outcome.kind === "rejected" ? outcome.rejection.message : "Run this again";
    return { kind: "refused", message };
  }
  const kind = outcome.answer.events === 0 ? "was-admin" : "made";
  const isNamedLikeAnother = await passesForAdmin(sql, user);
  return { kind, uid, isVerified: user.emailVerified, isNamedLikeAnother };
}

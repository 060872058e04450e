// People for tests and benchmarks: a profile, and a role and name set by events, as in every store.
import { randomUUID } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { changeUser } from "#features/users/decider.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import { giveUsername } from "#features/users/script-people.ts";
import type { NewPerson } from "#identity/accounts.ts";
import type { Identity } from "#identity/identity.ts";
import type { Role } from "#identity/profiles.ts";
import type { Ledger } from "#ledger/log/ledger.ts";

export type PeopleDeps = {
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly clock: () => Date;
  readonly identity: Pick<Identity, "ensureUser">;
};

const underNewKey = () => ({ actor: "system:test", scope: "system", key: randomUUID() });

/** Makes a person; returns the uid. A user without a username needs no event. */
export async function makePerson(
  deps: PeopleDeps,
  person: NewPerson & { readonly role?: Role; readonly username?: string },
): Promise<string> {
  const { role = "user", username, ...profile } = person;
  const uid = await deps.identity.ensureUser(profile);
  if (role === "admin") {
    await giveRole(deps, uid, role);
  }
  if (username !== undefined) {
    await giveUsername(deps, uid, username, underNewKey());
  }
  return uid;
}

/** Deactivates an empty account, without erasing personal data. */
export async function endAccount(
  { ledger, clock }: Pick<PeopleDeps, "ledger" | "clock">,
  uid: string,
): Promise<void> {
  const outcome = await ledger.execute(
    deactivateUser,
    { uid, itemIds: [], noteId: null, happenedAt: clock().toISOString() },
    { ...underNewKey(), requestHash: "" },
  );
  if (outcome.kind !== "accepted") {
    throw new Error(`${uid} cannot be deactivated: ${outcome.kind}`);
  }
}

/** Changes a role, as an admin would on the screen. */
export async function giveRole(
  { ledger, clock }: Pick<PeopleDeps, "ledger" | "clock">,
  uid: string,
  role: Role,
): Promise<void> {
  const outcome = await ledger.execute(
    changeUser,
    {
      uid,
      role,
      username: null,
      emailChangeId: null,
      displayNameChangeId: null,
      noteId: null,
      happenedAt: clock().toISOString(),
    },
    { ...underNewKey(), requestHash: "" },
  );
  if (outcome.kind !== "accepted") {
    throw new Error(`${uid} cannot become ${role}: ${outcome.kind}`);
  }
}

// Roles and usernames that profiles had before the log kept them are taken into it, before anything is decided on them.
import { randomUUID } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import type { ReservationKeys } from "#identity/reservation-keys.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { adoptUser } from "#features/users/decider.ts";

export type AdoptionDeps = {
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly clock: () => Date;
  readonly keys: ReservationKeys;
};

type Unknown = { uid: string; is_admin: boolean; username: string | null };

const BATCH = 500;

/**
 * Everybody whom a script, an import or an older version made an admin or gave a username without an event.
 * Called at start; it changes nothing where the log knows everybody.
 */
export async function adoptEverybody(deps: AdoptionDeps): Promise<void> {
  for (let after = ""; ;) {
    const found = await deps.sql<Unknown[]>`
      select p.uid, p.role = 'admin' as is_admin, p.username
      from identity.profiles p
      left join log.streams s on s.id = 'user-' || p.uid
      where p.uid > ${after} and p.deactivated_at is null
        and ((p.role = 'admin' and s.state ->> 'role' is null)
          or (p.username is not null and s.state ->> 'username' is null))
      order by p.uid limit ${BATCH}`;
    const last = found.at(-1);
    if (last === undefined) {
      return;
    }
    await Promise.all(found.map((person) => adopt(deps, person)));
    after = last.uid;
  }
}

/** The same for what one command is decided on: the person, every admin, and whoever has the wanted username. */
export async function adoptFor(
  deps: AdoptionDeps,
  uid: string,
  username: string | null,
): Promise<void> {
  const found = await deps.sql<Unknown[]>`
    select p.uid, p.role = 'admin' as is_admin, p.username
    from identity.profiles p
    left join log.streams s on s.id = 'user-' || p.uid
    where (p.uid = ${uid} or p.username = ${username} or p.role = 'admin')
      and p.deactivated_at is null
      and ((p.role = 'admin' and s.state ->> 'role' is null)
        or (p.username is not null and s.state ->> 'username' is null))
    order by p.uid limit ${BATCH}`;
  await Promise.all(found.map((person) => adopt(deps, person)));
}

async function adopt({ ledger, clock, keys }: AdoptionDeps, person: Unknown): Promise<void> {
  const { uid, is_admin: isAdmin, username } = person;
  const outcome = await ledger.execute(
    adoptUser,
    {
      uid,
      isAdmin,
      username: username === null ? null : await keys.keyOf("username", username),
      happenedAt: clock().toISOString(),
    },
    { actor: "system:adoption", scope: "system", key: randomUUID(), requestHash: "" },
  );
  if (outcome.kind !== "accepted") {
    throw new Error(`${uid} could not be taken into the log: ${outcome.kind}`);
  }
}

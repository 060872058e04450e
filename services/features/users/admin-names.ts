// Keeps the name of an admin from other admins, also for a while after it was given up: the audit log and payouts say by it
// alone who acted.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import type { RouteDeps } from "#http/deps.ts";
import { looksLike } from "#http/false-names.ts";
import type { Profile } from "#identity/profiles.ts";
import { nameOf } from "#identity/profiles.ts";
import type { ChangedField } from "#identity/users.ts";
import {
  UserEmailChanged,
  UsernameChanged,
  UserRenamed,
  UserRoleChanged,
} from "#features/users/events.ts";
import { ADMINS } from "#features/users/streams.ts";
import { DAY_MS } from "#ledger/day-text.ts";
import { fieldsOf, type StoredFact } from "#ledger/log/read-event.ts";

type Named = Pick<Profile, "uid" | "displayName" | "username" | "email">;

/** What others read as this admin's name. */
export function shownName(admin: Named): string {
  return nameOf(admin.uid, { ...admin, role: "admin", deactivatedAt: null });
}

/** Whether this person, as an admin, would be read as another admin. */
export async function passesForAdmin(sql: Sql | TransactionSql, person: Named): Promise<boolean> {
  // Who is an admin is in the log alone.
  const admins = await sql<Named[]>`
    select p.uid, p.display_name as "displayName", p.username, p.email
    from log.streams s
    cross join lateral jsonb_array_elements_text(s.state -> 'uids') a (uid)
    join identity.profiles p on p.uid = a.uid
    where s.id = ${ADMINS} and p.uid <> ${person.uid}`;
  const name = shownName(person);
  return admins.some((admin) => looksLike(shownName(admin), name));
}

const KEPT_MS = 90 * DAY_MS;

const NAMING = [UserRoleChanged, UsernameChanged, UserRenamed, UserEmailChanged].map(
  ({ type }) => type,
);

type Step = StoredFact & { readonly uid: string; readonly command: string };
type Text = {
  readonly id: string;
  readonly field: ChangedField;
  /** Null if there was none. */
  readonly before: string | null;
};
type OnceAdmin = Named & { readonly isAdmin: boolean };

/**
 * Whether this person, as an admin, would be read as another admin, or as somebody was who was an admin within 90 days:
 * people still know that name, and nobody gets it by renaming its owner first.
 */
export async function passesForAdminLately(
  { clock, readEvent }: Pick<RouteDeps, "clock" | "readEvent">,
  sql: Sql | TransactionSql,
  person: Named,
): Promise<boolean> {
  const since = new Date(clock().getTime() - KEPT_MS);
  const others = (await findAdminsSince(sql, since)).filter(({ uid }) => uid !== person.uid);
  const uids = others.map(({ uid }) => uid);
  const steps = await sql<Step[]>`
    select p.uid, e.type, e.schema_version, e.data, e.key_scope || ' ' || e.command_key as command
    from unnest(${uids}::text[]) p (uid)
    join log.event_streams s on s.stream_id = log.user_stream(p.uid)
    join log.events e on e.position = s.position
    where e.happened_at >= ${since} and e.type = any(${NAMING}::text[])
    order by s.version desc`;
  const texts = await sql<Text[]>`
    select id, field, before from identity.user_changes where uid = any(${uids}::text[])`;
  const textOf = new Map(texts.map((text) => [text.id, text]));
  const name = shownName(person);
  return others.some((other) => {
    const own = steps.filter(({ uid }) => uid === other.uid);
    const changes = own.map((step) => ({ step, data: fieldsOf(readEvent(step)) }));
    return namesAsAdmin(other, changes, textOf).some((had) => looksLike(had, name));
  });
}

/** Everybody who is an admin, or whose role changed since then. */
async function findAdminsSince(
  sql: Sql | TransactionSql,
  since: Date,
): Promise<readonly OnceAdmin[]> {
  return sql<OnceAdmin[]>`
    with admins as (
      select a.uid from log.streams s
      cross join lateral jsonb_array_elements_text(s.state -> 'uids') a (uid)
      where s.id = ${ADMINS})
    select p.uid, p.display_name as "displayName", p.username, p.email,
      p.uid in (select uid from admins) as "isAdmin"
    from identity.profiles p
    where p.deactivated_at is null and p.uid in (
      select uid from admins
      union
      select log.id_of_user_stream(u.stream_id)
      from log.event_streams s
      join log.events e on e.position = s.position and e.happened_at >= ${since}
      join log.event_streams u on u.position = s.position and log.is_user_stream(u.stream_id)
      where s.stream_id = ${ADMINS})`;
}

type Change = { readonly step: Step; readonly data: Readonly<Record<string, unknown>> };

/** What others read while they were an admin: from what is true now back through the changes, newest first. */
function namesAsAdmin(
  { isAdmin: isNow, ...now }: OnceAdmin,
  changes: readonly Change[],
  textOf: ReadonlyMap<string, Text>,
): readonly string[] {
  let isAdmin = isNow;
  let named: Named = now;
  const names = isAdmin ? [shownName(named)] : [];
  for (const [at, { step, data }] of changes.entries()) {
    if (step.type === UserRoleChanged.type) {
      isAdmin = data["before"] === "admin";
    }
    const text = textOf.get(String(data["changeId"]));
    if (text !== undefined) {
      const field = text.field === "display-name" ? "displayName" : text.field;
      named = { ...named, [field]: text.before };
    }
    // Nobody was read as what they were between two events of one command.
    if (isAdmin && changes[at + 1]?.step.command !== step.command) {
      names.push(shownName(named));
    }
  }
  return names;
}

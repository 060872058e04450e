// What must be true of the events about roles, and of profiles compared with the log: part of `npm run verify`.
import { UserDeactivated, UserRoleChanged } from "#features/users/events.ts";
import { userFollows } from "#features/users/follows.ts";
import { ADMINS, userStreamId } from "#features/users/streams.ts";
import { noteChecks } from "#identity/note-check.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { extendsTogether } from "#ledger/verify/stream-rules.ts";

// HMAC-SHA-256 of `username\n<name>` with the store's secret, base64url, as in reservation-keys.ts. PostgreSQL has
// sha256 but no hmac; 54 and 92 are the pads of RFC 2104 (0x36, 0x5c), a block has 64 bytes.
const RESERVATIONS = `
  pads as (
    select decode(string_agg(lpad(to_hex(byte # 54), 2, '0'), '' order by i), 'hex') as inner_pad,
      decode(string_agg(lpad(to_hex(byte # 92), 2, '0'), '' order by i), 'hex') as outer_pad
    from identity.reservation_secret r, generate_series(0, 63) i,
      lateral (select case when i < octet_length(r.secret) then get_byte(r.secret, i) else 0 end as byte) b),
  reservations as (
    select p.uid, p.username, translate(rtrim(encode(sha256(pads.outer_pad
      || sha256(pads.inner_pad || convert_to(E'username\\n' || p.username, 'UTF8'))), 'base64'), '='),
      '+/', '-_') as reservation
    from identity.profiles p, pads where p.username is not null)`;

const POSITION = `
  coalesce((select max(e.position) from log.event_streams e where e.stream_id = log.user_stream(p.uid)), 0)`;

/** The person's own stream, and that of all admins where the person is one before or after. */
function roleStreams(uid: string, ...roles: readonly string[]): readonly string[] {
  return [userStreamId(uid), ...(roles.includes("admin") ? [ADMINS] : [])];
}

export const userChecks: readonly BookCheck[] = [
  ...userFollows,
  extendsTogether(UserRoleChanged, ({ uid, before, after }) => roleStreams(uid, before, after)),
  extendsTogether(UserDeactivated, ({ uid, roleBefore }) => roleStreams(uid, roleBefore)),
  ...noteChecks,
  {
    // A manual change or a restored backup of one schema could make the two differ. The log counts.
    check: "users",
    sql: `
      select ${POSITION} as position,
        'identity.profiles, row ' || p.uid || ': ' || p.role
          || case when p.deactivated_at is null then '' else ', deleted' end
          || ', but the log says ' || coalesce(s.state ->> 'role', 'user')
          || case when s.state ->> 'deactivatedAt' is null then '' else ', deleted' end
          || '. The log counts; an admin, or the link printed at start if there is none, can make somebody an admin'
          as message
      from identity.profiles p
      left join log.streams s on s.id = log.user_stream(p.uid)
      where p.role <> coalesce(s.state ->> 'role', 'user')
        or (p.deactivated_at is null) <> (s.state ->> 'deactivatedAt' is null)
      order by 1, 2 limit 100`,
  },
  {
    check: "users",
    sql: `
      select coalesce((select max(e.position) from log.event_streams e where e.stream_id = s.id), 0) as position,
        'identity.profiles has no row ' || log.id_of_user_stream(s.id) || ', whom the log knows' as message
      from log.streams s
      where log.is_user_stream(s.id)
        and not exists (select from identity.profiles p where p.uid = log.id_of_user_stream(s.id))
      order by 1, 2 limit 100`,
  },
  {
    check: "users",
    sql: `
      with ${RESERVATIONS}
      select ${POSITION} as position,
        'identity.profiles, row ' || p.uid || ': '
          || case
            when p.username is null then 'has no username, but the log knows one'
            when s.state ->> 'username' is null then 'has a username that the log does not know'
            else 'has another username than the log says' end as message
      from identity.profiles p
      left join log.streams s on s.id = log.user_stream(p.uid)
      left join reservations r on r.uid = p.uid
      left join identity.before_the_log b on b.uid = p.uid
      where p.deactivated_at is null
        and r.reservation is distinct from s.state ->> 'username'
        and (s.state ->> 'username' is not null or b.username is distinct from p.username)
      order by 1, 2 limit 100`,
  },
  {
    check: "users",
    sql: `
      select 0 as position,
        'identity.profiles, row ' || p.uid || ': was erased, and has personal data again' as message
      from identity.profiles p
      where p.deactivated_at is not null
        and coalesce(p.email, p.display_name, p.username, p.discord_id) is not null
      order by 2 limit 100`,
  },
  {
    // Sign-ups and password resets with an invitation's address lead to its account.
    check: "users",
    sql: `
      select 0 as position, 'identity.invitations, row ' || i.uid || ': ' || f.fault as message
      from identity.invitations i
      join identity.profiles p on p.uid = i.uid
      cross join lateral (values
        (i.email_hash is distinct from sha256(convert_to(lower(p.email), 'UTF8')),
          'is for another address than the profile''s'),
        (exists (select from identity.credentials c where c.uid = i.uid)
            or exists (select from identity.issuer_subjects s where s.uid = i.uid),
          'the account has a sign-in of its own, so nobody is invited to it'),
        (not exists (
            select from log.event_streams es join {events} e on e.position = es.position
            where es.stream_id = log.user_stream(i.invited_by) and e.type = 'UserRoleChanged'
              and e.data ->> 'after' = 'admin'),
          'invited by ' || i.invited_by || ', who was never an admin')) as f (is_wrong, fault)
      where f.is_wrong
      order by 2 limit 100`,
  },
  {
    check: "users",
    note: `
      select b.uid || ' was an admin in identity.profiles before roles came from the log alone, and is none now'
        as message
      from identity.before_the_log b
      left join log.streams s on s.id = log.user_stream(b.uid)
      where b.was_admin and s.state ->> 'role' is null
      order by 1 limit 100`,
  },
  {
    check: "users",
    note: `
      select count(*) || ' usernames are older than the log''s record of them: unbound' as message
      from identity.before_the_log b
      join identity.profiles p on p.uid = b.uid and p.username = b.username
      left join log.streams s on s.id = log.user_stream(b.uid)
      where s.state ->> 'username' is null
      having count(*) > 0`,
  },
];

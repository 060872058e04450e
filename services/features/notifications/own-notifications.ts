// One person's notifications in the app, newest first, with the words of the events that they refer to.
import type { Sql } from "#db/connect.ts";
import type { Notification } from "#features/notifications/contract.ts";
import type { UnreadResponse } from "#features/notifications/contract-unread.ts";
import { notificationKind } from "#features/notifications/contract.ts";
import { allKinds, kindsFor } from "#features/notifications/kinds.ts";
import { handleShown, noteShown, wordsFor } from "#features/notifications/notices.ts";
import type { Notes } from "#identity/notes.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";
import type { Role } from "#identity/profiles.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";

export type NotificationReads = {
  readonly sql: Sql;
  readonly notes: Notes;
  readonly payoutHandles: PayoutHandles;
  readonly readEvent: ReadEvent;
};

type Row = {
  readonly id: string;
  readonly kind: string;
  readonly read_at: Date | null;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly happened_at: Date;
  /** Read from the profile each time, so that it is gone with an erased person. Letters and Discord get no names. */
  readonly person: string | null;
  readonly in_place: string | null;
};

/** Notifications for admins are shown only while the person is an admin. */
type Reader = { readonly uid: string; readonly role: Role };

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export async function listNotifications(
  { sql, notes, payoutHandles, readEvent }: NotificationReads,
  { uid, role }: Reader,
  limit: number,
  before = LAST_ID,
): Promise<{ readonly notifications: readonly Notification[]; readonly next: string | null }> {
  const rows = await sql<Row[]>`
    select n.id, n.kind, n.read_at, e.type, e.schema_version, e.data, e.happened_at,
      consignor.name as person,
      case when e.actor <> consignor.uid then coalesce(
        (select coalesce(p.display_name, p.username) from identity.profiles p where p.uid = e.actor),
        'The store') end as in_place
    from identity.notifications n join log.events e on e.position = n.position
    left join lateral (
      select p.uid, coalesce(p.display_name, p.username) as name
      from log.event_streams s join identity.profiles p on p.uid = log.id_of_consignor_stream(s.stream_id)
      where n.kind = 'payout-requested' and s.position = e.position
        and log.is_consignor_stream(s.stream_id)) consignor on true
    where n.uid = ${uid} and n.channel = 'in-app' and n.id < ${before}
      and n.kind <> all(${notFor(role)}::text[])
    order by n.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit).map((row) => ({ row, fact: readEvent(row) }));
  const [reasons, handles] = await Promise.all([
    notes.findMany(page.flatMap(({ fact }) => noteShown(fact) ?? [])),
    payoutHandles.findMany(page.flatMap(({ fact }) => handleShown(fact) ?? [])),
  ]);
  return {
    notifications: page.flatMap(({ row, fact }) => {
      const kind = notificationKind.safeParse(row.kind);
      const sentTo = handles.get(handleShown(fact) ?? "");
      const words = wordsFor(fact, row.kind, uid, {
        person: row.person,
        inPlace: row.in_place,
        reason: reasons.get(noteShown(fact) ?? "") ?? null,
        // An empty one is of the old app's payout that names none.
        handle: sentTo?.uid === uid && sentTo.handle !== "" ? sentTo.handle : null,
      });
      // A kind or an event that only a newer program knows.
      return words === undefined || !kind.success
        ? []
        : [
            {
              id: row.id,
              kind: kind.data,
              ...words,
              happenedAt: row.happened_at.toISOString(),
              isRead: row.read_at !== null,
            },
          ];
    }),
    next: rows.length > limit ? (page.at(-1)?.row.id ?? null) : null,
  };
}

function notFor(role: Role): string[] {
  const shown = kindsFor(role);
  return allKinds.filter((kind) => !shown.includes(kind));
}

/** How far the log was read for notifications, and its head; `null` in a store that has no worker yet. */
export async function readFedTo(
  sql: Sql,
): Promise<{ readonly fedTo: number | null; readonly isBehind: boolean }> {
  const [row] = await sql<{ fedTo: number | null; head: number }[]>`
    select (select min(position) from store.notification_kinds
        where kind = any(${[...allKinds]}::text[])) as "fedTo",
      (select coalesce(max(position), 0) from log.events) as head`;
  const fedTo = row?.fedTo ?? null;
  return { fedTo, isBehind: fedTo !== null && fedTo < (row?.head ?? 0) };
}

/** The bell shows no larger number than 99. */
const MOST_COUNTED = 100;

export async function countUnread(
  sql: Sql,
  { uid, role }: Reader,
): Promise<UnreadResponse["unread"]> {
  const [row] = await sql<{ unread: number }[]>`
    select count(*) as unread from (
      select from identity.notifications
      where uid = ${uid} and channel = 'in-app' and read_at is null
        and kind <> all(${notFor(role)}::text[]) limit ${MOST_COUNTED}) as u`;
  return row?.unread ?? 0;
}

/** One of one's own, or with `through` that one and all before it. */
export async function markRead(
  sql: Sql,
  now: Date,
  uid: string,
  { id, through }: { readonly id: string; readonly through: boolean },
): Promise<void> {
  await sql`
    update identity.notifications set read_at = ${now}
    where uid = ${uid} and channel = 'in-app' and read_at is null
      and (id = ${id} or (${through} and id < ${id}))`;
}

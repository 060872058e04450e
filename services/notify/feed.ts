// Reads each event of the log once and writes a row for each notification, together with how far it read.
import type { Sql, TransactionSql } from "#db/connect.ts";
import type { NotificationChannel, NotificationKind } from "#features/notifications/contract.ts";
import { allKinds, channelsOf, choiceKey, kinds } from "#features/notifications/kinds.ts";
import { noticesOf, toldTypes } from "#features/notifications/notices.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { IMPORT_KEYS, STORE_SCOPE } from "#http/own-keys.ts";
import { askForConfirmation } from "#identity/discord-confirmations.ts";
import { DISCORD_IS_PROVED } from "#identity/discord-ids.ts";
import { joinRows } from "./join-rows.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type FeedDeps = {
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly clock: () => Date;
  /** Whether the store has a bot. */
  readonly hasDiscord: boolean;
  /** A sample's past is recorded all at once: its events are as old as they say. Others are as old as their record. */
  readonly ageSince?: "recorded" | "happened";
};

/** Adds the kinds that this program knows and the store does not: they begin at the log's head. */
export async function registerKinds(sql: Sql): Promise<void> {
  await sql`
    insert into store.notification_kinds (kind, position)
    select kind, (select coalesce(max(position), 0) from log.events)
    from unnest(${[...allKinds]}::text[]) as k (kind)
    on conflict (kind) do nothing`;
}

const EVENTS_AT_ONCE = 500;
/** News that is older than this is shown in the app, and sent nowhere. */
const NEWS_MS = 7 * DAY_MS;
/** Rows of older events would be deleted at once. */
export const KEPT_MS = 90 * DAY_MS;

type EventRow = {
  readonly position: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly actor: string;
  /** By the database's clock, because the caller chooses when an event happened. */
  readonly age_ms: number;
};

/** A notification about an event for one person. */
type Told = {
  readonly kind: NotificationKind;
  readonly uid: string;
  readonly position: number;
  readonly isNews: boolean;
};

/** Reads up to the log's head. Several workers may: each event is read by one. Returns how many rows were written. */
export async function feedNotifications(deps: FeedDeps): Promise<number> {
  let written = 0;
  for (;;) {
    const { rows, isAtHead } = await deps.sql.begin((transaction) => feedBatch(deps, transaction));
    written += rows;
    if (isAtHead) {
      return written;
    }
  }
}

async function feedBatch(
  deps: FeedDeps,
  transaction: TransactionSql,
): Promise<{ readonly rows: number; readonly isAtHead: boolean }> {
  const progress = await transaction<{ kind: string; position: number }[]>`
    select kind, position from store.notification_kinds
    where kind = any(${[...allKinds]}::text[]) order by kind for update`;
  const [head] = await transaction<{ position: number }[]>`
    select coalesce(max(position), 0) as position from log.events`;
  const after = Math.min(...progress.map(({ position }) => position));
  const through = Math.min(head?.position ?? 0, after + EVENTS_AT_ONCE);
  if (progress.length === 0 || through <= after) {
    return { rows: 0, isAtHead: true };
  }
  // Imported lines are the past of another program and send no notifications. No caller can choose such a key.
  const events = await transaction<EventRow[]>`
    select position, type, schema_version, data, actor,
      (extract(epoch from case when ${deps.ageSince === "happened"}
        then ${deps.clock()}::timestamptz - happened_at
        else clock_timestamp() - recorded_at end) * 1000)::float8 as age_ms
    from log.events
    where position > ${after} and position <= ${through} and type = any(${[...toldTypes]}::text[])
      and not (key_scope = ${STORE_SCOPE} and starts_with(command_key, ${IMPORT_KEYS}))
    order by position limit ${EVENTS_AT_ONCE}`;
  const reached = new Map(progress.map(({ kind, position }) => [kind, position]));
  const told = await toldOf(deps, transaction, events, reached);
  const rows = await write(deps, transaction, told);
  await transaction`
    update store.notification_kinds set position = ${through}
    where kind = any(${[...allKinds]}::text[]) and position < ${through}`;
  return { rows, isAtHead: through === head?.position };
}

async function toldOf(
  { readEvent }: FeedDeps,
  transaction: TransactionSql,
  events: readonly EventRow[],
  reached: ReadonlyMap<string, number>,
): Promise<Told[]> {
  const told: Told[] = [];
  let admins: readonly string[] | undefined;
  for (const event of events) {
    const { position, actor, age_ms: ageMs } = event;
    for (const { kind, to } of ageMs > KEPT_MS ? [] : noticesOf(readEvent(event))) {
      if (position > (reached.get(kind) ?? position)) {
        const uids = to === "admins" ? (admins ??= await readAdmins(transaction)) : [to.uid];
        // Nobody gets a notification about what they did themselves.
        for (const uid of uids.filter((each) => each !== actor)) {
          told.push({ kind, uid, position, isNews: ageMs <= NEWS_MS });
        }
      }
    }
  }
  return told;
}

const MOST_ADMINS = 50;

async function readAdmins(transaction: TransactionSql): Promise<readonly string[]> {
  const rows = await transaction<{ uid: string }[]>`
    select uid from identity.profiles where role = 'admin' and deactivated_at is null
    order by uid limit ${MOST_ADMINS}`;
  return rows.map(({ uid }) => uid);
}

type Reachable = {
  readonly uid: string;
  readonly isAdmin: boolean;
  readonly discord: boolean;
  /** True if the owner of the typed Discord id was never asked to confirm it, or waits for a later turn. */
  readonly isUnasked: boolean;
  readonly email: boolean;
};

/** The people who are still there, and what they chose. Nobody can be erased before the rows are written. */
async function readPeople(transaction: TransactionSql, now: Date, uids: readonly string[]) {
  const [people, choices] = await Promise.all([
    transaction<Reachable[]>`
      select p.uid, p.role = 'admin' as "isAdmin",
        p.discord_id is not null and p.discord_notifications_enabled
          and ${transaction.unsafe(DISCORD_IS_PROVED)} as discord,
        p.discord_id is not null and p.discord_notifications_enabled
          and not ${transaction.unsafe(DISCORD_IS_PROVED)} and not exists (
            select from identity.discord_confirmations c
            where c.uid = p.uid and c.discord_id = p.discord_id and c.asked_at <= ${now}) as "isUnasked",
        p.email is not null and p.email_verified_at is not null as email
      from identity.profiles p where p.uid = any(${[...uids]}::text[]) and p.deactivated_at is null
      order by p.uid for share of p`,
    transaction<{ uid: string; kind: string; channel: string; is_on: boolean }[]>`
      select uid, kind, channel, is_on from identity.notification_choices
      where uid = any(${[...uids]}::text[])`,
  ]);
  const chosen = new Map<string, Map<string, boolean>>();
  for (const { uid, kind, channel, is_on: isOn } of choices) {
    const own = chosen.get(uid) ?? new Map<string, boolean>();
    own.set(choiceKey(kind, channel), isOn);
    chosen.set(uid, own);
  }
  return { people: new Map(people.map((person) => [person.uid, person])), chosen };
}

async function write(
  { clock, hasDiscord }: FeedDeps,
  transaction: TransactionSql,
  told: readonly Told[],
): Promise<number> {
  if (told.length === 0) {
    return 0;
  }
  const { people, chosen } = await readPeople(transaction, clock(), [
    ...new Set(told.map(({ uid }) => uid)),
  ]);
  if (hasDiscord) {
    for (const { uid } of [...people.values()].filter(({ isUnasked }) => isUnasked)) {
      await askForConfirmation(transaction, clock(), uid);
    }
  }
  const isOpen = (channel: NotificationChannel, person: Reachable, isNews: boolean): boolean =>
    channel === "in-app" ||
    (isNews && (channel === "discord" ? hasDiscord && person.discord : person.email));
  const rows = told.flatMap(({ kind, uid, position, isNews }) => {
    const person = people.get(uid);
    if (person === undefined || (kinds[kind].forAdmins && !person.isAdmin)) {
      return [];
    }
    return channelsOf(kind, chosen.get(uid) ?? new Map())
      .filter((channel) => isOpen(channel, person, isNews))
      .map((channel) => ({ kind, uid, position, channel }));
  });
  const written = await transaction`
    insert into identity.notifications (uid, kind, channel, position, state, created_at, due_at)
    select n.uid, n.kind, n.channel, n.position,
      case n.channel when 'in-app' then 'shown' else 'waiting' end, ${clock()}, ${clock()}
    from unnest(
      ${rows.map(({ uid }) => uid)}::text[], ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ channel }) => channel)}::text[], ${rows.map(({ position }) => position)}::bigint[]
    ) with ordinality as n (uid, kind, channel, position, ordinal)
    order by n.ordinal
    on conflict (position, uid, channel, kind) do nothing`;
  await joinRows(transaction, clock(), [...new Set(rows.map(({ position }) => position))]);
  return written.count;
}

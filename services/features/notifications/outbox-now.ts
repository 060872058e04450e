// The outbox as operators see it, in words.
import type { Sql } from "#db/connect.ts";
import type { OutboxResponse } from "#features/notifications/contract-outbox.ts";
import { notificationKind } from "#features/notifications/contract.ts";
import { kinds } from "#features/notifications/kinds.ts";
import { CONFIRMATION_KIND } from "#identity/discord-confirmations.ts";
import type { Profiles } from "#identity/profiles.ts";

const reasons: Readonly<Record<string, string>> = {
  unreachable: "It could not be reached",
  "server-error": "The other side had an error",
  "no-answer": "There was no answer",
  interrupted: "The worker ended while it was sent",
  rejected: "The other side rejected it",
  "rate-limited": "The other side's limit was reached",
  "bad-token": "Discord does not accept the bot's token",
  "channel-gone": "Discord no longer had the conversation, so a new one was opened",
  "mail-refused": "The mail server did not accept it",
};

const LISTED = 100;

type ChannelRow = {
  readonly channel: "discord" | "email";
  readonly is_configured: boolean;
  readonly paused_until: Date | null;
  readonly stopped_because: string | null;
  readonly waiting: number;
  readonly waiting_since: Date | null;
  readonly failing: number;
  readonly uncertain: number;
  readonly given_up: number;
};

type TroubledRow = {
  readonly id: string;
  readonly channel: "discord" | "email";
  readonly kind: string;
  readonly uid: string;
  readonly state: string;
  readonly why: string | null;
  readonly attempts: number;
  readonly created_at: Date;
  readonly due_at: Date;
  readonly is_uncertain: boolean;
};

/** Looks only at rows that are open, which the indexes of the outbox hold. */
export async function readOutboxNow({
  sql,
  profiles,
  clock,
}: {
  readonly sql: Sql;
  readonly profiles: Profiles;
  readonly clock: () => Date;
}): Promise<OutboxResponse> {
  const [channels, troubled] = await Promise.all([
    sql<ChannelRow[]>`
      select c.channel, c.is_configured, c.paused_until, c.stopped_because,
        count(n.id) filter (where n.state in ('waiting', 'sending')) as waiting,
        min(n.created_at) filter (where n.state in ('waiting', 'sending')) as waiting_since,
        count(n.id) filter (where n.state = 'waiting' and n.attempts > 0) as failing,
        count(n.id) filter (where n.uncertain_at is not null and n.state <> 'given-up') as uncertain,
        count(n.id) filter (where n.state = 'given-up') as given_up
      from store.notification_channels c
      left join identity.notifications n on n.channel = c.channel
        and (n.state in ('waiting', 'sending')
          or (n.looked_at is null and (n.state = 'given-up' or n.uncertain_at is not null)))
      group by c.channel order by c.channel`,
    sql<TroubledRow[]>`
      select id, channel, kind, uid, state, why, attempts, created_at, due_at,
        uncertain_at is not null as is_uncertain
      from identity.notifications
      where channel <> 'in-app' and ((state = 'waiting' and attempts > 0)
        or (looked_at is null and (state = 'given-up' or uncertain_at is not null)))
      order by id desc limit ${LISTED}`,
  ]);
  const names = await profiles.displayNames(troubled.map(({ uid }) => uid));
  const now = clock();
  return {
    channels: channels.map((row) => ({
      channel: row.channel,
      isConfigured: row.is_configured,
      stopped: row.stopped_because === null ? null : reasonOf(row.stopped_because),
      pausedUntil:
        row.paused_until !== null && row.paused_until > now ? row.paused_until.toISOString() : null,
      waiting: row.waiting,
      waitingSince: row.waiting_since?.toISOString() ?? null,
      failing: row.failing,
      uncertain: row.uncertain,
      givenUp: row.given_up,
    })),
    troubled: troubled.map((row) => ({
      id: row.id,
      channel: row.channel,
      what: whatOf(row.kind),
      uid: row.uid,
      name: names.get(row.uid) ?? row.uid,
      state: stateOf(row),
      reason: reasonOf(row.why),
      tries: row.attempts,
      createdAt: row.created_at.toISOString(),
      nextAt: row.state === "waiting" ? row.due_at.toISOString() : null,
    })),
  };
}

function whatOf(kind: string): string {
  const known = notificationKind.safeParse(kind);
  if (known.success) {
    return kinds[known.data].noun;
  }
  return kind === CONFIRMATION_KIND ? "Discord confirmation" : "Test message";
}

function stateOf({ state, is_uncertain: isUncertain }: TroubledRow) {
  if (state === "given-up") {
    return "given-up";
  }
  if (!isUncertain) {
    return "failing";
  }
  return state === "sent" ? "doubled" : "uncertain";
}

function reasonOf(why: string | null): string {
  return why === null
    ? "It was sent again after an attempt without an answer"
    : (reasons[why] ?? why);
}

/** Numbers for /metrics; those of all channels together. */
export type OutboxCounts = {
  readonly waiting: number;
  readonly uncertain: number;
  readonly givenUp: number;
  readonly stopped: number;
  /** Of the oldest that waits; 0 if none does. */
  readonly oldestSeconds: number;
};

export async function countOutbox(sql: Sql, now: Date): Promise<OutboxCounts> {
  const [row] = await sql<OutboxCounts[]>`
    select
      count(*) filter (where state in ('waiting', 'sending')) as waiting,
      count(*) filter (where uncertain_at is not null and looked_at is null and state <> 'given-up') as uncertain,
      count(*) filter (where state = 'given-up' and looked_at is null) as "givenUp",
      (select count(*) from store.notification_channels where stopped_at is not null) as stopped,
      coalesce(extract(epoch from ${now}::timestamptz - min(created_at) filter (where state = 'waiting')), 0)::float8
        as "oldestSeconds"
    from identity.notifications
    where channel in ('discord', 'email') and (state in ('waiting', 'sending')
      or (looked_at is null and (state = 'given-up' or uncertain_at is not null)))`;
  return row ?? { waiting: 0, uncertain: 0, givenUp: 0, stopped: 0, oldestSeconds: 0 };
}

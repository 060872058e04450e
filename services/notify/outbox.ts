// The rows of notifications as the worker takes, tries and settles them. A row is tried by one worker at a time, until its lease ends.
import type { Sql } from "#db/connect.ts";
import { cleanConfirmations } from "#identity/discord-confirmations.ts";
import { KEPT_MS } from "./feed.ts";
import type { Outcome } from "./outcome.ts";
import { MOST_ATTEMPTS, NONCE_KNOWN_MS, pauseAfter } from "./outcome.ts";

/** What leaves the store. */
export type SentChannel = "discord" | "email";

export type OutboxDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
};

/** A row that this worker tries now. */
export type Claimed = {
  readonly id: string;
  readonly uid: string;
  readonly kind: string;
  readonly channel: SentChannel;
  readonly position: number | null;
  readonly attempts: number;
  readonly leaseUntil: Date;
};

/** Longer than any attempt: an attempt ends by itself well before. */
export const LEASE_MS = 60_000;

/**
 * Attempts whose worker was killed: nobody knows what came of them. Each is tried again, and says that it is
 * uncertain. After the last attempt it is given up: perhaps its message is what ends the worker.
 */
export async function takeBackLeases({ sql, clock }: OutboxDeps): Promise<void> {
  const now = clock();
  await sql`
    update identity.notifications
    set state = case when attempts >= ${MOST_ATTEMPTS} then 'given-up' else 'waiting' end,
      settled_at = case when attempts >= ${MOST_ATTEMPTS} then ${now}::timestamptz end,
      lease_until = null, why = 'interrupted',
      uncertain_at = coalesce(uncertain_at, tried_at), looked_at = null
    where state = 'sending' and lease_until < ${now} and channel in ('discord', 'email')`;
}

/** Takes rows that are due, oldest first, none of a channel that is paused or stopped, and none to `busy` people. */
export async function claim(
  { sql, clock }: OutboxDeps,
  channel: SentChannel,
  most: number,
  busy: readonly string[] = [],
): Promise<readonly Claimed[]> {
  const now = clock();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  return sql<Claimed[]>`
    update identity.notifications n
    set state = 'sending', attempts = n.attempts + 1, tried_at = ${now}, lease_until = ${leaseUntil}
    from (
      select w.id from identity.notifications w
      where w.channel = ${channel} and w.state = 'waiting' and w.due_at <= ${now}
        and w.uid <> all(${[...busy]}::text[])
        and not exists (
          select from store.notification_channels c
          where c.channel = ${channel} and (c.stopped_at is not null or c.paused_until > ${now}))
        and not exists (
          select from identity.discord_reach r
          where w.channel = 'discord' and r.uid = w.uid and r.held_until > ${now})
      order by w.due_at, w.id limit ${most}
      for update of w skip locked
    ) as due
    where n.id = due.id
    returning n.id, n.uid, n.kind, n.channel, n.position, n.attempts, n.lease_until as "leaseUntil"`;
}

/** Writes what an attempt came to, unless its lease ended before. */
export async function settle(deps: OutboxDeps, row: Claimed, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case "sent":
    case "unwanted":
      return end(deps, row, outcome.kind, null);
    case "refused":
      return end(deps, row, "refused", outcome.why);
    case "failed":
    case "uncertain":
      return tryLater(deps, row, outcome);
    case "limited":
      await putBack(deps, row, outcome.forMs, "rate-limited");
      return hold(deps, row, outcome);
    case "stopped":
      await putBack(deps, row, 0, outcome.why);
      return stop(deps, row.channel, outcome.why);
    default:
      return outcome satisfies never;
  }
}

async function end(
  { sql, clock }: OutboxDeps,
  { id, channel, leaseUntil }: Claimed,
  state: "sent" | "unwanted" | "refused",
  why: string | null,
): Promise<void> {
  const now = clock();
  // Since then Discord knows the nonce: no second message was made, and nobody has to look.
  const knownSince = new Date(now.getTime() - (channel === "discord" ? NONCE_KNOWN_MS : 0));
  await sql`
    update identity.notifications
    set state = ${state}, why = ${why}, settled_at = ${now}, lease_until = null,
      looked_at = case when ${state !== "sent"} or uncertain_at is null or uncertain_at > ${knownSince}
        then ${now}::timestamptz end
    where id = ${id} and state = 'sending' and lease_until = ${leaseUntil}`;
}

async function tryLater(
  { sql, clock, random }: OutboxDeps,
  { id, attempts, leaseUntil }: Claimed,
  { kind, why }: Extract<Outcome, { readonly kind: "failed" | "uncertain" }>,
): Promise<void> {
  const now = clock();
  const isLast = attempts >= MOST_ATTEMPTS;
  const dueAt = new Date(now.getTime() + pauseAfter(attempts, random()));
  await sql`
    update identity.notifications
    set state = ${isLast ? "given-up" : "waiting"}, due_at = ${dueAt}, why = ${why}, lease_until = null,
      settled_at = ${isLast ? now : null}, looked_at = null,
      uncertain_at = case when ${kind === "uncertain"} then coalesce(uncertain_at, tried_at) else uncertain_at end
    where id = ${id} and state = 'sending' and lease_until = ${leaseUntil}`;
}

/** As if it had not been tried. */
async function putBack(
  { sql, clock }: OutboxDeps,
  { id, leaseUntil }: Claimed,
  forMs: number,
  why: string,
): Promise<void> {
  await sql`
    update identity.notifications
    set state = 'waiting', attempts = attempts - 1, due_at = ${new Date(clock().getTime() + forMs)},
      why = ${why}, lease_until = null
    where id = ${id} and state = 'sending' and lease_until = ${leaseUntil}`;
}

/** No worker sends before the limit is over: to this person, or to anybody. */
async function hold(
  { sql, clock }: OutboxDeps,
  { uid, channel }: Claimed,
  { scope, forMs }: Extract<Outcome, { readonly kind: "limited" }>,
): Promise<void> {
  const until = new Date(clock().getTime() + forMs);
  await (scope === "channel"
    ? sql`
        update store.notification_channels set paused_until = greatest(paused_until, ${until})
        where channel = ${channel}`
    : sql`update identity.discord_reach set held_until = greatest(held_until, ${until}) where uid = ${uid}`);
}

async function stop({ sql, clock }: OutboxDeps, channel: SentChannel, why: string): Promise<void> {
  await sql`
    update store.notification_channels set stopped_at = ${clock()}, stopped_because = ${why}
    where channel = ${channel} and stopped_at is null`;
}

/** At the start of a worker: it may have a new token, so a channel that was stopped is tried again. */
export async function openChannel(
  { sql }: OutboxDeps,
  channel: SentChannel,
  isConfigured: boolean,
): Promise<void> {
  await sql`
    insert into store.notification_channels (channel, is_configured) values (${channel}, ${isConfigured})
    on conflict (channel) do update
    set is_configured = excluded.is_configured, stopped_at = null, stopped_because = null`;
}

const DELETED_AT_ONCE = 20_000;

/** Deletes rows older than 90 days, and old unanswered questions to owners of Discord accounts. */
export async function cleanNotifications({
  sql,
  clock,
}: Omit<OutboxDeps, "random">): Promise<void> {
  const before = new Date(clock().getTime() - KEPT_MS);
  await sql`
    delete from identity.notifications where id in (
      select id from identity.notifications where created_at < ${before}
      order by created_at limit ${DELETED_AT_ONCE})`;
  await cleanConfirmations(sql, clock());
}

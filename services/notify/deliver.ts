// One attempt to deliver one notification: its words are made now, from the event that it refers to, and it goes only where the person still wants it.
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import type { NotificationKind } from "#features/notifications/contract.ts";
import { channelsOf, choiceKey, kindsFor } from "#features/notifications/kinds.ts";
import type { NoticeWords } from "#features/notifications/notices.ts";
import { wordsFor } from "#features/notifications/notices.ts";
import { CONFIRMATION_KIND, newCodeFor } from "#identity/discord-confirmations.ts";
import { DISCORD_IS_PROVED, isAnothers } from "#identity/discord-ids.ts";
import type { Role } from "#identity/profiles.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { Mailer } from "#mail/mailer.ts";
import { MailUnavailable } from "#mail/mailer.ts";
import type { DiscordBot } from "./discord-bot.ts";
import type { Claimed, SentChannel } from "./outbox.ts";
import type { Outcome, Why } from "./outcome.ts";

export type DeliverDeps = {
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly clock: () => Date;
  readonly mailer: Mailer;
  /** Null where the store has no bot. */
  readonly bot: DiscordBot | null;
  readonly storeName: () => Promise<string>;
  readonly appUrl: () => string;
  readonly logger: Logger;
};

/**
 * None is begun with less of the lease left, because another worker might begin the same: longer than the mailer gives
 * one letter, and than the bot waits for Discord.
 */
const LEAST_LEASE_MS: Readonly<Record<SentChannel, number>> = { discord: 15_000, email: 35_000 };
const NOT_NOW: Outcome = { kind: "limited", scope: "person", forMs: 0 };
const UNWANTED: Outcome = { kind: "unwanted" };

/** Tries once. Never rejects, except when the database is away. */
export async function deliver(deps: DeliverDeps, row: Claimed): Promise<Outcome> {
  if (isLeaseShort(deps, row)) {
    return NOT_NOW;
  }
  const person = await readPerson(deps.sql, row);
  if (person === undefined || !person.wantsIt) {
    return UNWANTED;
  }
  const words = await wordsOf(deps, row);
  if (words === undefined) {
    return UNWANTED;
  }
  if (row.channel === "email") {
    return person.email === null ? UNWANTED : sendLetter(deps, row, person.email, words);
  }
  return person.discordId === null || deps.bot === null
    ? UNWANTED
    : sendMessage(deps, deps.bot, row, person.discordId, words);
}

function isLeaseShort({ clock }: DeliverDeps, { channel, leaseUntil }: Claimed): boolean {
  return leaseUntil.getTime() - clock().getTime() < LEAST_LEASE_MS[channel];
}

type Person = {
  readonly discordId: string | null;
  readonly email: string | null;
  readonly wantsIt: boolean;
};

async function readPerson(sql: Sql, row: Claimed): Promise<Person | undefined> {
  const [found] = await sql<
    { discordId: string | null; email: string | null; isOn: boolean | null; role: Role }[]
  >`
    select p.role,
      case when ${row.kind === CONFIRMATION_KIND}
          or (p.discord_notifications_enabled and ${sql.unsafe(DISCORD_IS_PROVED)})
        then p.discord_id end as "discordId",
      case when p.email_verified_at is not null then p.email end as email,
      (select c.is_on from identity.notification_choices c
       where c.uid = p.uid and c.kind = ${row.kind} and c.channel = ${row.channel}) as "isOn"
    from identity.profiles p where p.uid = ${row.uid} and p.deactivated_at is null`;
  if (found === undefined) {
    return undefined;
  }
  const { discordId, email, isOn, role } = found;
  const chosen = new Map(isOn === null ? [] : [[choiceKey(row.kind, row.channel), isOn]]);
  // The feed wrote it, so this is one of the kinds.
  const kind = row.kind as NotificationKind;
  const wantsIt =
    row.position === null ||
    (kindsFor(role).includes(kind) && channelsOf(kind, chosen).includes(row.channel));
  return { discordId, email, wantsIt };
}

type Worded = NoticeWords & {
  /** The same for every attempt, and for no other message. */
  readonly nonce: string;
};

async function wordsOf(
  deps: DeliverDeps,
  { id, uid, kind, position }: Claimed,
): Promise<Worded | undefined> {
  const { sql, readEvent, storeName, logger } = deps;
  if (kind === CONFIRMATION_KIND) {
    return confirmationOf(deps, id, uid);
  }
  if (position === null) {
    return {
      title: "This is a test message",
      text: `You asked ${await storeName()} to send notifications here.`,
      path: "/profile",
      nonce: nonceOf(id, uid, kind),
    };
  }
  const [event] = await sql<{ id: string; type: string; schema_version: number; data: unknown }[]>`
    select id, type, schema_version, data from log.events where position = ${position}`;
  const words = event === undefined ? undefined : wordsFor(readEvent(event), kind, uid);
  if (event === undefined || words === undefined) {
    logger.error({ position, kind }, "the event of a notification cannot be read any more");
    return undefined;
  }
  return { ...words, nonce: nonceOf(event.id, uid, kind) };
}

/** A stranger may read it: the code only works on the profile of the person who asked. */
async function confirmationOf(
  { sql, clock, storeName }: DeliverDeps,
  id: string,
  uid: string,
): Promise<Worded | undefined> {
  const asked = await newCodeFor(sql, clock(), id);
  return asked === undefined
    ? undefined
    : {
        title: "Is this your Discord account?",
        text:
          `${asked.asker} asked ${await storeName()} to send notifications here. If that was you, type this code ` +
          `on your profile: ${asked.code}. It works for a day. If it was not you, ignore this message: without ` +
          `the code, nothing is sent here.`,
        path: "/profile",
        nonce: nonceOf(id, uid, CONFIRMATION_KIND),
      };
}

function nonceOf(eventId: string, uid: string, kind: string): string {
  return createHash("sha256").update(`${eventId} ${uid} ${kind}`).digest("hex").slice(0, 24);
}

async function sendLetter(
  { mailer, appUrl }: DeliverDeps,
  row: Claimed,
  to: string,
  { title, text, path, nonce }: Worded,
): Promise<Outcome> {
  try {
    await mailer.send(
      {
        to,
        subject: title,
        paragraphs: [`${title}. ${text}`],
        action: { label: "Show it", url: `${appUrl()}${path}` },
        closing:
          row.position === null
            ? "You get this letter because you asked for a test message."
            : "You choose in your profile which letters you get.",
      },
      nonce,
    );
    return { kind: "sent" };
  } catch (error) {
    if (!(error instanceof MailUnavailable)) {
      throw error;
    }
    // The mail server has the whole letter and its answer is missing, or nobody waited for it any longer.
    const { name, command, responseCode } = Object(error.cause) as Record<string, unknown>;
    return name === "AbortError" || (command === "DATA" && responseCode === undefined)
      ? { kind: "uncertain", why: "no-answer" }
      : { kind: "failed", why: "mail-refused" };
  }
}

const HOUR_MS = 3_600_000;
/** After a refusal by Discord, nothing is sent to this person for a day, except a test message. */
const REFUSED_FOR_MS = 24 * HOUR_MS;

async function sendMessage(
  deps: DeliverDeps,
  bot: DiscordBot,
  row: Claimed,
  discordId: string,
  { title, text, path, nonce }: Worded,
): Promise<Outcome> {
  if (await isAnothers(deps.sql, row.uid, discordId)) {
    // The same answer as for an account that Discord does not know, so that nobody learns whose it is.
    const refused = { kind: "refused", why: "unknown-account" } as const;
    await keepReach(deps, row.uid, discordId, null, refused, 0);
    return refused;
  }
  const reach = await readReach(deps.sql, row.uid, discordId);
  const now = deps.clock().getTime();
  if (
    row.position !== null &&
    reach.refusedAt !== null &&
    now - reach.refusedAt.getTime() < REFUSED_FOR_MS
  ) {
    return { kind: "refused", why: reach.refusedBecause };
  }
  const heldMs = (reach.heldUntil?.getTime() ?? 0) - now;
  if (heldMs > 0) {
    return { kind: "limited", scope: "person", forMs: heldMs };
  }
  let { channelId } = reach;
  if (channelId === null) {
    const opened = await bot.open(discordId);
    if (opened.kind !== "opened") {
      await keepReach(deps, row.uid, discordId, null, opened, 0);
      return opened;
    }
    ({ channelId } = opened);
  }
  // Opening the channel took some of it.
  if (isLeaseShort(deps, row)) {
    return NOT_NOW;
  }
  const content = `**${escaped(title)}**\n${escaped(text)}\n<${deps.appUrl()}${path}>`;
  const { outcome, restMs } = await bot.say(channelId, { content, nonce });
  const isGone = outcome.kind === "failed" && outcome.why === "channel-gone";
  await keepReach(deps, row.uid, discordId, isGone ? null : channelId, outcome, restMs);
  return outcome;
}

/** Names of items are not formatting. */
function escaped(text: string): string {
  return text.replaceAll(/[\\*_~`|<>[\]#@]/gu, "\\$&");
}

type Reach = {
  readonly channelId: string | null;
  readonly refusedAt: Date | null;
  readonly refusedBecause: Why;
  readonly heldUntil: Date | null;
};

/** What was found about this account; nothing about another one. */
async function readReach(sql: Sql, uid: string, discordId: string): Promise<Reach> {
  const [row] = await sql<
    {
      channelId: string | null;
      refusedAt: Date | null;
      refusedBecause: Why | null;
      heldUntil: Date | null;
    }[]
  >`
    select dm_channel_id as "channelId", refused_at as "refusedAt", refused_because as "refusedBecause",
      held_until as "heldUntil"
    from identity.discord_reach where uid = ${uid} and discord_id = ${discordId}`;
  return {
    channelId: row?.channelId ?? null,
    refusedAt: row?.refusedAt ?? null,
    refusedBecause: row?.refusedBecause ?? "closed",
    heldUntil: row?.heldUntil ?? null,
  };
}

/** Nothing is kept about somebody who was erased in the meantime. */
async function keepReach(
  { sql, clock }: DeliverDeps,
  uid: string,
  discordId: string,
  channelId: string | null,
  outcome: Outcome,
  restMs: number,
): Promise<void> {
  const now = clock();
  const refused = outcome.kind === "refused" ? outcome.why : null;
  // A failure says nothing about whether Discord takes this person's messages.
  const isKnown = outcome.kind === "sent" || refused !== null;
  const heldUntil = restMs === 0 ? null : new Date(now.getTime() + restMs);
  await sql`
    insert into identity.discord_reach as r
      (uid, discord_id, dm_channel_id, refused_because, refused_at, held_until)
    select uid, ${discordId}, ${channelId}, ${refused},
      ${refused === null ? null : now}, ${heldUntil}::timestamptz
    from identity.profiles where uid = ${uid} and deactivated_at is null for share
    on conflict (uid) do update set
      discord_id = excluded.discord_id, dm_channel_id = excluded.dm_channel_id,
      held_until = excluded.held_until,
      refused_because = case when ${isKnown}
          or r.discord_id <> excluded.discord_id
        then excluded.refused_because else r.refused_because end,
      refused_at = case when ${isKnown}
          or r.discord_id <> excluded.discord_id
        then excluded.refused_at else r.refused_at end`;
}

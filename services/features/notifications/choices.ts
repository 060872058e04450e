// Which notifications a person chose and where, whether they can arrive, and the test messages that they asked for.
import type { Sql } from "#db/connect.ts";
import type {
  ChooseRequest,
  NotificationSettings,
  TestRequest,
} from "#features/notifications/contract.ts";
import { discordRefusal, notificationRefusals } from "#features/notifications/contract.ts";
import { channelsOf, choiceKey, kinds, kindsFor } from "#features/notifications/kinds.ts";
import { HttpError } from "#http/errors.ts";
import {
  askForConfirmation,
  confirmDiscord,
  readConfirmation,
} from "#identity/discord-confirmations.ts";
import { DISCORD_IS_PROVED } from "#identity/discord-ids.ts";
import type { Role } from "#identity/profiles.ts";

/** The kind of a test message. No event has it. */
const TEST_KIND = "test";

type ReachRow = {
  readonly hasDiscord: boolean;
  readonly isProved: boolean;
  readonly hasEmail: boolean;
  readonly refused: string | null;
  readonly isAvailable: boolean;
  readonly isStopped: boolean;
};

async function readReach(sql: Sql, uid: string): Promise<ReachRow | undefined> {
  const [row] = await sql<ReachRow[]>`
    select p.discord_id is not null and p.discord_notifications_enabled as "hasDiscord",
      ${sql.unsafe(DISCORD_IS_PROVED)} as "isProved",
      p.email is not null and p.email_verified_at is not null as "hasEmail",
      (select case when ${sql.unsafe(DISCORD_IS_PROVED)}
        then r.refused_because when r.refused_because is not null then 'not-reached' end
       from identity.discord_reach r
       where r.uid = p.uid and r.discord_id = p.discord_id) as refused,
      coalesce(c.is_configured, false) as "isAvailable", c.stopped_at is not null as "isStopped"
    from identity.profiles p left join store.notification_channels c on c.channel = 'discord'
    where p.uid = ${uid}`;
  return row;
}

type TestRow = { readonly channel: string; readonly state: string; readonly at: Date };

type Test = NotificationSettings["email"]["test"];

function testOf(rows: readonly TestRow[], channel: string): Test {
  const row = rows.find((each) => each.channel === channel);
  if (row === undefined) {
    return null;
  }
  const waits = row.state === "waiting" || row.state === "sending";
  return {
    state: waits ? "waiting" : row.state === "sent" ? "sent" : "failed",
    at: row.at.toISOString(),
  };
}

type Chooser = { readonly uid: string; readonly role: Role };

export async function readSettings(
  sql: Sql,
  now: Date,
  { uid, role }: Chooser,
): Promise<NotificationSettings> {
  // Before the rest: whoever reads here that a message was sent, finds below that it arrives. The screen does not ask again.
  const tests = await sql<TestRow[]>`
    select distinct on (channel) channel, state, coalesce(settled_at, created_at) as at
    from identity.notifications where uid = ${uid} and position is null and kind = ${TEST_KIND}
    order by channel, id desc limit 10`;
  const [choices, reach, confirmation] = await Promise.all([
    sql<{ kind: string; channel: string; is_on: boolean }[]>`
      select kind, channel, is_on from identity.notification_choices where uid = ${uid} limit 1000`,
    readReach(sql, uid),
    readConfirmation(sql, now, uid),
  ]);
  const chosen = new Map(
    choices.map(({ kind, channel, is_on: isOn }) => [choiceKey(kind, channel), isOn]),
  );
  const refused = discordRefusal.safeParse(reach?.refused);
  return {
    kinds: kindsFor(role).map((kind) => ({
      kind,
      label: kinds[kind].label,
      on: [...channelsOf(kind, chosen)],
    })),
    discord: {
      isAvailable: reach?.isAvailable ?? false,
      refused: refused.success ? refused.data : null,
      isStopped: reach?.isStopped ?? false,
      confirmation: confirmation.state === "proved" ? "confirmed" : confirmation.state,
      askAgainAt: confirmation.againAt?.toISOString() ?? null,
      test: testOf(tests, "discord"),
    },
    email: { isAvailable: reach?.hasEmail ?? false, test: testOf(tests, "email") },
  };
}

export async function choose(
  sql: Sql,
  uid: string,
  { kind, channel, on }: ChooseRequest,
): Promise<void> {
  await sql`
    insert into identity.notification_choices as c (uid, kind, channel, is_on)
    select uid, ${kind}, ${channel}, ${on} from identity.profiles
    where uid = ${uid} and deactivated_at is null for share
    on conflict (uid, kind, channel) do update set is_on = excluded.is_on`;
}

/** One test message waits at a time. Throws HttpError 409 where none could arrive. */
export async function askForTest(
  sql: Sql,
  now: Date,
  uid: string,
  { channel }: TestRequest,
): Promise<void> {
  const reach = await readReach(sql, uid);
  if (channel === "discord" && reach?.isAvailable !== true) {
    throw refusal("discord_not_available");
  }
  if (channel === "discord" && reach?.hasDiscord !== true) {
    throw refusal("discord_off");
  }
  if (channel === "discord" && reach?.isProved !== true) {
    throw refusal("discord_not_confirmed");
  }
  if (channel === "email" && reach?.hasEmail !== true) {
    throw refusal("email_not_verified");
  }
  await sql`
    insert into identity.notifications (uid, kind, channel, state, created_at, due_at)
    select p.uid, ${TEST_KIND}, ${channel}, 'waiting', ${now}, ${now}
    from identity.profiles p
    where p.uid = ${uid} and p.deactivated_at is null and not exists (
      select from identity.notifications n
      where n.uid = p.uid and n.channel = ${channel} and n.kind = ${TEST_KIND} and n.state in ('waiting', 'sending'))
    for share of p`;
}

/** Asks the owner of the typed Discord account again. Throws HttpError 409 where that is not possible now. */
export async function askDiscord(sql: Sql, now: Date, uid: string): Promise<void> {
  const reach = await readReach(sql, uid);
  if (reach?.isAvailable !== true) {
    throw refusal("discord_not_available");
  }
  const { state } = await readConfirmation(sql, now, uid);
  if (state === "none") {
    throw refusal("discord_off");
  }
  const isAsked = await sql.begin((transaction) => askForConfirmation(transaction, now, uid));
  if (!isAsked && state !== "proved") {
    throw refusal("discord_asked");
  }
}

/** Throws HttpError 409 for a wrong or old code. */
export async function enterCode(sql: Sql, now: Date, uid: string, code: string): Promise<void> {
  if (!(await confirmDiscord(sql, now, uid, code))) {
    throw refusal("wrong_code");
  }
}

function refusal(code: keyof typeof notificationRefusals): HttpError {
  const { status, message } = notificationRefusals[code];
  return new HttpError(status, code, message);
}

// What waits in a store that is backed up, and what a worker sends from the restored one: it starts a day later, against a stand-in for Discord that takes everything.
import { pino } from "pino";
import type { Sql } from "#db/connect.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { startBotStandIn } from "#testing/service/discord-bot-stand-in.ts";
import { events } from "../../features.ts";
import { createDiscordBot } from "../../notify/discord-bot.ts";
import { feedNotifications, registerKinds } from "../../notify/feed.ts";
import { sendDue } from "../../notify/send-due.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/** A message and a letter that wait, and a letter that is being sent. */
export async function leaveWaiting(sql: Sql, now: Date): Promise<void> {
  await sql`
    insert into identity.notifications (uid, kind, channel, state, created_at, due_at, lease_until)
    select uid, 'test', channel, state, ${now}, ${now}, ${now}
    from identity.profiles,
      (values ('discord', 'waiting'), ('email', 'waiting'), ('email', 'sending')) as m (channel, state)
    where username = 'blake'`;
}

/** `told`: rows that it wrote. `tried`: messages and letters that it began. `states`: of all that leaves the store. */
export async function sentAfter(sql: Sql, now: Date) {
  const clock = () => new Date(now.getTime() + DAY_MS);
  const discord = await startBotStandIn();
  const worker = {
    sql,
    clock,
    readEvent: createReadEvent(events),
    random: () => 0,
    mailer: { send: () => Promise.reject(new Error("A letter was sent")) },
    bot: createDiscordBot({ ...discord, clock }),
    storeName: () => Promise.resolve("Corner Store"),
    appUrl: () => "https://store.test",
    logger: pino({ level: "silent" }),
  };
  await registerKinds(sql);
  const told = await feedNotifications({ ...worker, hasDiscord: true });
  const tried = (await sendDue(worker, "discord")) + (await sendDue(worker, "email"));
  await discord.close();
  const rows = await sql<{ state: string }[]>`
    select distinct state || ' ' || why as state from identity.notifications
    where channel <> 'in-app' order by 1`;
  return { told, tried, states: rows.map(({ state }) => state) };
}

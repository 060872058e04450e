// A worker of its own process for tests of notifications: it feeds and sends until it is killed.
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { connect } from "#db/connect.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { events } from "../../features.ts";
import { createDiscordBot } from "../../notify/discord-bot.ts";
import { feedNotifications } from "../../notify/feed.ts";
import { sendDue } from "../../notify/send-due.ts";

const [url, baseUrl, token, startsAt] = process.argv.slice(2);
if (url === undefined || baseUrl === undefined || token === undefined || startsAt === undefined) {
  throw new Error("Usage: node notify-child.ts <database> <discord> <token> <time>");
}
const began = performance.now();
const clock = () => new Date(new Date(startsAt).getTime() + performance.now() - began);
const parts = {
  sql: connect(url, { applicationName: "notify-child", maxConnections: 4 }),
  readEvent: createReadEvent(events),
  clock,
  random: Math.random,
  mailer: { send: () => Promise.resolve() },
  bot: createDiscordBot({ token, baseUrl, clock, timeoutMs: 100 }),
  storeName: () => Promise.resolve("Corner Store"),
  appUrl: () => "https://store.test",
  logger: pino({ level: "silent" }),
};
process.stdout.write("working\n");
for (;;) {
  await feedNotifications({ ...parts, hasDiscord: true });
  await sendDue(parts, "discord");
  await delay(20);
}

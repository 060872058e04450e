// Runs in the worker: reads the log for notifications, sends what is due on each channel, and deletes old rows.
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { events } from "../features.ts";
import type { Store } from "#process/open-store.ts";
import { storeAlerting } from "../proof/store-proof.ts";
import type { DeliverDeps } from "./deliver.ts";
import { createDiscordBot } from "./discord-bot.ts";
import { feedNotifications, registerKinds } from "./feed.ts";
import type { OutboxDeps, SentChannel } from "./outbox.ts";
import { cleanNotifications, openChannel } from "./outbox.ts";
import { sendDue } from "./send-due.ts";
import { createTroubleWatch } from "./trouble.ts";

type NotifyingStore = Pick<
  Store,
  "config" | "workSql" | "clock" | "mailer" | "facts" | "site" | "logger" | "ledger" | "boss"
>;

/** What feeding and sending need of an open store. */
export function notifyingParts(
  store: NotifyingStore,
  ending: AbortSignal,
): DeliverDeps & OutboxDeps {
  const { config, workSql: sql, clock, mailer, facts, site, logger } = store;
  const { discordBot } = config;
  return {
    sql,
    readEvent: createReadEvent(events),
    clock,
    random: Math.random,
    mailer,
    bot: discordBot === null ? null : createDiscordBot({ ...discordBot, clock, ending }),
    storeName: facts.name,
    appUrl: site.url,
    logger,
  };
}

const LOOK_EVERY_MS = 1_000;
const WATCH_EVERY_MS = 30_000;
const CLEAN_EVERY_MS = 3_600_000;

/** Begins at the log's head in a store that never notified. Several workers share the work. */
export async function startNotifying(
  store: NotifyingStore,
): Promise<{ readonly close: () => Promise<void> }> {
  const ending = new AbortController();
  const parts = notifyingParts(store, ending.signal);
  const { sql, logger } = parts;
  const hasDiscord = parts.bot !== null;
  await registerKinds(sql);
  await openChannel(parts, "discord", hasDiscord);
  await openChannel(parts, "email", true);
  const every = (everyMs: number, what: string, work: () => Promise<unknown>) =>
    repeat(everyMs, retried(logger, what, work));
  const channels: readonly SentChannel[] = hasDiscord ? ["discord", "email"] : ["email"];
  const senders = channels.map((channel) =>
    every(LOOK_EVERY_MS, `notifications by ${channel} could not be sent`, () =>
      sendDue(parts, channel, ending.signal),
    ),
  );
  const feed = every(LOOK_EVERY_MS, "the log could not be read for notifications", async () => {
    if ((await feedNotifications({ ...parts, hasDiscord })) > 0) {
      for (const sender of senders) {
        sender.soon();
      }
    }
  });
  const watch = every(
    WATCH_EVERY_MS,
    "alerts about notifications could not be written",
    createTroubleWatch(sql, storeAlerting(store)),
  );
  const clean = every(CLEAN_EVERY_MS, "old notifications could not be deleted", () =>
    cleanNotifications(parts),
  );
  return {
    close: async () => {
      ending.abort();
      await Promise.all([feed, watch, clean, ...senders].map(({ close }) => close()));
    },
  };
}

// What the sample's people were told of: everything in their past, read except for the last days.
import type { Sql } from "#db/connect.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { events } from "../../services/features.ts";
import { feedNotifications, registerKinds } from "../../services/notify/feed.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const UNREAD_MS = 5 * DAY_MS;

/** Before the past is made, so that all of it is told. A store that notifies already keeps its place. */
export const beginNews = registerKinds;

/** Reads the past for notifications. Nothing is sent: the people's addresses are invented. */
export async function tellNews(sql: Sql, openedAt: Date): Promise<void> {
  await feedNotifications({
    sql,
    clock: () => openedAt,
    readEvent: createReadEvent(events),
    hasDiscord: false,
    ageSince: "happened",
  });
  await sql`
    update identity.notifications n set read_at = ${openedAt}
    from log.events e
    where e.position = n.position and n.channel = 'in-app' and n.read_at is null
      and e.happened_at < ${new Date(openedAt.getTime() - UNREAD_MS)}`;
}

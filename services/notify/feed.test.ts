// Who gets a notification about an event: one row per event, person and channel, from the log's head on, and none for the past of another program.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askForConfirmation, confirmDiscord } from "#identity/discord-confirmations.ts";
import type { NotifyDesk } from "#testing/service/notify-desk.ts";
import { openNotifyDesk } from "#testing/service/notify-desk.ts";
import { feedNotifications, registerKinds } from "./feed.ts";
import { cleanNotifications } from "./outbox.ts";
import { sendDue } from "./send-due.ts";

let desk: NotifyDesk;
let avery: string;
let blake: string;

beforeAll(async () => {
  desk = await openNotifyDesk();
  avery = await desk.person("Avery");
  blake = await desk.person("Blake");
});

afterAll(() => desk.close());

beforeEach(async () => {
  await desk.feed();
  await desk.sql`delete from identity.notifications`;
  await desk.sql`delete from identity.notification_choices`;
});

const told = async () =>
  (await desk.rows()).map(({ uid, channel, state }) => [uid, channel, state] as const);

const choose = (uid: string, channel: string, isOn: boolean) => desk.sql`
  insert into identity.notification_choices (uid, kind, channel, is_on)
  values (${uid}, 'sale', ${channel}, ${isOn})`;

describe("an event", () => {
  test("tells each person once on each channel, however many workers read it", async () => {
    await desk.sell([avery, blake]);
    await Promise.all([desk.feed(), desk.feed(), desk.feed()]);
    await desk.sql`update store.notification_kinds set position = position - 2`;
    await desk.feed();
    expect(await told()).toEqual([
      [avery, "in-app", "shown"],
      [avery, "discord", "waiting"],
      [blake, "in-app", "shown"],
      [blake, "discord", "waiting"],
    ]);
  });

  test("is told where the person chose it, and nobody is told what they did themselves", async () => {
    await choose(avery, "email", true);
    await choose(avery, "discord", false);
    await choose(avery, "in-app", false);
    await desk.sell([avery, blake], { actor: blake });
    await desk.feed();
    expect(await told()).toEqual([[avery, "email", "waiting"]]);
  });

  test("goes to Discord only with the switch of the profile on, an account, and a bot", async () => {
    await desk.sql`
      update identity.profiles set discord_notifications_enabled = false where uid = ${avery}`;
    await desk.sell([avery, blake]);
    await feedNotifications({ ...desk.worker(), hasDiscord: false });
    await desk.sql`update identity.profiles set discord_notifications_enabled = true`;
    expect(await told()).toEqual([
      [avery, "in-app", "shown"],
      [blake, "in-app", "shown"],
    ]);
  });

  test("goes to a Discord account that somebody typed only once its owner has typed the code that was sent there", async () => {
    const typed = "900000000000000555";
    await desk.sql`update identity.profiles set discord_id = ${typed} where uid = ${avery}`;
    const since = desk.discord.arrived.length;
    for (const _event of [1, 2]) {
      await desk.sell([avery]);
      await desk.feed();
      await sendDue(desk.worker(), "discord");
    }
    expect(await told(), "the first event asks, once").toEqual([
      [avery, "discord", "sent"],
      [avery, "in-app", "shown"],
      [avery, "in-app", "shown"],
    ]);
    const [message, ...more] = desk.discord.arrived.slice(since);
    expect([message?.discordId, more]).toEqual([typed, []]);
    expect(message?.content).toMatch(
      /^\*\*Is this your Discord account\?\*\*\nAvery asked Corner Store to send notifications here\. If that was you, type this code on your profile: [A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}\. It works for a day\. If it was not you, ignore this message: without the code, nothing is sent here\.\n<https:\/\/store\.test\/profile>$/u,
    );
    const [code = ""] = /[A-Z0-9]{4}(?:-[A-Z0-9]{4}){2}/u.exec(message?.content ?? "") ?? [];
    expect(await confirmDiscord(desk.sql, desk.clock(), avery, code)).toBe(true);
    await desk.sell([avery]);
    await desk.feed();
    await sendDue(desk.worker(), "discord");
    expect(desk.discord.arrived.slice(since + 1)).toMatchObject([{ discordId: typed }]);
    await desk.confirm(avery, desk.discordIdOf(avery));
  });

  test("does not let strangers who typed a Discord id first keep its owner waiting: they wait only for strangers", async () => {
    const typed = "900000000000000777";
    const ask = async (uid: string) => {
      await desk.sql`update identity.profiles set discord_id = ${typed} where uid = ${uid}`;
      await desk.sql.begin((transaction) => askForConfirmation(transaction, desk.clock(), uid));
    };
    /** In how many days the message may go out. */
    const turnOf = async (uid: string) => {
      const [row] = await desk.sql<{ days: number }[]>`
        select (extract(epoch from n.due_at - ${desk.clock()}::timestamptz) / 86400)::float8 as days
        from identity.notifications n join identity.discord_confirmations c on c.message_id = n.id
        where c.uid = ${uid} and c.discord_id = ${typed} and n.due_at = c.asked_at`;
      return row?.days;
    };
    for (const name of ["Mallory", "Trudy", "Oscar"]) {
      await ask(await desk.person(name));
    }
    const owner = await desk.person("Olive");
    await ask(owner);
    expect(await turnOf(owner), "as one more stranger").toBe(3);
    await desk.sell([owner]);
    await desk.feed();
    expect(await turnOf(owner), "with money here").toBe(0);
    await desk.sell([blake]);
    await ask(blake);
    expect(await turnOf(blake), "after the owner, not after strangers").toBe(1);
    const stranger = await desk.person("Victor");
    await ask(stranger);
    expect(await turnOf(stranger), "after everybody").toBe(3);
    await desk.confirm(blake, desk.discordIdOf(blake));
  });

  test("that is imported tells nobody, but no caller's own key makes it look imported", async () => {
    await desk.sell([avery], { key: "import:0011:7" });
    await desk.sell([avery], { key: "import:x1", scope: `user:${blake}` });
    await desk.feed();
    expect(await told()).toEqual([
      [avery, "in-app", "shown"],
      [avery, "discord", "waiting"],
    ]);
  });

  test("is as new as its record, whatever date it was given", async () => {
    await desk.sell([avery], { daysAgo: 91 });
    await desk.feed();
    expect(await told()).toEqual([
      [avery, "in-app", "shown"],
      [avery, "discord", "waiting"],
    ]);
  });

  test("of a past that is recorded at once is not news when it is old, and is not told when very old", async () => {
    await desk.sell([avery], { daysAgo: 8 });
    await desk.sell([avery], { daysAgo: 91 });
    await feedNotifications({ ...desk.worker(), hasDiscord: true, ageSince: "happened" });
    expect(await told()).toEqual([[avery, "in-app", "shown"]]);
  });
});

describe("a new kind", () => {
  test("begins at the log's head, and so does a store that never notified", async () => {
    await desk.sell([avery]);
    await desk.database.ownerSql`delete from store.notification_kinds where kind = 'sale'`;
    await registerKinds(desk.sql);
    await desk.feed();
    expect(await told()).toEqual([]);
    await desk.database.ownerSql`delete from store.notification_kinds`;
    await registerKinds(desk.sql);
    await desk.sell([blake]);
    await desk.feed();
    expect(await told()).toEqual([
      [blake, "in-app", "shown"],
      [blake, "discord", "waiting"],
    ]);
  });

  test("that this program does not know keeps its place for the one that does", async () => {
    await desk.sql`insert into store.notification_kinds (kind, position) values ('later', 1)`;
    await desk.sell([avery]);
    await desk.feed();
    const [later] =
      await desk.sql`select position from store.notification_kinds where kind = 'later'`;
    expect(later).toEqual({ position: 1 });
  });
});

test("rows older than 90 days are deleted", async () => {
  await desk.sell([avery]);
  await desk.feed();
  await cleanNotifications(desk.worker());
  expect(await desk.rows()).toHaveLength(2);
  desk.advance(91 * 86_400_000);
  await cleanNotifications(desk.worker());
  expect(await desk.rows()).toEqual([]);
});

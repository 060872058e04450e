// Delivery against a stand-in for Discord that has limits, fails, breaks connections and closes direct messages.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countOutbox, readOutboxNow } from "#features/notifications/outbox-now.ts";
import { dropFailedJob, retryFailedJob } from "#features/operations/jobs-now.ts";
import { createProfiles } from "#identity/profiles.ts";
import type { NotifyDesk } from "#testing/service/notify-desk.ts";
import { openNotifyDesk } from "#testing/service/notify-desk.ts";
import { claim, LEASE_MS, openChannel } from "./outbox.ts";
import { MOST_ATTEMPTS, pauseAfter } from "./outcome.ts";
import { sendDue } from "./send-due.ts";
import { createTroubleWatch } from "./trouble.ts";

let desk: NotifyDesk;
let avery: string;
let blake: string;

beforeAll(async () => {
  desk = await openNotifyDesk();
  avery = await desk.person("Avery");
  blake = await desk.person("Blake");
});

afterAll(() => desk.close());

beforeEach(() => desk.empty());

const send = () => sendDue(desk.worker(), "discord");

describe("a message", () => {
  test("has the words of its event, made when it is sent; the row has none", async () => {
    await desk.tell(avery);
    await send();
    expect(await desk.onDiscord()).toEqual([["sent", null, 1, false]]);
    const sent = desk.discord.arrived.at(-1);
    expect(sent?.content).toMatch(
      /^\*\*Desk \\\*lamp\\\* sold\*\*\nYou get \$12\.50\.\n<https:\/\/store\.test\/sales-history\?tab=sales&sale=[0-9a-f-]{36}>$/u,
    );
    expect(sent?.nonce).toMatch(/^[0-9a-f]{24}$/u);
    expect(JSON.stringify(await desk.sql`select * from identity.notifications`)).not.toContain(
      "lamp",
    );
  });

  test("opens a person's channel once, and again where Discord has forgotten it", async () => {
    await desk.tell(avery);
    await send();
    await desk.tell(avery);
    desk.discord.mood = (count) => (count === 1 ? "unknown-channel" : "takes");
    await send();
    desk.advance(pauseAfter(1, 0));
    await send();
    expect(desk.discord.counts.opened).toBe(2);
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual(["sent", "sent"]);
  });

  test("is not sent to somebody who turned it off meanwhile", async () => {
    await desk.tell(avery, blake);
    await desk.sql`
      insert into identity.notification_choices (uid, kind, channel, is_on)
      values (${avery}, 'sale', 'discord', false)`;
    await desk.sql`
      update identity.profiles set discord_notifications_enabled = false where uid = ${blake}`;
    await send();
    await desk.sql`update identity.profiles set discord_notifications_enabled = true`;
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual(["unwanted", "unwanted"]);
    expect(desk.discord.counts.messages).toBe(0);
  });
});

test("a message for admins is not sent to somebody who is none any more", async () => {
  await desk.tell(avery);
  await desk.sql`
    update identity.notifications set kind = 'payout-requested' where channel = 'discord'`;
  await desk.sql`
    insert into identity.notification_choices (uid, kind, channel, is_on)
    values (${avery}, 'payout-requested', 'discord', true)`;
  const before = desk.logged.length;
  await send();
  expect(await desk.onDiscord()).toEqual([["unwanted", null, 1, false]]);
  expect(desk.logged.slice(before), "it is not read at all").toEqual([]);
});

describe("limits", () => {
  test("of one person's channel hold back this person's messages only, and cost no attempt", async () => {
    await desk.tell(avery, avery, blake);
    desk.discord.mood = (_, discordId) =>
      discordId === desk.discordIdOf(avery) ? { waitSeconds: 7, isGlobal: false } : "takes";
    await send();
    expect(await desk.onDiscord()).toEqual([
      ["waiting", "rate-limited", 0, false],
      ["waiting", "rate-limited", 0, false],
      ["sent", null, 1, false],
    ]);
    desk.discord.mood = () => "takes";
    const before = desk.discord.counts.messages;
    desk.advance(6_000);
    await send();
    expect(desk.discord.counts.messages).toBe(before);
    desk.advance(1_000);
    await send();
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual(["sent", "sent", "sent"]);
  });

  test("of the whole bot hold back everybody, for other workers too", async () => {
    await desk.tell(avery, blake);
    desk.discord.mood = () => ({ waitSeconds: 30, isGlobal: true });
    await send();
    desk.discord.mood = () => "takes";
    desk.advance(29_000);
    await Promise.all([send(), send()]);
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual(["waiting", "waiting"]);
    desk.advance(1_000);
    await send();
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual(["sent", "sent"]);
  });
});

describe("an attempt that fails", () => {
  test("is repeated with longer and longer pauses, and given up in the end", async () => {
    expect([1, 2, 3, 12, MOST_ATTEMPTS].map((attempts) => pauseAfter(attempts, 0))).toEqual([
      5_000, 10_000, 20_000, 3_600_000, 3_600_000,
    ]);
    expect(pauseAfter(1, 1)).toBe(2_500);
    await desk.tell(avery);
    desk.discord.mood = () => "fails";
    await send();
    expect(await desk.onDiscord()).toEqual([["waiting", "server-error", 1, false]]);
    expect(await send()).toBe(0);
    desk.advance(5_000);
    await send();
    expect(await desk.onDiscord()).toEqual([["waiting", "server-error", 2, false]]);
    await desk.sql`update identity.notifications set attempts = ${MOST_ATTEMPTS - 1}`;
    desk.advance(3_600_000);
    await send();
    expect(await desk.onDiscord()).toEqual([["given-up", "server-error", MOST_ATTEMPTS, false]]);
    expect(desk.discord.counts.messages).toBe(3);
  });

  test("is uncertain where nobody knows what came of it, and Discord makes no second message of it", async () => {
    const since = desk.discord.arrived.length;
    for (const mood of ["cut", "silent-and-takes", "silent", "gateway-fails"] as const) {
      await desk.tell(avery);
      const before = desk.discord.counts.messages;
      const ending = new AbortController();
      desk.discord.mood = (count) => {
        if (count > before) {
          return "takes";
        }
        // As if the time for an answer were over, at the moment when the message is there.
        if (mood === "silent" || mood === "silent-and-takes") {
          ending.abort();
        }
        return mood;
      };
      await sendDue(desk.worker({ ending: ending.signal }), "discord");
      expect((await desk.onDiscord()).at(-1)).toMatchObject({ 0: "waiting", 3: true });
      desk.advance(5_000);
      await send();
    }
    expect(
      (await desk.onDiscord()).map(([state, , , isUncertain]) => [state, isUncertain]),
    ).toEqual(Array.from({ length: 4 }, () => ["sent", true]));
    expect(desk.arrivedTo(avery, since)).toBe(4);
  });

  test("with a bad token stops the channel, with an alert, and counts for no message", async () => {
    await desk.tell(avery, blake, avery);
    desk.discord.openingMood = () => "bad-token";
    await send();
    expect(desk.discord.counts.opened).toBeLessThanOrEqual(2);
    expect((await desk.onDiscord()).map(([state, , attempts]) => [state, attempts])).toEqual([
      ["waiting", 0],
      ["waiting", 0],
      ["waiting", 0],
    ]);
    const said: string[] = [];
    const look = createTroubleWatch(desk.sql, {
      raise: ({ key }) => Promise.resolve(said.push(`raise ${key}`)),
      resolve: (key) => Promise.resolve(void said.push(`resolve ${key}`)),
    });
    await look();
    await look();
    desk.discord.openingMood = () => "takes";
    expect(await send()).toBe(0);
    // A worker that starts may have a new token.
    await openChannel(desk.worker(), "discord", true);
    await send();
    await look();
    expect(said).toEqual([
      "raise notifications:stopped",
      "resolve notifications:given-up",
      "resolve notifications:stopped",
    ]);
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual(["sent", "sent", "sent"]);
    expect(desk.logged.join("\n")).not.toContain(desk.discord.token);
  });
});

describe("somebody whom Discord refuses", () => {
  test("is not tried with every event, but again after a day, and at once by a test message", async () => {
    desk.discord.mood = () => "closed";
    await desk.tell(avery);
    await send();
    await desk.tell(avery);
    await send();
    expect(await desk.onDiscord()).toEqual([
      ["refused", "closed", 1, false],
      ["refused", "closed", 1, false],
    ]);
    expect(desk.discord.counts.messages).toBe(1);
    desk.discord.mood = () => "takes";
    await desk.sql`
      insert into identity.notifications (uid, kind, channel, state, created_at, due_at)
      values (${avery}, 'test', 'discord', 'waiting', ${desk.clock()}, ${desk.clock()})`;
    await send();
    expect(desk.discord.arrived.at(-1)?.content).toContain(
      "You asked Corner Store to send notifications here.",
    );
    await desk.tell(avery);
    await send();
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual([
      "refused",
      "refused",
      "sent",
      "sent",
    ]);
  });

  test("is also who has another one's Discord ID: it belongs to whoever signed in with it, or confirmed it first", async () => {
    const averys = desk.discordIdOf(avery);
    await desk.confirm(avery, averys, "2026-11-19T00:00:00Z");
    await desk.confirm(blake, averys, "2026-11-20T00:00:00Z");
    await desk.tell(avery, blake);
    await send();
    expect((await desk.onDiscord()).map(([state, why]) => [state, why])).toEqual([
      ["sent", null],
      ["refused", "unknown-account"],
    ]);
    expect(desk.discord.counts.opened, "Discord is not asked for the other one").toBe(1);
    await desk.sql`
      insert into identity.issuer_subjects (issuer, subject, uid, linked_at)
      values ('https://discord.com', ${averys}, ${blake}, now())`;
    desk.advance(86_400_000);
    await desk.tell(avery, blake);
    await send();
    expect((await desk.onDiscord()).slice(2).map(([state, why]) => [state, why])).toEqual([
      ["refused", "unknown-account"],
      ["sent", null],
    ]);
    await desk.sql`delete from identity.issuer_subjects`;
    await desk.confirm(blake, desk.discordIdOf(blake));
  });

  test("is told apart: no shared server, no such account, and another account is tried at once", async () => {
    desk.discord.mood = () => "no-shared-server";
    desk.discord.openingMood = (id) =>
      id === desk.discordIdOf(blake) ? "unknown-person" : "takes";
    await desk.tell(avery, blake);
    await send();
    expect((await desk.onDiscord()).map(([state, why]) => [state, why])).toEqual([
      ["refused", "no-shared-server"],
      ["refused", "unknown-account"],
    ]);
    desk.discord.mood = () => "takes";
    await desk.confirm(blake, "900000000000000099");
    await desk.tell(blake);
    await send();
    expect((await desk.onDiscord()).at(-1)?.[0]).toBe("sent");
    await desk.confirm(blake, desk.discordIdOf(blake));
  });
});

describe("a row", () => {
  test("is tried by one worker at a time, and by another when the lease of a killed one ends", async () => {
    await desk.tell(avery);
    const since = desk.discord.arrived.length;
    const [taken] = await claim(desk.worker(), "discord", 10);
    expect(taken?.attempts).toBe(1);
    expect(await Promise.all([send(), send()])).toEqual([0, 0]);
    desk.advance(LEASE_MS + 1);
    await Promise.all([send(), send(), send()]);
    expect(await desk.onDiscord()).toEqual([["sent", null, 2, true]]);
    expect(desk.arrivedTo(avery, since)).toBe(1);
  });

  test("whose last attempt ended the worker too is given up, because its message may be what ends it", async () => {
    await desk.tell(avery);
    await desk.sql`update identity.notifications set attempts = ${MOST_ATTEMPTS - 1}`;
    await claim(desk.worker(), "discord", 10);
    desk.advance(LEASE_MS + 1);
    expect(await send()).toBe(0);
    expect(await desk.onDiscord()).toEqual([["given-up", "interrupted", MOST_ATTEMPTS, true]]);
  });
});

describe("operators", () => {
  test("see what fails, what was given up and what may have arrived twice, and try or drop each", async () => {
    await desk.tell(avery, blake);
    desk.discord.mood = (_, discordId) => (discordId === desk.discordIdOf(avery) ? "cut" : "fails");
    await send();
    const profiles = createProfiles(desk.sql);
    const look = () => readOutboxNow({ ...desk, profiles });
    expect((await look()).channels.find(({ channel }) => channel === "discord")).toMatchObject({
      waiting: 2,
      waitingSince: desk.clock().toISOString(),
    });
    const listed = async () =>
      (await look()).troubled.map(({ name, what, state, tries }) => [name, what, state, tries]);
    expect(await listed()).toEqual([
      ["Blake", "Sale", "failing", 1],
      ["Avery", "Sale", "uncertain", 1],
    ]);
    desk.discord.mood = () => "takes";
    desk.advance(3_600_000);
    await desk.sql`
      update identity.notifications set state = 'given-up' where uid = ${blake} and channel = 'discord'`;
    await send();
    expect(await listed()).toEqual([
      ["Blake", "Sale", "given-up", 1],
      ["Avery", "Sale", "doubled", 2],
    ]);
    expect((await look()).channels.find(({ channel }) => channel === "discord")).toMatchObject({
      isConfigured: true,
      stopped: null,
      waiting: 0,
      waitingSince: null,
      givenUp: 1,
      uncertain: 1,
    });
    expect(await countOutbox(desk.sql, desk.clock())).toMatchObject({ givenUp: 1, uncertain: 1 });
    const [twice, given] = (await look()).troubled.map(({ id }) => id).toReversed();
    await desk.sql.begin((transaction) => dropFailedJob(transaction, "notifications", twice ?? ""));
    await desk.sql.begin((transaction) =>
      retryFailedJob(transaction, "notifications", given ?? ""),
    );
    // The database's own clock says when.
    await desk.sql`update identity.notifications set due_at = ${desk.clock()} where state = 'waiting'`;
    await send();
    expect(await listed()).toEqual([]);
    expect((await desk.onDiscord()).map(([state]) => state)).toEqual(["sent", "sent"]);
    await expect(
      desk.sql.begin((transaction) => dropFailedJob(transaction, "notifications", given ?? "")),
    ).rejects.toThrow("did not fail");
  });
});

// A message that Discord never answers delays neither the end of the worker nor anybody else's messages.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NotifyDesk } from "#testing/service/notify-desk.ts";
import { openNotifyDesk } from "#testing/service/notify-desk.ts";
import { createDiscordBot } from "./discord-bot.ts";
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

beforeEach(() => desk.empty());

describe("a message that hangs", () => {
  /** Discord never answers Avery's messages, and the worker waits a minute. */
  function hang(ending: AbortSignal) {
    const reached = Promise.withResolvers<void>();
    desk.discord.mood = (_, discordId) => {
      if (discordId !== desk.discordIdOf(avery)) {
        return "takes";
      }
      reached.resolve();
      return "silent";
    };
    const { clock, discord } = desk;
    const bot = createDiscordBot({ ...discord, clock, timeoutMs: 60_000, ending });
    return {
      reached: reached.promise,
      sending: sendDue({ ...desk.worker(), bot }, "discord", ending),
    };
  }

  test("does not hold up the end of the worker, which calls it uncertain and begins no other", async () => {
    await desk.tell(avery, avery, avery);
    const ending = new AbortController();
    const { reached, sending } = hang(ending.signal);
    await reached;
    ending.abort();
    await sending;
    expect(await desk.onDiscord()).toEqual([
      ["waiting", "no-answer", 1, true],
      ["waiting", "rate-limited", 0, false],
      ["waiting", "rate-limited", 0, false],
    ]);
    expect(desk.discord.counts.messages).toBe(1);
  });

  test("does not hold up other people's messages, nor those that become due meanwhile", async () => {
    await desk.tell(avery, ...Array.from({ length: 12 }, () => blake));
    const since = desk.discord.arrived.length;
    const ending = new AbortController();
    const { sending } = hang(ending.signal);
    await expect.poll(() => desk.arrivedTo(blake, since), { timeout: 20_000 }).toBe(12);
    await desk.tell(blake);
    await expect.poll(() => desk.arrivedTo(blake, since), { timeout: 20_000 }).toBe(13);
    ending.abort();
    expect(await sending).toBe(14);
  });
});

// Notifications as letters: each goes out once, and has an id by which a second one can be told.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MailUnavailable } from "#mail/mailer.ts";
import type { NotifyDesk } from "#testing/service/notify-desk.ts";
import { openNotifyDesk } from "#testing/service/notify-desk.ts";
import { sendDue } from "./send-due.ts";

let desk: NotifyDesk;
let avery: string;

beforeAll(async () => {
  desk = await openNotifyDesk();
  avery = await desk.person("Avery");
});

afterAll(() => desk.close());

beforeEach(() => desk.empty());

describe("by e-mail", () => {
  test("slow letters to one person go out once each, also with a second worker", async () => {
    await desk.sql`
      insert into identity.notification_choices (uid, kind, channel, is_on)
      values (${avery}, 'sale', 'email', true)`;
    await desk.tell(avery, avery, avery, avery);
    const ids: (string | undefined)[] = [];
    const slow = (meanwhile: () => Promise<unknown>) => ({
      ...desk.worker(),
      mailer: {
        send: async (_letter: unknown, id?: string) => {
          ids.push(id);
          desk.advance(30_000);
          await meanwhile();
        },
      },
    });
    const second = slow(() => Promise.resolve());
    await sendDue(
      slow(() => sendDue(second, "email")),
      "email",
    );
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  });

  test("a letter has an id of its own, and one without an answer is uncertain", async () => {
    await desk.sql`
      insert into identity.notification_choices (uid, kind, channel, is_on)
      values (${avery}, 'sale', 'email', true)`;
    await desk.tell(avery);
    const cause = Object.assign(new Error("Timeout"), { command: "DATA" });
    const mute = { send: () => Promise.reject(new MailUnavailable("No answer", { cause })) };
    await sendDue({ ...desk.worker(), mailer: mute }, "email");
    const left = Object.assign(new Error("Aborted"), { name: "AbortError" });
    const ended = { send: () => Promise.reject(new MailUnavailable("Left", { cause: left })) };
    desk.advance(5_000);
    await sendDue({ ...desk.worker(), mailer: ended }, "email");
    desk.advance(10_000);
    await sendDue(desk.worker(), "email");
    const row = (await desk.rows()).find(({ channel }) => channel === "email");
    expect(row).toMatchObject({ state: "sent", attempts: 3, isUncertain: true });
    expect(desk.letters.at(-1)).toMatchObject({
      letter: { to: "avery@people.test", subject: "Desk *lamp* sold" },
      id: expect.stringMatching(/^[0-9a-f]{24}$/u),
    });
  });
});

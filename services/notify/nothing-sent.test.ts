// Building read tables again, showing them, switching back and replaying send no notifications. Only new events do.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLive } from "#ledger/projection/generation.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { takeBack } from "#ledger/projection/take-back.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import type { NotifyDesk } from "#testing/service/notify-desk.ts";
import { openNotifyDesk } from "#testing/service/notify-desk.ts";
import { events, projections } from "../features.ts";
import { registerKinds } from "./feed.ts";
import { openChannel } from "./outbox.ts";
import { sendDue } from "./send-due.ts";

let desk: NotifyDesk;
let avery: string;

beforeAll(async () => {
  desk = await openNotifyDesk(await readableDatabase());
  avery = await desk.person("Avery");
  await desk.tell(avery, avery);
  await sendDue(desk.worker(), "discord");
  await createRunner({ sql: desk.sql, projections, events }).catchUp();
  // As after 90 days: only the position up to which the log was read keeps these events from being sent again.
  await desk.sql`delete from identity.notifications`;
});

afterAll(() => desk.close());

/** A worker that starts, reads the log and sends whatever it finds. */
async function work(): Promise<void> {
  await registerKinds(desk.sql);
  await openChannel(desk.worker(), "discord", true);
  await desk.feed();
  desk.advance(86_400_000);
  await sendDue(desk.worker(), "discord");
  await sendDue(desk.worker(), "email");
}

/** The notifications that a worker writes, and everything that was ever sent. */
async function told() {
  await work();
  return { rows: await desk.rows(), messages: desk.discord.counts.messages, letters: desk.letters };
}

/** Only the two earlier messages. */
const nothing = { rows: [], messages: 2, letters: [] };

const sales = projections.find(({ name }) => name === "sales");

test("a rebuild, its switch and the switch back tell nobody", async () => {
  if (sales === undefined) {
    throw new Error("There is no projection of sales");
  }
  const rebuilt = await rebuildProjection(desk.sql, sales, { events });
  expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
  expect(await told()).toEqual(nothing);
  expect(await takeBack(desk.sql, sales, events)).toMatchObject({ kind: "taken-back" });
  expect(await told()).toEqual(nothing);
});

test("rows that are replayed tell nobody", async () => {
  const [row] = await desk.sql<{ id: string }[]>`select sale_id as id from read.sales limit 1`;
  const live = await readLive(desk.sql, "sales");
  if (sales === undefined || live === undefined) {
    throw new Error("There is no projection of sales");
  }
  await refoldKeys(desk.sql, sales, live, [row?.id ?? ""], createUpcasts(desk.sql, events));
  expect(await told()).toEqual(nothing);
});

test("the next event does", async () => {
  await desk.sell([avery]);
  await work();
  expect(desk.discord.counts.messages).toBe(3);
});

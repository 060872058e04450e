// The promise of delivery: workers are killed and Discord fails in every way, and each person is told of each event at least once, twice only where the outbox says "uncertain".
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Mood } from "#testing/service/discord-bot-stand-in.ts";
import type { NotifyDesk, NotifyRow } from "#testing/service/notify-desk.ts";
import { openNotifyDesk } from "#testing/service/notify-desk.ts";
import { compiledModules } from "#testing/service/service-process.ts";
import { sized } from "#testing/trial/size.ts";
import { LEASE_MS } from "./outbox.ts";
import { sendDue } from "./send-due.ts";

const EVENTS = sized(60, 1_000);
const KILLS = sized(1, 8);
/** At once, each a process of its own; all of them are killed. */
const WORKERS = sized(1, 2);
const PEOPLE = 8;
/** After this, a worker takes silence for no answer. On a loaded machine, most answers still come in time. */
const SILENCE_MS = 2_000;
const HOUR_MS = 3_600_000;

let desk: NotifyDesk;

beforeAll(async () => {
  desk = await openNotifyDesk();
});

afterAll(() => desk.close());

const child = fileURLToPath(new URL("../testing/service/notify-child.ts", import.meta.url));

/** Workers that are killed as soon as Discord got this many more messages. */
async function workUntilKilled(messages: number): Promise<void> {
  const { discord, database, clock } = desk;
  const until = discord.counts.messages + messages;
  const met = Promise.withResolvers<void>();
  const { mood } = discord;
  discord.mood = (count, discordId) => {
    if (count >= until) {
      met.resolve();
    }
    return mood(count, discordId);
  };
  const workers = Array.from({ length: WORKERS }, () => {
    const worker = spawn(
      process.execPath,
      [child, database.appUrl, discord.baseUrl, discord.token, clock().toISOString()],
      {
        env: {
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          NODE_COMPILE_CACHE: compiledModules,
        },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    return { worker, ended: once(worker, "exit") };
  });
  await Promise.race([met.promise, ...workers.map(({ ended }) => ended)]);
  for (const { worker, ended } of workers) {
    worker.kill("SIGKILL");
    expect(await ended, "it was killed, and did not end by itself").toEqual([null, "SIGKILL"]);
  }
  discord.mood = mood;
}

/** Most are taken; the others meet everything that can go wrong, in turn. */
const trouble: readonly Mood[] = [
  "cut",
  "fails",
  { waitSeconds: 0.2, isGlobal: false },
  "silent-and-takes",
  "silent",
  "gateway-fails",
  { waitSeconds: 0.5, isGlobal: true },
  "cut",
];

test("killed workers and a failing Discord lose no message, and none is doubled without being listed", async () => {
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, index) => desk.person(`Person${index}`)),
  );
  const closed = await desk.person("Closed");
  // Discord remembers no nonce here: whatever is sent twice arrives twice.
  desk.discord.knowsNonces = false;
  desk.discord.mood = (count, discordId) => {
    if (discordId === desk.discordIdOf(closed)) {
      return "closed";
    }
    return count % 4 === 3 ? (trouble[Math.floor(count / 4) % trouble.length] ?? "takes") : "takes";
  };
  const told = [...people, closed];
  let sold = 0;
  /** While workers read and send, and are killed. */
  const sell = async (many: number): Promise<void> => {
    for (; sold < many; sold += 20) {
      await desk.sell(
        Array.from({ length: 20 }, (_, index) => told[(sold + index) % told.length] ?? ""),
      );
    }
  };
  for (let kills = 1; kills <= KILLS; kills += 1) {
    await Promise.all([
      workUntilKilled(Math.floor(EVENTS / (KILLS + 2))),
      sell((EVENTS * kills) / KILLS),
    ]);
    desk.advance(LEASE_MS + 30_000);
  }
  await desk.feed();
  for (let rounds = 0; rounds < 30; rounds += 1) {
    desk.advance(HOUR_MS);
    const work = () => sendDue(desk.worker({ timeoutMs: SILENCE_MS }), "discord");
    await Promise.all([work(), work()]);
  }
  const ids = await desk.sql<{ position: number; id: string }[]>`
    select position, id from log.events order by position limit 100000`;
  const idAt = new Map(ids.map(({ position, id }) => [position, id]));
  const nonceOf = ({ position, uid, kind }: NotifyRow): string =>
    createHash("sha256")
      .update(`${idAt.get(position ?? 0)} ${uid} ${kind}`)
      .digest("hex")
      .slice(0, 24);
  const all = await desk.rows();
  const eachOnce = (channel: string) => {
    const own = all.filter((row) => row.channel === channel);
    expect(own).toHaveLength(EVENTS);
    expect(new Set(own.map(({ position, uid }) => `${position} ${uid}`)).size).toBe(EVENTS);
    return own;
  };
  expect(eachOnce("in-app").filter(({ state }) => state !== "shown")).toEqual([]);
  const onDiscord = eachOnce("discord");
  // Whose messages are closed reads it in the app. A kill or a cut connection does not make it a message.
  const refused = onDiscord.filter(({ uid }) => uid === closed);
  expect(new Set(refused.map(({ state, why }) => `${state} ${why}`))).toEqual(
    new Set(["refused closed"]),
  );
  expect(desk.arrivedTo(closed, 0)).toBe(0);
  const rows = onDiscord.filter(({ uid }) => uid !== closed);
  expect(rows.filter(({ state }) => state !== "sent")).toEqual([]);
  const times = new Map<string, number>();
  for (const { nonce } of desk.discord.arrived) {
    times.set(nonce, (times.get(nonce) ?? 0) + 1);
  }
  const arrivals = rows.map((row) => ({ ...row, times: times.get(nonceOf(row)) ?? 0 }));
  expect(arrivals.filter((row) => row.times === 0)).toEqual([]);
  expect(arrivals.filter((row) => row.times > 1 && !row.isUncertain)).toEqual([]);
  expect(arrivals.filter((row) => row.times > 1).length).toBeGreaterThan(0);
  const certain = rows.filter(({ isUncertain }) => !isUncertain).length;
  expect(certain).toBeGreaterThan(EVENTS / 4);
  expect(desk.discord.counts.messages).toBeGreaterThan(rows.length);
}, 240_000);

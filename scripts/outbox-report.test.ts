// What npm run status and npm run jobs tell operators about the outbox and the search for pictures.
import { expect, test } from "vitest";
import { describeBackfill, describeChannels, describeTroubled } from "./outbox-report.ts";

const channel = {
  channel: "discord",
  isConfigured: true,
  stopped: null,
  pausedUntil: null,
  waiting: 0,
  waitingSince: null,
  failing: 0,
  uncertain: 0,
  givenUp: 0,
} as const;

test("a channel says what waits and since when, what fails, and why nothing is sent at all", () => {
  expect(
    describeChannels({
      channels: [
        channel,
        {
          ...channel,
          waiting: 12,
          waitingSince: "2026-11-23T08:00:00.000Z",
          failing: 3,
          givenUp: 2,
        },
        { ...channel, pausedUntil: "2026-11-23T09:00:00.000Z", uncertain: 1 },
        { ...channel, stopped: "Discord does not accept the bot's token", waiting: 1 },
        { ...channel, channel: "email", isConfigured: false },
      ],
    }),
  ).toEqual([
    "Notifications discord  sends: 0 waiting, 0 failing, 0 uncertain, 0 given up",
    "Notifications discord  sends: 12 waiting since 2026-11-23T08:00:00.000Z, 3 failing, 0 uncertain, 2 given up",
    "Notifications discord  paused until 2026-11-23T09:00:00.000Z: 0 waiting, 0 failing, 1 uncertain, 0 given up",
    "Notifications discord  STOPPED (Discord does not accept the bot's token): 1 waiting, 0 failing, 0 uncertain, 0 given up",
    "Notifications email    not set up: 0 waiting, 0 failing, 0 uncertain, 0 given up",
  ]);
});

test("a message that needs a look has the id that retry and drop take", () => {
  expect(
    describeTroubled({
      channels: [],
      troubled: [
        {
          id: "01939e00-0000-7000-8000-000000000001",
          channel: "discord",
          what: "Sale",
          uid: "avery",
          name: "Avery",
          state: "doubled",
          reason: "It was sent again after an attempt without an answer",
          tries: 2,
          createdAt: "2026-11-23T08:00:00.000Z",
          nextAt: null,
        },
      ],
    }),
  ).toEqual([
    "  notifications 01939e00-0000-7000-8000-000000000001 Sale by discord of 2026-11-23T08:00:00.000Z, doubled after 2 tries: It was sent again after an attempt without an answer",
  ]);
});

test("the search for pictures is one line, and none in a store without one", () => {
  expect(describeBackfill(null)).toEqual([]);
  expect(describeBackfill({ state: "paused", waiting: 40, done: 2, failed: 1 })).toEqual([
    "Image backfill paused: 40 waiting, 2 done, 1 failed",
  ]);
});

// The calls about one's own notifications: the list behind the bell, reading, choosing, and test messages.
import { Hono } from "hono";
import type { Sql } from "#db/connect.ts";
import { admin, signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { jsonBody, noBody, queryString } from "#http/validate.ts";
import {
  askDiscord,
  askForTest,
  choose,
  enterCode,
  readSettings,
} from "#features/notifications/choices.ts";
import type { NotificationsResponse } from "#features/notifications/contract.ts";
import {
  chooseRequest,
  confirmDiscordRequest,
  markReadRequest,
  notificationsDoneResponse,
  notificationSettings,
  notificationsQuery,
  notificationsResponse,
  testRequest,
} from "#features/notifications/contract.ts";
import { unreadResponse } from "#features/notifications/contract-unread.ts";
import { outboxResponse } from "#features/notifications/contract-outbox.ts";
import { readOutboxNow } from "#features/notifications/outbox-now.ts";
import {
  countUnread,
  listNotifications,
  markRead,
  readFedTo,
} from "#features/notifications/own-notifications.ts";

const tag = "notifications";

const TESTS_BY_PERSON = { attempts: 10, perSeconds: 3_600 };
const CODES_BY_PERSON = { attempts: 20, perSeconds: 3_600 };

/** All but the operators' are about the caller. They read the primary, and are not part of the ledger. */
export function notificationRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addList(routes, deps);
  addSettings(routes, deps);
  addConfirmation(routes, deps);
  addOutbox(routes, deps);
  return routes;
}

function addList(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { sql, clock } = deps;
  routes.get(
    "/notifications",
    signedIn,
    documented({ summary: "List one's own notifications", tag, answer: notificationsResponse }),
    queryString(notificationsQuery),
    async (c) => {
      const { limit, before } = c.req.valid("query");
      await sayFedTo(c, sql);
      const { notifications, next } = await listNotifications(deps, c.var.person, limit, before);
      return c.json({ notifications: [...notifications], next } satisfies NotificationsResponse);
    },
  );
  routes.get(
    "/notifications/unread",
    signedIn,
    documented({ summary: "Count one's unread notifications", tag, answer: unreadResponse }),
    async (c) => {
      // Before counting: what is counted is at least as new.
      const { isBehind } = await sayFedTo(c, sql);
      return c.json({ unread: await countUnread(sql, c.var.person), isBehind });
    },
  );
  routes.post(
    "/notifications/read",
    signedIn,
    documented({ summary: "Mark notifications as read", tag, answer: notificationsDoneResponse }),
    jsonBody(markReadRequest),
    keepsAnswer,
    async (c) => {
      await markRead(sql, clock(), c.var.person.uid, c.req.valid("json"));
      return c.json({ message: "Marked as read" });
    },
  );
}

type Answer = { readonly header: (name: string, value: string) => void };

/** Screens read again when the ledger is ahead of what they show. */
async function sayFedTo(c: Answer, sql: Sql): Promise<{ readonly isBehind: boolean }> {
  const { fedTo, isBehind } = await readFedTo(sql);
  if (fedTo !== null) {
    c.header("Ledger-Fresh-To", String(fedTo));
  }
  return { isBehind };
}

function addSettings(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { sql, clock } = deps;
  const tests = createRateLimits(sql, clock)("notification-tests", TESTS_BY_PERSON);
  routes.get(
    "/notifications/settings",
    signedIn,
    documented({
      summary: "Show one's choices of notifications and channels",
      tag,
      answer: notificationSettings,
    }),
    async (c) => c.json(await readSettings(sql, clock(), c.var.person)),
  );
  routes.put(
    "/notifications/settings",
    signedIn,
    documented({
      summary: "Change one's choices of notifications and channels",
      tag,
      answer: notificationSettings,
    }),
    jsonBody(chooseRequest),
    keepsAnswer,
    async (c) => {
      await choose(sql, c.var.person.uid, c.req.valid("json"));
      return c.json(await readSettings(sql, clock(), c.var.person));
    },
  );
  routes.post(
    "/notifications/test",
    signedIn,
    documented({ summary: "Send oneself a test message", tag, answer: notificationSettings }),
    jsonBody(testRequest),
    keepsAnswer,
    async (c) => {
      const { uid } = c.var.person;
      await tests.consume(uid);
      await askForTest(sql, clock(), uid, c.req.valid("json"));
      return c.json(await readSettings(sql, clock(), c.var.person));
    },
  );
}

function addConfirmation(routes: Hono<AppEnv>, { sql, clock }: RouteDeps): void {
  const limits = createRateLimits(sql, clock);
  const asking = limits("discord-confirmations", TESTS_BY_PERSON);
  const guesses = limits("discord-codes", CODES_BY_PERSON);
  routes.post(
    "/notifications/discord",
    signedIn,
    documented({
      summary: "Send a code to one's own Discord account",
      tag,
      answer: notificationSettings,
    }),
    noBody,
    keepsAnswer,
    async (c) => {
      const { uid } = c.var.person;
      await asking.consume(uid);
      await askDiscord(sql, clock(), uid);
      return c.json(await readSettings(sql, clock(), c.var.person));
    },
  );
  routes.put(
    "/notifications/discord",
    signedIn,
    documented({
      summary: "Confirm one's own Discord account with its code",
      tag,
      answer: notificationSettings,
    }),
    jsonBody(confirmDiscordRequest),
    keepsAnswer,
    async (c) => {
      const { uid } = c.var.person;
      await guesses.consume(uid);
      await enterCode(sql, clock(), uid, c.req.valid("json").code);
      return c.json(await readSettings(sql, clock(), c.var.person));
    },
  );
}

function addOutbox(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/operations/notifications",
    admin,
    documented({
      summary: "Read which notifications wait, fail, or may have arrived twice",
      tag: "operations",
      answer: outboxResponse,
    }),
    async (c) => c.json(await readOutboxNow(deps)),
  );
}

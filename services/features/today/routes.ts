// The call behind Today: everything that waits for an admin, in one answer.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import { positionBefore } from "#http/as-of.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { readState } from "#ledger/log/read-state.ts";
import { toDollars } from "#ledger/money.ts";
import type { TodayResponse } from "#features/today/contract.ts";
import { todayResponse } from "#features/today/contract.ts";
import {
  countStock,
  readLastProof,
  readOwnEntries,
  readSold,
  readStoreDay,
  readWaiting,
} from "#features/today/queries.ts";

export function todayRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/today",
    admin,
    documented({ summary: "Show what waits for an admin", tag: "today", answer: todayResponse }),
    readsFrom("payouts", "trades", "shipments", "inventory", "balances", "sales", "audit"),
    async (c) => respondFresh(c, await readToday(deps, c.var.freshTo)),
  );
  return routes;
}

async function readToday(deps: RouteDeps, freshTo: number): Promise<TodayResponse> {
  const { reads, searches } = deps;
  const now = deps.clock();
  const timeZone = await deps.store.timeZone();
  const day = await readStoreDay(reads, now, timeZone);
  const [waiting, stock, sold, ownEntries, proof, { open: alerts }, { open: holds }] =
    await Promise.all([
      readWaiting(reads),
      countStock(searches, now),
      readSold(reads, day),
      positionBefore(reads, day.entriesFrom, freshTo).then((after) => readOwnEntries(reads, after)),
      readLastProof(reads),
      readState(deps, alertsStream, ALERTS),
      readState(deps, holdsStream, HOLDS),
    ]);
  const since = (count: number, oldest: Date | null) => ({
    count,
    oldest: oldest?.toISOString() ?? null,
  });
  return {
    day: day.day,
    timeZone,
    toPay: {
      ...since(waiting.payouts, waiting.oldest_payout),
      amount: toDollars(waiting.payout_cents),
    },
    toShip: since(waiting.orders, waiting.oldest_order),
    reported: since(waiting.reports, waiting.oldest_report),
    arrived: since(waiting.arrived, waiting.oldest_arrived),
    labels: since(waiting.labels, waiting.oldest_label),
    expected: since(waiting.expected, waiting.oldest_expected),
    ...stock,
    negative: { count: waiting.debtors, amount: toDollars(waiting.debt_cents) },
    ownEntries,
    sold: {
      today: {
        count: sold.today,
        amount: toDollars(sold.today_cents),
        from: day.from.toISOString(),
        to: day.to.toISOString(),
      },
      lastWeekByNow: { count: sold.by_now, amount: toDollars(sold.by_now_cents) },
      lastWeek: {
        count: sold.last_week,
        amount: toDollars(sold.last_week_cents),
        from: day.lastWeekFrom.toISOString(),
        to: day.lastWeekTo.toISOString(),
      },
      lastWeekDay: day.lastWeekDay,
    },
    alerts: alerts.length,
    holds: holds.length,
    proof,
    firstSteps: waiting.has_sales
      ? null
      : {
          named: (await deps.store.details()).storeName !== "",
          consignors: waiting.has_consignors,
          goods: waiting.has_goods,
        },
  };
}

// The calls about the sales tax that goes to the tax authority, admins only: recording a remittance, taking one back, the list.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { decidesFrom, readsFrom, respondFresh } from "#http/freshness.ts";
import { noteOf } from "#http/note.ts";
import { beginOfDay } from "#http/store-days.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { formatCents, toCents, toDollars } from "#ledger/money.ts";
import {
  remitSalesTaxRequest,
  remitSalesTaxResponse,
  remittanceParams,
  remittancesResponse,
  reverseRemittanceRequest,
  reverseRemittanceResponse,
} from "#features/months/contract.ts";
import { remitSalesTax, reverseRemittance } from "#features/months/decider-tax.ts";
import { readCollected, readRemittances } from "#features/months/queries-tax.ts";
import { monthOf } from "#features/months/routes-months.ts";
import { monthName } from "#features/months/streams.ts";

const tag = "months";

export function addRemittances(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addList(routes, deps);
  addRemitting(routes, deps);
  addReversal(routes, deps);
}

function addList(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/sales-tax/remittances",
    admin,
    documented({ summary: "List the remittances of sales tax", tag, answer: remittancesResponse }),
    readsFrom("balances"),
    async (c) => {
      const [remittances, collected] = await Promise.all([
        readRemittances(deps),
        readCollected(deps.reads),
      ]);
      const remitted = remittances.reduce(
        (sum, one) => sum + (one.reversed === null ? toCents(one.amount) : 0),
        0,
      );
      return respondFresh(c, { remittances, owed: toDollars(collected - remitted) });
    },
  );
}

function addRemitting(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/sales-tax/remittances",
    rehearsable(admin),
    documented({
      summary: "Record that sales tax went to the tax authority",
      tag,
      answer: remitSalesTaxResponse,
    }),
    jsonBody(remitSalesTaxRequest),
    decidesFrom("balances"),
    async (c) => {
      const { month, amount, reference, note: words, remittedAt } = c.req.valid("json");
      const now = deps.clock();
      if (month > monthOf(now, await deps.store.timeZone())) {
        throw badRequest("month_in_future", "This month has not begun", "month");
      }
      const paidAt = await instantOf(deps, remittedAt, now);
      if (paidAt > now) {
        throw badRequest(
          "remitted_in_future",
          "A remittance cannot be in the future",
          "remittedAt",
        );
      }
      const note = await noteOf(c, deps, words, null);
      const command = {
        remittanceId: deps.newId(),
        month,
        amountCents: toCents(amount),
        reference,
        collectedCents: await readCollected(deps.reads),
        noteId: note?.id ?? null,
        happenedAt: paidAt.toISOString(),
      };
      const answer = await runCommand(c, deps.ledger, remitSalesTax, command, note);
      return c.json({
        message: `${formatCents(command.amountCents)} remitted for ${monthName(month)}`,
        remittanceID: answer.remittanceId,
        owed: toDollars(answer.owedCents),
      });
    },
  );
}

/** A day counts from its beginning in the store, so that its month is the one that the person meant. */
async function instantOf(deps: RouteDeps, at: string | undefined, now: Date): Promise<Date> {
  if (at === undefined) {
    return now;
  }
  return at.length === "2026-11-01".length ? beginOfDay(deps, at) : new Date(at);
}

function addReversal(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/sales-tax/remittances/:id/reverse",
    rehearsable(admin),
    documented({
      summary: "Take back a remittance that was entered wrong",
      tag,
      answer: reverseRemittanceResponse,
    }),
    pathParams(remittanceParams),
    jsonBody(reverseRemittanceRequest),
    decidesFrom("balances"),
    async (c) => {
      const note = await noteOf(c, deps, c.req.valid("json").reason, null);
      const command = {
        remittanceId: c.req.valid("param").id,
        collectedCents: await readCollected(deps.reads),
        noteId: note?.id ?? null,
        happenedAt: deps.clock().toISOString(),
      };
      const { owedCents } = await runCommand(c, deps.ledger, reverseRemittance, command, note);
      return c.json({ message: "Remittance taken back", owed: toDollars(owedCents) });
    },
  );
}

// The calls about alerts and the continuous proof: what is open, acknowledging it, and asking for a proof now.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { jsonBody, noBody } from "#http/validate.ts";
import type { AlertView } from "#features/alerts/contract.ts";
import {
  acknowledgeRequest,
  alertDoneResponse,
  alertsResponse,
  proofResponse,
} from "#features/alerts/contract.ts";
import { acknowledgeAlert } from "#features/alerts/decider.ts";
import { adviceFor, describeAlert } from "#features/alerts/explain.ts";
import { readAlerts } from "#features/alerts/open-alerts.ts";
import { isProofAsked, readProof } from "#features/alerts/proof-now.ts";
import type { Alert } from "#features/alerts/streams.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { readState } from "#ledger/log/read-state.ts";

const tag = "operations";

export function alertRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addAlerts(routes, deps);
  addProof(routes, deps);
  return routes;
}

type Shown = Omit<Alert, "acknowledged">;

function viewOf(
  alert: Shown,
  over: Pick<AlertView, "acknowledgedBy" | "acknowledgedAt" | "resolvedAt">,
): AlertView {
  const { key, kind, raisedAt } = alert;
  return {
    key,
    kind,
    description: describeAlert(alert),
    advice: adviceFor(alert),
    raisedAt,
    ...over,
  };
}

function addAlerts(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/alerts",
    admin,
    documented({
      summary: "List the open alerts and the last resolved ones",
      tag,
      answer: alertsResponse,
    }),
    async (c) => {
      const { open, resolved } = await readAlerts(deps);
      const names = await deps.profiles.displayNames([
        ...open.flatMap(({ acknowledged }) => acknowledged?.by ?? []),
        ...resolved.flatMap(({ acknowledgedBy }) => acknowledgedBy ?? []),
      ]);
      const nameOf = (uid: string | null) => (uid === null ? null : (names.get(uid) ?? uid));
      return c.json({
        open: open.map((alert) =>
          viewOf(alert, {
            acknowledgedBy: nameOf(alert.acknowledged?.by ?? null),
            acknowledgedAt: alert.acknowledged?.at ?? null,
            resolvedAt: null,
          }),
        ),
        resolved: resolved.map((alert) =>
          viewOf(alert, {
            acknowledgedBy: nameOf(alert.acknowledgedBy),
            acknowledgedAt: null,
            resolvedAt: alert.resolvedAt,
          }),
        ),
      });
    },
  );
  routes.post(
    "/alerts/acknowledge",
    admin,
    documented({
      summary: "Acknowledge an alert",
      tag,
      answer: alertDoneResponse,
      takesKey: true,
    }),
    jsonBody(acknowledgeRequest),
    async (c) => {
      const command = {
        key: c.req.valid("json").key,
        by: c.var.person.uid,
        happenedAt: deps.clock().toISOString(),
      };
      await runCommand(c, deps.ledger, acknowledgeAlert, command);
      return c.json({ message: "Alert acknowledged" });
    },
  );
}

function addProof(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/proof",
    admin,
    documented({ summary: "Show how far the proof of the books is", tag, answer: proofResponse }),
    async (c) => {
      const [now, { open }] = await Promise.all([
        readProof(deps.sql),
        readState(deps, alertsStream, ALERTS),
      ]);
      const { provedAt, position, findings, passAt, passAccounts } = now;
      return c.json({
        last:
          provedAt === null
            ? null
            : { at: provedAt.toISOString(), position: position ?? 0, findings: findings ?? 0 },
        isAsked: isProofAsked(now),
        accounts: passAt === null ? null : { at: passAt.toISOString(), count: passAccounts ?? 0 },
        openAlerts: open.length,
      });
    },
  );
  routes.post(
    "/proof/run",
    admin,
    documented({ summary: "Ask for a proof of the books now", tag, answer: alertDoneResponse }),
    noBody,
    keepsAnswer,
    async (c) => {
      await deps.sql`update read.proof set asked_at = ${deps.clock()}`;
      return c.json({ message: "The proof starts within a minute" });
    },
  );
}

// The calls behind /verify-statement, for anybody: the published keys, and what the log says about a statement's proof.
import type { Hono } from "hono";
import { open } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { heldBack, readsFrom } from "#http/freshness.ts";
import { createRateLimits, limitByAddress } from "#http/rate-limit.ts";
import { jsonBody } from "#http/validate.ts";
import {
  checkProof,
  statementKeysResponse,
  verifyStatementRequest,
  verifyStatementResponse,
} from "#features/accounts/contract-statement-proof.ts";
import { compareWithLog } from "#features/accounts/statement/later-entries.ts";
import type { EventExplanations } from "#features/histories.ts";

const tag = "accounts";

/** A yearly statement's closing balance is of both. */
const TABLES = ["account_history", "reports"] as const;

/** A person checks a few files; each costs a signature and a look at the account. */
const CHECKS = { attempts: 30, perSeconds: 60 };

export function addStatementCheck(
  routes: Hono<AppEnv>,
  deps: RouteDeps & { readonly explanations: EventExplanations },
): void {
  const { statementKeys } = deps.identity.parts;
  const limit = createRateLimits(deps.sql, deps.clock)("verify-statement", CHECKS);
  routes.get(
    "/statements/jwks",
    open,
    documented({
      summary: "Publish the keys that sign statements",
      tag,
      answer: statementKeysResponse,
    }),
    async (c) => c.json({ keys: await statementKeys.published() }),
  );
  routes.post(
    "/statements/verify",
    open,
    documented({
      summary: "Compare a statement's proof with the log",
      tag,
      answer: verifyStatementResponse,
    }),
    limitByAddress(limit),
    jsonBody(verifyStatementRequest),
    readsFrom(...TABLES),
    async (c) => {
      const { jws } = c.req.valid("json");
      const checked = await checkProof(jws, await statementKeys.published());
      if (checked.kind !== "valid") {
        throw badRequest("proof_not_valid", "This proof was not signed by this store", "jws");
      }
      const { proof } = checked;
      if (c.var.held > 0 && (await deps.freshness.held.count(TABLES, proof.uid)) > 0) {
        throw heldBack("Later corrections of this statement cannot be read right now.");
      }
      return c.json(await compareWithLog(deps, proof, c.var.freshTo));
    },
  );
}

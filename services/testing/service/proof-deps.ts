// What the proofs of accounts and of everything need, of a test's store.
import { pino } from "pino";
import { events, projections } from "../../features.ts";
import { createAlerting } from "../../proof/alerting.ts";
import type { AccountProofDeps } from "../../proof/prove-accounts.ts";
import type { TestApp } from "#testing/service/test-app.ts";

/** On the test's own pool, without rests, and giving way to nobody. */
export function proofDepsOf(
  { database: { sql }, deps: { ledger, readEvent, clock } }: Pick<TestApp, "database" | "deps">,
  own: { readonly clock?: () => Date } = {},
): AccountProofDeps {
  const parts = { sql, ledger, readEvent, clock: own.clock ?? clock };
  const logger = pino({ level: "silent" });
  return {
    ...parts,
    proofSql: sql,
    alerting: createAlerting({ ...parts, logger, queueLetter: null }),
    projections,
    events,
    rest: () => Promise.resolve(),
    giveWay: () => Promise.resolve(),
  };
}

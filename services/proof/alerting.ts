// Raises and resolves alerts for the worker: in the log, as a line of the process's log, and by e-mail where configured.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import type { AlertAnswer, RaiseAlert } from "#features/alerts/decider.ts";
import { raiseAlert, resolveAlert } from "#features/alerts/decider.ts";
import { adviceFor, describeAlert } from "#features/alerts/explain.ts";
import type { AlertState } from "#features/alerts/streams.ts";
import { alertStream, alertStreamId } from "#features/alerts/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import type { ExecutionContext, Ledger } from "#ledger/log/ledger.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";

export type Fault = Omit<RaiseAlert, "happenedAt">;

export type Alerting = {
  /** Raises the alert unless it is open. Returns which time this is that its key is raised. */
  readonly raise: (fault: Fault) => Promise<number>;
  /** Resolves the alert if it is open. */
  readonly resolve: (key: string) => Promise<void>;
};

export type AlertingDeps = {
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly ledger: Ledger;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Queues the letter in the transaction that writes the alert; null where no address is configured. */
  readonly queueLetter: ((transaction: TransactionSql) => Promise<void>) | null;
};

const ACTOR = "system:alerts";

export function createAlerting(deps: AlertingDeps): Alerting {
  const { ledger, clock, logger, queueLetter } = deps;
  // Looked at first, because the log keeps the key of each command forever, also of one that changes nothing.
  const stateOf = (key: string): Promise<AlertState> =>
    readState(deps, alertStream, alertStreamId(key));
  const execute = async <Command>(
    decider: Decider<Command, AlertAnswer>,
    command: Command,
    inSameTransaction?: ExecutionContext["inSameTransaction"],
  ): Promise<AlertAnswer> => {
    const outcome = await ledger.execute(decider, command, {
      actor: ACTOR,
      scope: ACTOR,
      // The alert's own state says whether it is open, so the same key may be raised again later.
      key: randomUUID(),
      requestHash: "",
      ...(inSameTransaction === undefined ? {} : { inSameTransaction }),
    });
    if (outcome.kind !== "accepted") {
      throw new Error(`An alert could not be written: ${outcome.kind}`);
    }
    return outcome.answer;
  };
  return {
    async raise(fault) {
      const { open } = await stateOf(fault.key);
      if (open !== null) {
        return open.episode;
      }
      const command = { ...fault, happenedAt: clock().toISOString() };
      const { happened, episode } = await execute(raiseAlert, command, queueLetter ?? undefined);
      if (happened) {
        logger.error({ alert: fault }, `${describeAlert(fault)}. ${adviceFor(fault)}`);
      }
      return episode;
    },
    async resolve(key) {
      const { open } = await stateOf(key);
      if (open === null) {
        return;
      }
      const command = { key, happenedAt: clock().toISOString() };
      const { happened } = await execute(resolveAlert, command);
      if (happened) {
        logger.info({ alert: key }, "an alert is resolved");
      }
    },
  };
}

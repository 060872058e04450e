// Raises and resolves alerts for the worker: in the log, as a line of the process's log, and by e-mail where configured.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { TransactionSql } from "postgres";
import type { AlertAnswer, RaiseAlert } from "#features/alerts/decider.ts";
import { raiseAlert, resolveAlert } from "#features/alerts/decider.ts";
import { adviceFor, describeAlert } from "#features/alerts/explain.ts";
import type { Decider } from "#ledger/decider.ts";
import type { ExecutionContext, Ledger } from "#ledger/log/ledger.ts";

export type Fault = Omit<RaiseAlert, "happenedAt">;

export type Alerting = {
  /** Raises the alert unless it is open. Returns which time this is that its key is raised. */
  readonly raise: (fault: Fault) => Promise<number>;
  /** Resolves the alert if it is open. */
  readonly resolve: (key: string) => Promise<void>;
};

export type AlertingDeps = {
  readonly ledger: Ledger;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Queues the letter in the transaction that writes the alert; null where no address is configured. */
  readonly queueLetter: ((transaction: TransactionSql) => Promise<void>) | null;
};

const ACTOR = "system:alerts";

export function createAlerting({ ledger, clock, logger, queueLetter }: AlertingDeps): Alerting {
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
      const command = { ...fault, happenedAt: clock().toISOString() };
      const { happened, episode } = await execute(raiseAlert, command, queueLetter ?? undefined);
      if (happened) {
        logger.error({ alert: fault }, `${describeAlert(fault)}. ${adviceFor(fault)}`);
      }
      return episode;
    },
    async resolve(key) {
      const command = { key, happenedAt: clock().toISOString() };
      const { happened } = await execute(resolveAlert, command);
      if (happened) {
        logger.info({ alert: key }, "an alert is resolved");
      }
    },
  };
}

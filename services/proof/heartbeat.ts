// Calls an address while all is well. If the calls stop, the service that expects them knows that something is wrong.
import type { Logger } from "pino";
import type { HealthCheck } from "./health.ts";

export type HeartbeatDeps = {
  /** https, or on this machine: the environment is checked for it. */
  readonly url: string;
  readonly checks: readonly HealthCheck[];
  readonly logger: Logger;
};

const TIMEOUT_MS = 5_000;

async function reasonsOf(checks: readonly HealthCheck[]): Promise<string[]> {
  const reasons = await Promise.all(
    checks.map(async ({ name, look }) => {
      const reason = await look();
      return reason === null ? [] : [`${name}: ${reason}`];
    }),
  );
  return reasons.flat();
}

/** Calls the address if every check is well. Returns whether it answered. A redirect is not followed. */
export async function beat({ url, checks, logger }: HeartbeatDeps): Promise<boolean> {
  const reasons = await reasonsOf(checks);
  if (reasons.length > 0) {
    logger.warn({ reasons }, "no heartbeat is sent, because not all is well");
    return false;
  }
  try {
    const answer = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) {
      logger.warn({ status: answer.status }, "the heartbeat was not accepted");
    }
    return answer.ok;
  } catch (error) {
    logger.warn({ err: error }, "the heartbeat could not be sent");
    return false;
  }
}

// Whether a starting or stopping server recovers after a crash: that takes as long as its write-ahead log is long.
import { existsSync } from "node:fs";
import { serverProcesses } from "#db/embedded/server-processes.ts";

/** What PostgreSQL calls the process that recovers after a crash. */
const STARTUP = "postgres: startup";

/** False where the system does not list processes. */
export function isRecovering(postmasterPid: number): boolean {
  return serverProcesses(postmasterPid, STARTUP).length > 0;
}

/** How a start waits for its server. */
export type StartWait = {
  /** The port of a server that ran before; null for any that is free. */
  readonly port: number | null;
  /** Ends the start, and the server that it has started. */
  readonly signal: AbortSignal | null;
  readonly report: (line: string) => void;
  /** How long a server that does not recover may take. */
  readonly patienceMs: number;
};

export const USUAL_WAIT: StartWait = {
  port: null,
  signal: null,
  report: () => undefined,
  patienceMs: 60_000,
};

/**
 * Says when a start has waited long enough. Never while the server recovers: it would begin at the same checkpoint the
 * next time, and never start. That is said twice in the time that other servers get.
 */
export function startPatience({ patienceMs, report }: StartWait): {
  readonly isOver: () => boolean;
  /** To be called again and again while the server says that it is starting. */
  readonly starting: (postmasterPid: number) => void;
} {
  // The monotonic clock: sleep or a clock correction must not use up the time.
  const startedAt = performance.now();
  let deadline = startedAt + patienceMs;
  let lookedAt = startedAt;
  return {
    isOver: () => performance.now() > deadline,
    starting: (postmasterPid) => {
      const now = performance.now();
      if (now - lookedAt < patienceMs / 2) {
        return;
      }
      lookedAt = now;
      // Where processes are not listed, what the server says of itself has to do.
      if (isRecovering(postmasterPid) || !existsSync("/proc/self/stat")) {
        deadline = now + patienceMs;
        const seconds = Math.round((now - startedAt) / 1_000);
        report(
          `PostgreSQL (process ${postmasterPid}) recovers after a crash, for ${seconds} s so far; waiting until it has`,
        );
      }
    },
  };
}

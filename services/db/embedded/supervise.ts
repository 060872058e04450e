// Keeps a postmaster running: restarts it on the same port when it dies unexpectedly, and stops it on request.
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "#db/embedded/home.ts";
import { isEnding, NoRoomToStart, startPostmaster, stopProcess } from "#db/embedded/postmaster.ts";
import type { Cluster, Postmaster } from "#db/embedded/postmaster.ts";

export type Supervisor = {
  /** The process id of the current or last postmaster. */
  readonly pid: () => number;
  /** Rejects when the server died and could not be started again; never resolves. */
  readonly lost: Promise<never>;
  /** Stops the server, or the wait for space to start it. */
  readonly stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Watches a postmaster. It waits for space on a full disk and for a recovery without limit; if anything else keeps the
 * server from starting, it is `lost` after a minute. If this process ends before `stop`, it tells the server to end too.
 */
export function supervise(
  cluster: Cluster,
  first: Postmaster,
  report: (line: string) => void,
): Supervisor {
  let current = first;
  let restarting: Promise<Postmaster> | undefined;
  const stopping = new AbortController();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const killAtExit = () => {
    if (isAlive(current.pid)) {
      process.kill(current.pid, "SIGINT");
    }
  };
  process.once("exit", killAtExit);

  // SIGTERM makes PostgreSQL wait for those who are connected, and this program's own pools stay connected.
  let hurried = 0;
  const looking = setInterval(() => {
    const { pid } = current;
    if (!stopping.signal.aborted && pid !== hurried && isEnding(cluster.home, pid)) {
      hurried = pid;
      report(
        `PostgreSQL (process ${pid}) was told to end and waits for its connections; ending them`,
      );
      process.kill(pid, "SIGINT");
    }
  }, LOOK_EVERY_MS).unref();

  const watch = async (): Promise<void> => {
    for (;;) {
      await current.exited;
      if (stopping.signal.aborted) {
        return;
      }
      report(`PostgreSQL (process ${current.pid}) ended unexpectedly; starting it again`);
      restarting = startAgain(cluster, first.port, stopping.signal, report);
      current = await restarting;
      restarting = undefined;
    }
  };
  watch().catch((error: unknown) => {
    clearInterval(looking);
    process.removeListener("exit", killAtExit);
    if (!stopping.signal.aborted) {
      lost.reject(error);
    }
  });

  return {
    pid: () => current.pid,
    lost: lost.promise,
    stop: async () => {
      stopping.abort();
      clearInterval(looking);
      process.removeListener("exit", killAtExit);
      // A restart in progress ends its own server, unless that has just started.
      const last = await restarting?.catch(() => undefined);
      await stopProcess((last ?? current).pid);
    },
  };
}

/** Reports once that it waits for space, and once that there is some. */
async function startAgain(
  cluster: Cluster,
  port: number,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<Postmaster> {
  for (let pauseMs = FIRST_PAUSE_MS, tries = 1; ; tries += 1) {
    try {
      const postmaster = await startPostmaster(cluster, { port, signal, report });
      if (tries > 1) {
        report(`There is space again: PostgreSQL runs as process ${postmaster.pid}`);
      }
      return postmaster;
    } catch (error) {
      if (!(error instanceof NoRoomToStart)) {
        throw error;
      }
      if (tries === 1) {
        report(`${error.message} It is retried until there is space`);
      }
      await delay(pauseMs, undefined, { signal });
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}

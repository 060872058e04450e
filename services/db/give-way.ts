// Background work gives way to the shop: backends of the embedded server that do it get what the others leave of the processor.
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { Sql } from "#db/connect.ts";
import { processFields, serverProcesses, textOf } from "#db/embedded/server-processes.ts";

/** New connections are found this soon. */
const LOOK_EVERY_MS = 250;

/**
 * Lets this server's backends with this application name give way; only for a server on this machine. Returns a
 * function to be called often while they work, because connections come and go. It never throws: without it the work
 * goes on as it was.
 */
export function givingWay(sql: Sql, applicationName: string): () => Promise<void> {
  let lookedAt = -Infinity;
  return async () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_EVERY_MS) {
      return;
    }
    lookedAt = now;
    try {
      const backends = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity where application_name = ${applicationName}`;
      backends.forEach(({ pid }) => lower(pid));
    } catch {
      // The database is gone. Whoever uses it gets an error of their own.
    }
  };
}

/** What PostgreSQL calls the processes that vacuum and analyze tables by themselves. */
const VACUUM = "postgres: autovacuum worker";

/**
 * Lets this server's processes that vacuum and analyze tables give way: where much is written, they take half a
 * second of the processor for each table, once a minute. To be called often, because they come and go. The
 * application's role cannot see them in PostgreSQL, so they are found among the server's children, where the system
 * lists those.
 */
export function vacuumsGivingWay(postmasterPid: () => number): () => void {
  return () => {
    serverProcesses(postmasterPid(), VACUUM).forEach(lower);
  };
}

/** The lowest: who has it runs at once where a core is free, and otherwise waits for everybody else. */
const PRIORITY = constants.priority.PRIORITY_LOW;

/** Each part by itself: who is not root may lower few sessions a second, and the rest helps without that too. */
function lower(pid: number): void {
  for (const part of [lowerProcess, beIdle, lowerSession]) {
    try {
      part(pid);
    } catch {
      // It has ended, or the system does not allow it; then it is tried again at the next look.
    }
  }
}

function lowerProcess(pid: number): void {
  setPriority(pid, PRIORITY);
}

/** SCHED_IDLE in Linux. */
const IDLE = "5";

/** False once this system turned out to have no such program, or to refuse it. */
let canBeIdle = true;

/**
 * Makes Linux take a core that only runs this process for a free one. Without it, a step that woke up was put behind
 * others on a busy core, though the other core did nothing but what gives way: with two such processes and the machine
 * three quarters busy, sales were seen 0.3 s late (p99) instead of 0.13 s. Node cannot set this, but nearly every Linux
 * comes with a program that can.
 */
function beIdle(pid: number): void {
  // The 41st field; none where the system has no such files.
  const policy = processFields(pid)[38];
  if (canBeIdle && policy !== undefined && policy !== IDLE) {
    execFile("chrt", ["-i", "-p", "0", String(pid)], (error) => {
      const isRefused = typeof error?.code === "number" && existsSync(`/proc/${pid}`);
      if (error?.code === "ENOENT" || isRefused) {
        canBeIdle = false;
      }
    });
  }
}

/**
 * Where Linux shares the processor between sessions first ("autogroup"), a priority only counts within one, and each
 * backend is a session of its own: the session's priority is what counts.
 */
function lowerSession(pid: number): void {
  const file = `/proc/${pid}/autogroup`;
  const now = textOf(file).trim();
  if (now !== "" && !now.endsWith(` ${PRIORITY}`) && sessionOf(pid) === pid) {
    writeFileSync(file, String(PRIORITY));
  }
}

/** The id of a process's session. */
function sessionOf(pid: number): number {
  return Number(processFields(pid)[3]);
}

// Which processes run and what each does: a row for each, written every few seconds by the process itself.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "#db/connect.ts";

/** A head of the log that was published outside the database. */
export type PublishedPosition = { readonly position: number; readonly at: Date };

export type ProcessReport = {
  /** What it does at the moment, in sentences for a person. */
  readonly doing: readonly string[];
  readonly published: PublishedPosition | null;
};

export type ReportedProcess = ProcessReport & {
  readonly id: string;
  /** start, api, worker */
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** It reported within the last reports' time. */
  readonly isAlive: boolean;
};

const REPORT_EVERY_MS = 5_000;
const PATIENCE_MS = 1_000;
/** A process that reported nothing for this long is not alive. */
const SILENT_AFTER_SECONDS = 20;
/** Rows of processes that ended without deleting theirs are kept for this long. */
const FORGET_AFTER = "1 hour";

type Row = Omit<ReportedProcess, "published"> & {
  readonly publishedPosition: number | null;
  readonly publishedAt: Date | null;
};

/** The living ones first, then by name. */
export async function readProcesses(sql: Sql): Promise<ReportedProcess[]> {
  const rows = await sql<Row[]>`
    select id, name, host, pid, started_at as "startedAt", seen_at as "seenAt", doing,
      seen_at > now() - make_interval(secs => ${SILENT_AFTER_SECONDS}) as "isAlive",
      published_position as "publishedPosition", published_at as "publishedAt"
    from read.processes order by 8 desc, name, started_at, id limit 200`;
  return rows.map(({ publishedPosition, publishedAt, ...row }) => ({
    ...row,
    published:
      publishedPosition === null || publishedAt === null
        ? null
        : { position: publishedPosition, at: publishedAt },
  }));
}

/** Reports now and every few seconds; closing deletes the row. */
export function reportProcess(options: {
  readonly sql: Sql;
  readonly name: string;
  readonly report: () => ProcessReport;
  readonly onError: (error: unknown) => void;
}): { readonly close: () => Promise<void> } {
  const { sql, name, report } = options;
  const id = randomUUID();
  const write = async (): Promise<void> => {
    try {
      const { doing, published } = report();
      await sql`
        with gone as (delete from read.processes where seen_at < now() - ${FORGET_AFTER}::interval)
        insert into read.processes
          (id, name, host, pid, started_at, seen_at, doing, published_position, published_at)
        values (${id}, ${name}, ${hostname()}, ${process.pid}, now(), now(),
          ${JSON.stringify(doing)}::text::jsonb, ${published?.position ?? null}, ${published?.at ?? null})
        on conflict (id) do update set seen_at = now(), doing = excluded.doing,
          published_position = excluded.published_position, published_at = excluded.published_at`;
    } catch (error) {
      options.onError(error);
    }
  };
  let running: Promise<void> | undefined;
  /** One that hangs skips turns, as in `repeat`, which this layer may not import. */
  const look = (): void => {
    running ??= write().finally(() => {
      running = undefined;
    });
  };
  look();
  const timer = setInterval(look, REPORT_EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      const forget = (running ?? Promise.resolve()).then(() =>
        sql`delete from read.processes where id = ${id}`.catch(options.onError),
      );
      // A database that is gone must not hold up the end of the process; its row is forgotten later.
      await Promise.race([forget, delay(PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}

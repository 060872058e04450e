// Metrics that every process reads from the database: how far read tables and rebuilds are, and what waits or failed in the queues.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Sql } from "#db/connect.ts";
import { sharedByAScrape } from "#http/ledger-metrics.ts";
import { readHead } from "#ledger/log/read.ts";
import { readFirstFills } from "#ledger/projection/late-tables.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { lagSeconds, readLags } from "#ledger/projection/lag.ts";

async function readTables(sql: Sql) {
  const generations = await readGenerations(sql);
  const { position: head } = await readHead(sql);
  const live = generations.filter(({ state }) => state === "live");
  const [lags, filled] = await Promise.all([
    readLags(
      sql,
      live.map(({ position }) => position),
    ),
    readFirstFills(sql),
  ]);
  return {
    shown: live.map(({ name, position }) => ({
      projection: name,
      events: Math.max(0, head - position),
      seconds: lagSeconds(lags, position),
    })),
    building: [
      ...filled.map(({ projection, position }) => ({ projection, tables: "shown", position })),
      ...generations
        .filter(({ state }) => state === "building")
        .map(({ name, position }) => ({ projection: name, tables: "new", position })),
    ],
  };
}

type JobCount = { readonly queue: string; readonly state: string; readonly jobs: number };

const JOB_STATES = ["created", "retry", "active", "failed"] as const;

/** Queues without such jobs count 0, so that an alert can end. pg-boss makes its tables when the first process starts. */
async function countJobs(sql: Sql): Promise<readonly JobCount[]> {
  const [table] = await sql<{ there: boolean }[]>`
    select to_regclass('pgboss.job') is not null as there`;
  return table?.there === true
    ? sql<JobCount[]>`
        select q.name as queue, s.state, count(j.id) as jobs
        from pgboss.queue q
        cross join unnest(${[...JOB_STATES]}::text[]) as s (state)
        left join pgboss.job j on j.name = q.name and j.state::text = s.state
        where q.name not like '\\_\\_pgboss%'
        group by q.name, s.state order by q.name, s.state limit 400`
    : [];
}

/** Registers gauges that are read at each scrape. */
export function observeTables(registry: Registry, sql: Sql): void {
  const tables = sharedByAScrape(() => readTables(sql));
  void new Gauge({
    name: "ledger_projection_lag_events",
    help: "Events that a projection's shown tables do not have yet",
    labelNames: ["projection"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { projection, events } of (await tables())?.shown ?? []) {
        this.set({ projection }, events);
      }
    },
  });
  void new Gauge({
    name: "ledger_projection_lag_seconds",
    help: "The age of the first event that a projection's shown tables do not have yet",
    labelNames: ["projection"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { projection, seconds } of (await tables())?.shown ?? []) {
        this.set({ projection }, seconds);
      }
    },
  });
  void new Gauge({
    name: "ledger_rebuild_position",
    help: "The position that a rebuild (tables=new), or the first filling of shown tables (tables=shown), has reached; its change over time is the speed",
    labelNames: ["projection", "tables"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { projection, tables: which, position } of (await tables())?.building ?? []) {
        this.set({ projection, tables: which }, position);
      }
    },
  });
  const jobs = sharedByAScrape(() => countJobs(sql));
  void new Gauge({
    name: "ledger_jobs",
    help: "Jobs of a queue that wait, run, are tried again, or failed for good",
    labelNames: ["queue", "state"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { queue, state, jobs: count } of (await jobs()) ?? []) {
        this.set({ queue, state }, count);
      }
    },
  });
}

// The job queues of pg-boss as an operator sees them, and the two things that can be done about a failed job.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { HttpError } from "#http/errors.ts";
import type { JobsResponse } from "#features/operations/contract.ts";
import { operationsRefusals } from "#features/operations/contract.ts";

const FAILED_LISTED = 100;
const REASON_LENGTH = 500;

/** pg-boss makes its tables when the first process starts. */
async function hasJobs(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`
    select to_regclass('pgboss.job') is not null as there`;
  return row?.there === true;
}

/** The message of what a job threw, or whatever it left. */
export function reasonOf(output: unknown): string {
  const message: unknown =
    typeof output === "object" && output !== null ? Reflect.get(output, "message") : output;
  const text = typeof message === "string" ? message : JSON.stringify(output ?? null);
  return text === "null" ? "It left no reason" : text.slice(0, REASON_LENGTH);
}

type FailedRow = {
  readonly id: string;
  readonly queue: string;
  readonly createdAt: Date;
  readonly failedAt: Date | null;
  readonly tries: number;
  readonly output: unknown;
};

export async function readJobsNow(sql: Sql): Promise<JobsResponse> {
  if (!(await hasJobs(sql))) {
    return { queues: [], failed: [] };
  }
  const [queues, failed] = await Promise.all([
    sql<{ name: string; waiting: number; active: number; failed: number }[]>`
      select q.name, count(j.id) filter (where j.state in ('created', 'retry')) as waiting,
        count(j.id) filter (where j.state = 'active') as active,
        count(j.id) filter (where j.state = 'failed') as failed
      from pgboss.queue q left join pgboss.job j on j.name = q.name
      where q.name not like '\\_\\_pgboss%'
      group by q.name order by q.name limit 100`,
    sql<FailedRow[]>`
      select id, name as queue, created_on as "createdAt", completed_on as "failedAt",
        retry_count + 1 as tries, output
      from pgboss.job where state = 'failed' and name not like '\\_\\_pgboss%'
      order by completed_on desc nulls last, id limit ${FAILED_LISTED}`,
  ]);
  return {
    queues: [...queues],
    failed: failed.map(({ createdAt, failedAt, output, ...job }) => ({
      ...job,
      createdAt: createdAt.toISOString(),
      failedAt: failedAt?.toISOString() ?? null,
      reason: reasonOf(output),
    })),
  };
}

/** The outbox is operated like a queue: its rows are tried again and dropped like jobs. */
const OUTBOX = "notifications";

/** Null if there is no such job. */
export async function hasJobFailed(sql: Sql, queue: string, id: string): Promise<boolean | null> {
  if (queue === OUTBOX) {
    const [row] = await sql<{ failed: boolean }[]>`
      select looked_at is null and state <> 'sending' and (attempts > 0 or state = 'given-up') as failed
      from identity.notifications where id = ${id} and channel <> 'in-app'`;
    return row?.failed ?? null;
  }
  if (!(await hasJobs(sql))) {
    return null;
  }
  const [row] = await sql<{ failed: boolean }[]>`
    select state = 'failed' as failed from pgboss.job where name = ${queue} and id = ${id}`;
  return row?.failed ?? null;
}

function insistOnOne(changed: number): void {
  if (changed !== 1) {
    const { status, message } = operationsRefusals.job_not_failed;
    throw new HttpError(status, "job_not_failed", message);
  }
}

/** In the transaction that appends the event. As pg-boss itself retries a job: one more try, at once. */
export async function retryFailedJob(
  transaction: TransactionSql,
  queue: string,
  id: string,
): Promise<void> {
  if (queue === OUTBOX) {
    const tried = await transaction`
      update identity.notifications
      set state = 'waiting', attempts = 0, due_at = now(), settled_at = null
      where id = ${id} and looked_at is null and state in ('waiting', 'given-up', 'sent')`;
    return insistOnOne(tried.count);
  }
  const changed = await transaction`
    update pgboss.job
    set state = 'retry', retry_limit = greatest(retry_limit, retry_count) + 1, completed_on = null, start_after = now()
    where name = ${queue} and id = ${id} and state = 'failed'`;
  insistOnOne(changed.count);
}

/** In the transaction that appends the event. */
export async function dropFailedJob(
  transaction: TransactionSql,
  queue: string,
  id: string,
): Promise<void> {
  if (queue === OUTBOX) {
    const dropped = await transaction`
      update identity.notifications
      set state = case state when 'sent' then 'sent' else 'dropped' end, looked_at = now(),
        settled_at = coalesce(settled_at, now())
      where id = ${id} and looked_at is null and state in ('waiting', 'given-up', 'sent')`;
    return insistOnOne(dropped.count);
  }
  const changed = await transaction`
    delete from pgboss.job where name = ${queue} and id = ${id} and state = 'failed'`;
  insistOnOne(changed.count);
}

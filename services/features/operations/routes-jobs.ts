// What operators may do to a failed job: try it once more, or drop it, in the transaction that appends the event.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { jobParams, operatorRequest, operatorResponse } from "#features/operations/contract.ts";
import { dropJob, retryJob } from "#features/operations/decider.ts";
import { dropFailedJob, hasJobFailed, retryFailedJob } from "#features/operations/jobs-now.ts";

const acts = [
  {
    path: "/operations/jobs/:queue/:id/retry",
    summary: "Try a failed job once more",
    decider: retryJob,
    carryOut: retryFailedJob,
    message: "Job queued again",
  },
  {
    path: "/operations/jobs/:queue/:id/drop",
    summary: "Drop a failed job",
    decider: dropJob,
    carryOut: dropFailedJob,
    message: "Job dropped",
  },
] as const;

export function addJobActs(routes: Hono<AppEnv>, deps: RouteDeps): void {
  for (const { path, summary, decider, carryOut, message } of acts) {
    routes.post(
      path,
      admin,
      documented({ summary, tag: "operations", answer: operatorResponse, takesKey: true }),
      pathParams(jobParams),
      jsonBody(operatorRequest),
      async (c) => {
        const { queue, id: jobId } = c.req.valid("param");
        const note = await noteOf(c, deps, c.req.valid("json").why, null);
        const noteId = note?.id ?? deps.newId();
        await runCommand(
          c,
          deps.ledger,
          decider,
          {
            queue,
            jobId,
            hasFailed: await hasJobFailed(deps.sql, queue, jobId),
            noteId,
            happenedAt: deps.clock().toISOString(),
          },
          {
            id: noteId,
            write: async (transaction) => {
              await note?.write(transaction);
              await carryOut(transaction, queue, jobId);
            },
          },
        );
        return c.json({ message });
      },
    );
  }
}

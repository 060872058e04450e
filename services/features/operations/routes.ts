// The calls of the operations screen that read: tables, held keys, jobs, processes, and what operators did.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { expensiveSearch } from "#http/expensive-reads.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { pathParams, queryString } from "#http/validate.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { isScript, nameOfActor, readActions } from "#features/operations/actions.ts";
import type {
  ActionsResponse,
  HeldResponse,
  JobsResponse,
  OlderResponse,
  ProjectionsResponse,
  SystemResponse,
  TableOrdersResponse,
} from "#features/operations/contract.ts";
import {
  actionsQuery,
  actionsResponse,
  heldResponse,
  jobsResponse,
  olderResponse,
  operationsRefusals,
  projectionParams,
  projectionsResponse,
  systemResponse,
  tableOrdersResponse,
} from "#features/operations/contract.ts";
import { readHeldNow } from "#features/operations/held-now.ts";
import { readJobsNow } from "#features/operations/jobs-now.ts";
import { readPastOrders } from "#features/operations/past-orders.ts";
import { addJobActs } from "#features/operations/routes-jobs.ts";
import { addTableActs } from "#features/operations/routes-tables.ts";
import { readSystemNow } from "#features/operations/system-now.ts";
import type { FedTables } from "#features/operations/tables-now.ts";
import { readOlderDifferences, readTablesNow } from "#features/operations/tables-now.ts";

const tag = "operations";

/** All of them read the primary, whose machinery this is. */
export function operationsRoutes(
  deps: RouteDeps,
  explanations: EventExplanations,
  { projections, events }: FedTables,
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addReads(routes, deps, { projections, events });
  addOrders(routes, deps, projections);
  addActions(routes, deps, explanations);
  addTableActs(routes, deps, projections);
  addJobActs(routes, deps);
  return routes;
}

function addReads(
  routes: Hono<AppEnv>,
  { sql }: RouteDeps,
  { projections, events }: FedTables,
): void {
  routes.get(
    "/operations/projections",
    admin,
    documented({ summary: "Read how far the read tables are", tag, answer: projectionsResponse }),
    async (c) => c.json((await readTablesNow(sql, projections)) satisfies ProjectionsResponse),
  );
  routes.get(
    "/operations/projections/:name/older",
    admin,
    expensiveSearch,
    documented({
      summary: "Read what a switch back to the tables from before would change",
      tag,
      answer: olderResponse,
    }),
    pathParams(projectionParams),
    async (c) => {
      const { name } = c.req.valid("param");
      const answer = await readOlderDifferences(sql, { projections, events }, name);
      if (answer === undefined) {
        throw notFound("nothing_older", "There are no older tables to switch back to");
      }
      return c.json(answer satisfies OlderResponse);
    },
  );
  routes.get(
    "/operations/held",
    admin,
    documented({ summary: "Read the row keys that are held back", tag, answer: heldResponse }),
    async (c) => c.json((await readHeldNow(sql)) satisfies HeldResponse),
  );
  routes.get(
    "/operations/jobs",
    admin,
    documented({ summary: "Read the job queues and failed jobs", tag, answer: jobsResponse }),
    async (c) => c.json((await readJobsNow(sql)) satisfies JobsResponse),
  );
  routes.get(
    "/operations/system",
    admin,
    documented({ summary: "Read processes, heads and sizes", tag, answer: systemResponse }),
    async (c) => c.json((await readSystemNow(sql)) satisfies SystemResponse),
  );
}

function addOrders(
  routes: Hono<AppEnv>,
  deps: RouteDeps,
  projections: readonly Projection[],
): void {
  routes.get(
    "/operations/projections/:name/orders",
    admin,
    documented({
      summary: "Read what operators ordered about a projection, and what came of it",
      tag,
      answer: tableOrdersResponse,
    }),
    pathParams(projectionParams),
    async (c) => {
      const { name } = c.req.valid("param");
      if (projections.every((projection) => projection.name !== name)) {
        throw notFound("unknown_projection", operationsRefusals.unknown_projection.message);
      }
      const orders = await readPastOrders(deps, [name]);
      const uids = orders.map(({ actor }) => actor).filter((actor) => !isScript(actor));
      const names = await deps.profiles.displayNames(uids);
      const answer: TableOrdersResponse = {
        orders: orders.map(({ actor, ...order }) => ({
          ...order,
          actor: { uid: actor, displayName: nameOfActor(actor, names) },
        })),
      };
      return c.json(answer);
    },
  );
}

function addActions(
  routes: Hono<AppEnv>,
  { sql, profiles, notes }: RouteDeps,
  explanations: EventExplanations,
): void {
  routes.get(
    "/operations/actions",
    admin,
    documented({ summary: "Read what operators did", tag, answer: actionsResponse }),
    queryString(actionsQuery),
    async (c) => {
      const { before = Number.MAX_SAFE_INTEGER } = c.req.valid("query");
      const answer: ActionsResponse = await readActions(
        { sql, explanations, profiles, notes },
        before,
      );
      return c.json(answer);
    },
  );
}

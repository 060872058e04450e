// The calls about the backfill: how far it is, and what an admin does with it. A worker does the steps.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { jsonBody, noBody } from "#http/validate.ts";
import {
  finishBackfill,
  pauseBackfill,
  readBackfill,
  resumeBackfill,
  retryBackfill,
  startBackfill,
} from "#features/images/backfill-runs.ts";
import {
  backfillResponse,
  type BackfillResponse,
  retryBackfillRequest,
} from "#features/images/contract-backfill.ts";

const tag = "images";
const answer = backfillResponse;

export function addBackfill(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const now = async () => (await readBackfill(deps.sql)) satisfies BackfillResponse;
  routes.get(
    "/admin/image-backfill",
    admin,
    documented({ summary: "Show the progress of the image backfill", tag, answer }),
    async (c) => c.json(await now()),
  );
  routes.post(
    "/admin/image-backfill/start",
    admin,
    documented({ summary: "Start the image backfill", tag, answer }),
    noBody,
    keepsAnswer,
    async (c) => {
      await startBackfill(deps, deps.retailer.hosts);
      return c.json(await now());
    },
  );
  routes.post(
    "/admin/image-backfill/pause",
    admin,
    documented({ summary: "Pause the image backfill", tag, answer }),
    noBody,
    keepsAnswer,
    async (c) => {
      await pauseBackfill(deps);
      return c.json(await now());
    },
  );
  routes.post(
    "/admin/image-backfill/resume",
    admin,
    documented({ summary: "Resume the image backfill", tag, answer }),
    noBody,
    keepsAnswer,
    async (c) => {
      await resumeBackfill(deps);
      return c.json(await now());
    },
  );
  routes.post(
    "/admin/image-backfill/finish",
    admin,
    documented({ summary: "End the image backfill early", tag, answer }),
    noBody,
    keepsAnswer,
    async (c) => {
      await finishBackfill(deps);
      return c.json(await now());
    },
  );
  routes.post(
    "/admin/image-backfill/retry",
    admin,
    documented({ summary: "Look again for pictures that were not found", tag, answer }),
    jsonBody(retryBackfillRequest),
    keepsAnswer,
    async (c) => {
      await retryBackfill(deps, c.req.valid("json").itemUID ?? null);
      return c.json(await now());
    },
  );
}

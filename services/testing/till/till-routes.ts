// The tills behind HTTP, for tests of what every feature's routes rely on.
import { Hono } from "hono";
import * as z from "zod/mini";
import { admin, self, signedIn } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { withTables } from "#http/reads.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { tillBook, tillSums } from "#testing/till/till-projection.ts";
import { fillTill, payOut } from "#testing/till/till.ts";

const tag = "tills";
const tillParams = z.object({ till: z.string().check(z.regex(/^[\w-]{1,40}$/)) });
const fillRequest = z.strictObject({ cents: z.int().check(z.gte(1), z.lte(1_000_000)) });
const fillAnswer = z.object({ cents: z.number() });
const payRequest = z.strictObject({
  to: z.string().check(z.regex(/^[\w-]{1,40}$/)),
  cents: z.int().check(z.gte(1), z.lte(1_000_000)),
});

const withTillSums = withTables(tillSums);

/** `till` is a uid where a person's own till is meant. */
export function tillRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post(
    "/tills/:till/fill",
    admin,
    documented({ summary: "Put money into a till", tag, answer: fillAnswer }),
    pathParams(tillParams),
    jsonBody(fillRequest),
    async (c) => {
      const { till } = c.req.valid("param");
      const { cents } = c.req.valid("json");
      return c.json(await runCommand(c, deps.ledger, fillTill, { till, cents }));
    },
  );
  routes.post(
    "/tills/:till/pay",
    self("till"),
    documented({
      summary: "Pay out of one's own till",
      tag,
      answer: z.object({ left: z.number() }),
    }),
    pathParams(tillParams),
    jsonBody(payRequest),
    async (c) => {
      const from = c.req.valid("param").till;
      return c.json(await runCommand(c, deps.ledger, payOut, { from, ...c.req.valid("json") }));
    },
  );
  routes.get(
    "/tills/:till",
    signedIn,
    documented({ summary: "Read a till", tag, answer: fillAnswer }),
    pathParams(tillParams),
    readsFrom(tillBook.name),
    async (c) => {
      const row = await withTillSums(deps.reads)
        .selectFrom("read.till_sums")
        .select("cents")
        .where("till", "=", `till-${c.req.valid("param").till}`)
        .executeTakeFirst();
      return respondFresh(c, { cents: row?.cents ?? 0 });
    },
  );
  return routes;
}

// The jars behind HTTP, for tests of what every feature's routes rely on.
import { Hono } from "hono";
import * as z from "zod/mini";
import { admin, rehearsable, self, signedIn } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { withTables } from "#http/reads.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { jarBook, jarSums } from "#testing/jar/jar-projection.ts";
import { fillJar, payOut } from "#testing/jar/jar.ts";

const tag = "jars";
const jarParams = z.object({ jar: z.string().check(z.regex(/^[\w-]{1,40}$/)) });
const fillRequest = z.strictObject({ cents: z.int().check(z.gte(1), z.lte(1_000_000)) });
const fillResponse = z.object({ cents: z.number() });
const payRequest = z.strictObject({
  to: z.string().check(z.regex(/^[\w-]{1,40}$/)),
  cents: z.int().check(z.gte(1), z.lte(1_000_000)),
});

const withJarSums = withTables(jarSums);

/** For a person's own jar, `jar` is the uid. */
export function jarRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post(
    "/jars/:jar/fill",
    rehearsable(admin),
    documented({ summary: "Put money into a jar", tag, answer: fillResponse }),
    pathParams(jarParams),
    jsonBody(fillRequest),
    async (c) => {
      const { jar } = c.req.valid("param");
      const { cents } = c.req.valid("json");
      return c.json(await runCommand(c, deps.ledger, fillJar, { jar, cents }));
    },
  );
  routes.post(
    "/jars/:jar/pay",
    rehearsable(self("jar")),
    documented({
      summary: "Pay out of one's own jar",
      tag,
      answer: z.object({ left: z.number() }),
    }),
    pathParams(jarParams),
    jsonBody(payRequest),
    async (c) => {
      const from = c.req.valid("param").jar;
      return c.json(await runCommand(c, deps.ledger, payOut, { from, ...c.req.valid("json") }));
    },
  );
  routes.get(
    "/jars/:jar",
    signedIn,
    documented({ summary: "Read a jar", tag, answer: fillResponse }),
    pathParams(jarParams),
    readsFrom(jarBook.name),
    async (c) => {
      const row = await withJarSums(deps.reads)
        .selectFrom("read.jar_sums")
        .select("cents")
        .where("jar", "=", `jar-${c.req.valid("param").jar}`)
        .executeTakeFirst();
      return respondFresh(c, { cents: row?.cents ?? 0 });
    },
  );
  return routes;
}

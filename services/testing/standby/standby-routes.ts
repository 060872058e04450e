// Reads of the jar book that can be held on the standby, so that tests can disturb them.
import { Hono } from "hono";
import { sql } from "kysely";
import { signedIn } from "#http/access.ts";
import { answerCsvBatches, type Cell } from "#http/csv.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import * as z from "zod/mini";
import { jarBook } from "#testing/jar/jar-projection.ts";

/** On the standby this takes a minute and holds a snapshot; on the primary it does not wait. */
const held = sql`case when pg_is_in_recovery() then pg_sleep(60)::text end`;

export function standbyRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const answer = z.object({ jars: z.number() });
  routes.get(
    "/held-jars",
    signedIn,
    documented({ summary: "Count jars, held on the standby", tag: "jars", answer }),
    readsFrom(jarBook.name),
    async (c) => {
      const { rows } = await sql<{ jars: number }>`
        select count(*)::integer as jars, max(waited) as waited
        from (select ${held} as waited from read.jar_sums limit 1) t`.execute(deps.reads);
      return respondFresh(c, { jars: rows[0]?.jars });
    },
  );
  routes.get(
    "/held-jars/file",
    signedIn,
    documentedFile({ summary: "Three lines, the last held", tag: "jars", types: ["text/csv"] }),
    readsFrom(jarBook.name),
    (c) => answerCsvBatches(c, "jars.csv", ["Line", "On the standby"], lines(deps)),
  );
  const place = documented({
    summary: "Show which server this request reads",
    tag: "jars",
    answer: z.object({ place: z.enum(["standby", "primary"]) }),
  });
  // With reading and writing methods.
  for (const method of ["GET", "PUT"]) {
    routes.on(method, "/jars-place", signedIn, place, readsFrom(jarBook.name), async (c) => {
      const { rows } = await sql<{ place: string }>`
        select case when pg_is_in_recovery() then 'standby' else 'primary' end as place`.execute(
        deps.reads,
      );
      return respondFresh(c, { place: rows[0]?.place });
    });
  }
  routes.get(
    "/jars-that-write",
    signedIn,
    documented({ summary: "Try to write where one reads", tag: "jars", answer }),
    readsFrom(jarBook.name),
    async (c) => {
      await sql`update read.jar_sums set cents = 0`.execute(deps.reads);
      return respondFresh(c, { jars: 0 });
    },
  );
  return routes;
}

async function* lines({ reads }: RouteDeps): AsyncGenerator<readonly (readonly Cell[])[]> {
  for (const line of [1, 2, 3]) {
    const { rows } = await sql<{ place: string }>`
      select pg_is_in_recovery()::text as place, ${line === 3 ? held : sql`null`} as waited
      from read.jar_sums limit 1`.execute(reads);
    yield [[line, rows[0]?.place ?? "nowhere"]];
  }
}

// Reads of the till book that can be held on the standby, so that tests can put something in their way.
import { Hono } from "hono";
import { sql } from "kysely";
import { signedIn } from "#http/access.ts";
import { answerCsvBatches, type Cell } from "#http/csv.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import * as z from "zod/mini";
import { tillBook } from "#testing/till/till-projection.ts";

/** On the standby this takes a minute, with a snapshot held; on the primary it does not wait. */
const held = sql`case when pg_is_in_recovery() then pg_sleep(60)::text end`;

export function standbyRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const answer = z.object({ tills: z.number() });
  routes.get(
    "/held-tills",
    signedIn,
    documented({ summary: "Count tills, held on the standby", tag: "tills", answer }),
    readsFrom(tillBook.name),
    async (c) => {
      const { rows } = await sql<{ tills: number }>`
        select count(*)::integer as tills, max(waited) as waited
        from (select ${held} as waited from read.till_sums limit 1) t`.execute(deps.reads);
      return respondFresh(c, { tills: rows[0]?.tills });
    },
  );
  routes.get(
    "/held-tills/file",
    signedIn,
    documentedFile({ summary: "Three lines, the last held", tag: "tills", types: ["text/csv"] }),
    readsFrom(tillBook.name),
    (c) => answerCsvBatches(c, "tills.csv", ["Line", "On the standby"], lines(deps)),
  );
  const place = documented({
    summary: "Tell where this request reads",
    tag: "tills",
    answer: z.object({ place: z.enum(["standby", "primary"]) }),
  });
  // With and without something to change.
  for (const method of ["GET", "PUT"]) {
    routes.on(method, "/tills-place", signedIn, place, readsFrom(tillBook.name), async (c) => {
      const { rows } = await sql<{ place: string }>`
        select case when pg_is_in_recovery() then 'standby' else 'primary' end as place`.execute(
        deps.reads,
      );
      return respondFresh(c, { place: rows[0]?.place });
    });
  }
  routes.get(
    "/tills-that-write",
    signedIn,
    documented({ summary: "Try to write where one reads", tag: "tills", answer }),
    readsFrom(tillBook.name),
    async (c) => {
      await sql`update read.till_sums set cents = 0`.execute(deps.reads);
      return respondFresh(c, { tills: 0 });
    },
  );
  return routes;
}

async function* lines({ reads }: RouteDeps): AsyncGenerator<readonly (readonly Cell[])[]> {
  for (const line of [1, 2, 3]) {
    const { rows } = await sql<{ place: string }>`
      select pg_is_in_recovery()::text as place, ${line === 3 ? held : sql`null`} as waited
      from read.till_sums limit 1`.execute(reads);
    yield [[line, rows[0]?.place ?? "nowhere"]];
  }
}

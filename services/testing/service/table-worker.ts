// What a worker does for the read tables, without its clock.
import type { Sql } from "#db/connect.ts";
import type { CarryOutParts } from "#ledger/projection/carry-out.ts";
import { carryOut } from "#ledger/projection/carry-out.ts";
import { fullPace } from "#ledger/projection/pace.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { events, projections } from "../../features.ts";

/** Tables from before a switch are left behind, as while anything is rebuilt. */
export function feederOfShown(sql: Sql): ProjectionRunner {
  return createRunner({ sql, projections, events, which: "without previous" });
}

/** Carries out what is ordered for a projection, while the shown tables are fed. */
export async function workOnTables(
  sql: Sql,
  name: string,
  parts: Partial<CarryOutParts> = {},
): Promise<void> {
  const projection = projections.find((one) => one.name === name);
  if (projection === undefined) {
    throw new Error(`There are no ${name}`);
  }
  const running = { isOver: false };
  const shown = feederOfShown(sql);
  const feed = (async () => {
    while (!running.isOver) {
      await shown.catchUp();
      await sql`select 1`;
    }
  })();
  try {
    await carryOut({ sql, events, pace: () => fullPace, noteEveryMs: 0, ...parts }, projection);
  } finally {
    running.isOver = true;
    await feed;
  }
}

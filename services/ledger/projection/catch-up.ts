// Brings a projection's tables to the head where nobody else feeds them, to compare them there.
import type { Sql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { StuckTables } from "#ledger/projection/stuck-tables.ts";

/**
 * Throws StuckTables if the shown or the new tables get no further. Those from before a switch may stay behind: they are
 * no part of any comparison, and the next switch drops them.
 */
export async function catchUpToCompare(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
): Promise<void> {
  try {
    await createRunner({ sql, projections: [projection], events }).catchUp();
  } catch (error) {
    if (!(error instanceof StuckTables && error.generation.state === "previous")) {
      throw error;
    }
  }
}

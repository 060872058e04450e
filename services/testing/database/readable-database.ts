// A migrated database that also has the empty read tables: creating them takes longer than copying them.
import { connect } from "#db/connect.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { filledOnce } from "#testing/database/test-database.ts";
import { events, projections } from "../../features.ts";

export const readableDatabase = filledOnce(async ({ appUrl }) => {
  const sql = connect(appUrl, { applicationName: "test-tables", maxConnections: 2 });
  try {
    await ensureProjections({ sql, projections, events });
  } finally {
    await sql.end({ timeout: 5 });
  }
});

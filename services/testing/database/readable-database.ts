// A migrated database that also has the empty read tables: creating them takes longer than copying them.
import { createHash } from "node:crypto";
import { connect } from "#db/connect.ts";
import { hashOfDefinition } from "#ledger/projection/definition.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { filledOnceForAll } from "#testing/database/test-database.ts";
import { events, projections } from "../../features.ts";

const definitions = createHash("sha256");
for (const projection of projections) {
  definitions.update(hashOfDefinition(projection));
}
for (const { type, schemaVersion } of events.values()) {
  definitions.update(`${type}.${schemaVersion}`);
}
const name = `readable_${definitions.digest("hex").slice(0, 16)}`;

export const readableDatabase = filledOnceForAll(name, async ({ appUrl }) => {
  const sql = connect(appUrl, { applicationName: "test-tables", maxConnections: 2 });
  try {
    await ensureProjections({ sql, projections, events });
  } finally {
    await sql.end({ timeout: 5 });
  }
});

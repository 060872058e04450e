// npm run expected-schema: records the schema that the migrations make; `npm run verify` compares every store with it.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "#db/connect.ts";
import { appRole, startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { readSchema, writeExpectedSchema } from "#db/schema-snapshot.ts";
import { readCommandLine, refusePositionals, runScript } from "./command-line.ts";

async function run(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), "ledger-schema-"));
  try {
    // As root, PostgreSQL runs under another account, which needs access.
    await chmod(dataDir, 0o711);
    const server = await startEmbedded({ dataDir, durability: "test", holder: "script" });
    try {
      await migrate({ ownerUrl: server.ownerUrl, appRole });
      const sql = connect(server.appUrl, { applicationName: "expected-schema", maxConnections: 1 });
      try {
        await writeExpectedSchema(await readSchema(sql));
      } finally {
        await sql.end();
      }
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  process.stdout.write("services/db/expected-schema.json is up to date.\n");
  return 0;
}

refusePositionals(
  readCommandLine(
    "npm run expected-schema",
    "Applies all migrations to a new database and writes the resulting schema to\n" +
      "services/db/expected-schema.json. Run it after adding a migration; a test fails until then.",
    {},
  ),
);
await runScript(run);

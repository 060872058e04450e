// A database as an older version of the program left it, for tests of what the next start makes of it.
import { appRole } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { migrateUpTo } from "#testing/database/older-store.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

export type OldDatabase = TestDatabase & {
  /** Brings the schema to today's. */
  readonly upgrade: () => Promise<void>;
};

/** A new database with the migrations up to this number. */
export async function databaseOf(lastMigration: number): Promise<OldDatabase> {
  const database = await testDatabase("empty");
  const { ownerUrl } = database;
  await migrateUpTo(ownerUrl, lastMigration);
  return {
    ...database,
    async upgrade() {
      await migrate({ ownerUrl, appRole });
    },
  };
}

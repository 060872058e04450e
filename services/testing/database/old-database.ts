// A database as an older version of the program left it, for tests of the next start.
import { appRole } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { migrateUpTo } from "#testing/database/older-store.ts";
import { filledOnce, type TestDatabase } from "#testing/database/test-database.ts";

export type OldDatabase = TestDatabase & {
  /** Applies the remaining migrations. */
  readonly upgrade: () => Promise<void>;
};

/** Makes new databases with the migrations up to this number. */
export function databasesOf(lastMigration: number): () => Promise<OldDatabase> {
  const make = filledOnce(({ ownerUrl }) => migrateUpTo(ownerUrl, lastMigration), "empty");
  return async () => {
    const database = await make();
    const { ownerUrl } = database;
    return {
      ...database,
      async upgrade() {
        await migrate({ ownerUrl, appRole });
      },
    };
  };
}

// The keys of commands that the program makes by itself. Callers of the API cannot choose one: its command would be lost.

/** The scope of commands about the store: all admins' together, and the program's own. */
export const STORE_SCOPE = "store";

/** How an import's keys begin. */
export const IMPORT_KEYS = "import:";

/** How the keys of accounts that are taken over from the old app begin. */
export const MIGRATION_KEYS = "migrate:";

/** The beginning of the program's own keys that this key has; undefined if anybody may choose it. */
export function ownBeginning(key: string): string | undefined {
  return [IMPORT_KEYS, MIGRATION_KEYS].find((beginning) => key.startsWith(beginning));
}

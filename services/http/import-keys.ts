// The keys under which an import writes its lines. Callers of the API cannot choose one.

/** The scope of commands about the store: all admins' together, and an import's. */
export const STORE_SCOPE = "store";

/** How an import's keys begin. */
export const IMPORT_KEYS = "import:";

// The identity tables that other features' queries may join, as Kysely sees them.
import type { ColumnType } from "kysely";

/** Read only for queries: identity's own SQL writes it. */
type Column<T> = ColumnType<T, never, never>;

export type ProfilesTable = {
  uid: Column<string>;
  email: Column<string | null>;
  display_name: Column<string | null>;
  username: Column<string | null>;
  role: Column<"user" | "admin">;
  deactivated_at: Column<Date | null>;
};

export type PayoutHandlesTable = {
  id: Column<string>;
  uid: Column<string>;
  method: Column<"cashapp" | "venmo">;
  handle: Column<string>;
  /** Null until a request with it was accepted. */
  last_used_at: Column<Date | null>;
};

export type NotesTable = {
  id: Column<string>;
  text: Column<string>;
  about_uid: Column<string>;
};

export type IdentityTables = {
  "identity.profiles": ProfilesTable;
  "identity.payout_handles": PayoutHandlesTable;
  "identity.notes": NotesTable;
};

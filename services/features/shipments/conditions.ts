// Where a shipment stands, as conditions on a row `s` of its table: its list and Today ask for the same.
import type { SqlBool } from "kysely";
import { sql } from "kysely";

const isUnmarked = sql<SqlBool>`(s.delivered_at is null and s.processed_at is null)`;

/** Its sender cannot send it yet. */
export const lacksLabel = sql<SqlBool>`(s.needs_label and s.label_id is null)`;

export const waitsForLabel = sql<SqlBool>`(${isUnmarked} and ${lacksLabel})`;
export const isOnItsWay = sql<SqlBool>`(${isUnmarked} and not ${lacksLabel})`;
export const waitsForIntake = sql<SqlBool>`(s.delivered_at is not null and s.processed_at is null)`;

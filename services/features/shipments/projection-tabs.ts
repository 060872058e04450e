// Which rows of read.shipments each tab of the list has, for the list and for what counts them elsewhere.
import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";
import type { ShipmentTab } from "#features/shipments/contract.ts";

/** The sender of a shipment `s` cannot send it yet. */
export const waitsForLabel = sql<SqlBool>`(s.needs_label and s.label_id is null)`;
const isUnmarked = sql<SqlBool>`(s.delivered_at is null and s.processed_at is null)`;

/** Of a shipment `s`. */
export const shipmentTabs: Readonly<Record<ShipmentTab, Expression<SqlBool>>> = {
  in_transit: sql`${isUnmarked} and not ${waitsForLabel}`,
  to_process: sql`s.delivered_at is not null and s.processed_at is null`,
  label: sql`${isUnmarked} and ${waitsForLabel}`,
  done: sql`s.processed_at is not null`,
};

// Reads for screens: lists with counts, CSV files, and one shipment with its items and history.
import type { Cell } from "#http/csv.ts";
import { pagesOf } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import type { EventExplanations } from "#features/histories.ts";
import type {
  ShipmentChange,
  ShipmentCounts,
  ShipmentItem,
  ShipmentView,
} from "#features/shipments/contract.ts";
import type { ShipmentFilters, ShipmentPage, ShipmentRow } from "#features/shipments/search.ts";
import { countShipments, itemsOfShipment, searchShipments } from "#features/shipments/search.ts";
import { shipmentStreamId, shortShipmentId, versionOfSaid } from "#features/shipments/streams.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import { readIn } from "#ledger/explain.ts";

const carrierNames = { USPS: "USPS", UPS: "UPS", FEDEX: "FedEx" } as const;

function carrierNameOf({ carrier, carrier_name: other }: ShipmentRow): string | null {
  return carrier === null || carrier === "OTHER" ? other : carrierNames[carrier];
}

function labelOf({ needs_label: isNeeded, label_id: labelId }: ShipmentRow): ShipmentView["label"] {
  if (labelId !== null) {
    return "ready";
  }
  return isNeeded ? "requested" : "none";
}

const yesNo = (is: boolean) => (is ? "yes" : "no");

export function viewOf(row: ShipmentRow): ShipmentView {
  return {
    id: row.shipment_id,
    shortId: shortShipmentId(row.shipment_id),
    consignorID: row.consignor_uid,
    displayName: row.consignor_name ?? row.consignor_uid ?? "Unknown sender",
    username: row.username,
    carrier: row.carrier,
    carrierName: carrierNameOf(row),
    trackingNumber: row.tracking_number,
    contents: row.contents,
    declaredUnits: row.declared_units,
    timestamp: row.submitted_at.toISOString(),
    delivered: yesNo(row.delivered_at !== null),
    processed: yesNo(row.processed_at !== null),
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    processedAt: row.processed_at?.toISOString() ?? null,
    receivedUnits: row.received_units,
    refusedUnits: row.refused_units ?? 0,
    reason: row.reason,
    intakeUnits: row.intake_units,
    label: labelOf(row),
    box: row.boxes.of > 1 ? row.boxes : null,
    version: versionOfSaid({
      textId: row.text_id,
      carrier: row.carrier,
      declaredUnits: row.declared_units,
      needsLabel: row.needs_label,
    }),
  };
}

export type ShipmentList = {
  readonly shipments: ShipmentView[];
  readonly totals: ShipmentCounts;
  readonly nextCursor: string | null;
};

export async function readShipments(
  reads: Reads,
  filters: ShipmentFilters,
  page: ShipmentPage,
): Promise<ShipmentList> {
  const [found, totals] = await Promise.all([
    readPage(reads, filters, page),
    countShipments(reads, filters.uid),
  ]);
  return { ...found, totals };
}

async function readPage(reads: Reads, filters: ShipmentFilters, page: ShipmentPage) {
  const { rows, nextCursor } = await searchShipments(reads, filters, page);
  return { shipments: rows.map(viewOf), nextCursor };
}

/** The status in the sales history: "delivered" if both flags are set. */
export function statusOf({ delivered, processed }: ShipmentView) {
  if (delivered === "yes") {
    return "delivered";
  }
  return processed === "yes" ? "processed" : "pending";
}

export const SHIPMENT_CSV_HEAD = [
  "Submitted at",
  "Shipment",
  "Consignor",
  "Carrier",
  "Tracking number",
  "Contents",
  "Declared",
  "Delivered at",
  "Processed at",
  "Received",
  "Refused",
  "Reason",
  "Label",
  "Shipment id",
] as const;

const EXPORT_BATCH = 1000;

/** Every shipment that matches the filters, newest first, in batches of CSV lines. */
export async function* exportShipments(
  reads: Reads,
  filters: ShipmentFilters,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  const pages = pagesOf((cursor) =>
    readPage(reads, filters, { sort: undefined, order: "desc", cursor, limit: EXPORT_BATCH }),
  );
  for await (const { shipments } of pages) {
    yield shipments.map((shipment) => [
      shipment.timestamp,
      shipment.shortId,
      shipment.displayName,
      shipment.carrierName,
      shipment.trackingNumber,
      shipment.contents,
      shipment.declaredUnits,
      shipment.deliveredAt,
      shipment.processedAt,
      shipment.receivedUnits,
      shipment.refusedUnits,
      shipment.reason,
      shipment.label,
      shipment.id,
    ]);
  }
}

export async function readItems(reads: Reads, shipmentId: string): Promise<ShipmentItem[]> {
  const rows = await itemsOfShipment(reads, shipmentId);
  return rows.map((row) => ({
    itemId: row.item_id,
    itemName: row.item_name,
    barcode1: row.barcode1,
    units: row.units,
  }));
}

type HistoryDeps = {
  readonly reads: Reads;
  readonly explanations: EventExplanations;
  readonly profiles: Profiles;
  readonly notes: Notes;
};

/** "Shipment 3F2A91BC delivered" → "Delivered": its own history does not repeat the id. */
function aboutItself(sentence: string, shipmentId: string): string {
  const rest = sentence.replace(`Shipment ${shortShipmentId(shipmentId)} `, "");
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

const MAX_CHANGES = 200;

/** A shipment's history, newest first. Mass inputs are left out: they are shown as its items. */
export async function readChanges(
  { reads, explanations, profiles, notes }: HistoryDeps,
  shipmentId: string,
  asked: { readonly consignorId: string | null; readonly forAdmin: boolean },
): Promise<ShipmentChange[]> {
  const rows = await reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["e.position", "e.type", "e.schema_version", "e.data", "e.actor", "e.happened_at"])
    .where("s.stream_id", "=", shipmentStreamId(shipmentId))
    .where("e.type", "like", "Shipment%")
    .orderBy("s.version", "desc")
    .limit(MAX_CHANGES)
    .execute();
  const noText = { isKept: false, before: null, after: null };
  const said = rows.flatMap((row) => {
    const { type, schema_version: schemaVersion, data } = row;
    const words = readIn(explanations, "user", { type, schemaVersion, data }, noText)?.words;
    return words === undefined ? [] : [{ row, words }];
  });
  const [names, texts] = await Promise.all([
    profiles.displayNames(said.map(({ row }) => row.actor)),
    notes.findMany(said.flatMap(({ words }) => (words.noteId === null ? [] : [words.noteId]))),
  ]);
  return said.map(({ row, words }) => ({
    position: row.position,
    description: aboutItself(words.description, shipmentId),
    by: row.actor === asked.consignorId ? "consignor" : "store",
    actor: asked.forAdmin ? (names.get(row.actor) ?? row.actor) : null,
    note: words.noteId === null ? null : (texts.get(words.noteId) ?? null),
    happenedAt: row.happened_at.toISOString(),
  }));
}

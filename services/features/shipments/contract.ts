// Requests and responses of the calls about shipments.
import * as z from "zod/mini";
import {
  pageLimit,
  placeCursor,
  searchText,
  text,
  uid,
  uuid,
  visibleLine,
  wholeCount,
} from "#ledger/fields.ts";

export const carriers = ["USPS", "UPS", "FEDEX", "OTHER"] as const;
export const carrier = z.enum(carriers, "Please select a carrier");
export type Carrier = z.infer<typeof carrier>;

/** The carrier name of goods that somebody brings to the store. The store gives them a number. */
export const DROP_OFF = "Drop-off";

const messages = {
  carrier: "Please select a carrier",
  carrierName: "Please enter carrier name",
  trackingNumber: "Please enter tracking number",
} as const;

const trackingNumber = visibleLine(0, 60, messages.trackingNumber, "A tracking number");

const said = {
  /** Optional only if a label is requested. */
  carrier: z.optional(carrier),
  /** For OTHER. "Drop-off" needs no tracking number. */
  carrierName: z.optional(text(0, 60, messages.carrierName)),
  trackingNumber: z.optional(trackingNumber),
  /** The consignor's description of what is inside. */
  contents: z.optional(text(0, 1000, "At most 1000 characters")),
  declaredUnits: z.optional(z.nullable(wholeCount(1, "At least one unit, or none at all"))),
  needsLabel: z.optional(z.boolean()),
};

type Said = {
  readonly carrier?: Carrier | undefined;
  readonly carrierName?: string | undefined;
  readonly trackingNumber?: string | undefined;
  readonly needsLabel?: boolean | undefined;
};

/** Whether somebody brings it to the store, which then gives it a number. */
export function isDropOff({ carrier: chosen, carrierName }: Said): boolean {
  return chosen === "OTHER" && carrierName?.trim().toLowerCase() === DROP_OFF.toLowerCase();
}

/** The missing fields with their messages, in their order on the form. Screens use it too. */
export function missingIn(form: Said): readonly (readonly [field: string, message: string])[] {
  const isAskingForLabel = form.needsLabel === true;
  const isEmpty = (text = "") => text.trim() === "";
  const isMissing = {
    carrier: form.carrier === undefined && !isAskingForLabel,
    carrierName: form.carrier === "OTHER" && isEmpty(form.carrierName),
    trackingNumber: isEmpty(form.trackingNumber) && !isDropOff(form) && !isAskingForLabel,
  };
  const fields = ["carrier", "carrierName", "trackingNumber"] as const;
  return fields.filter((field) => isMissing[field]).map((field) => [field, messages[field]]);
}

const isComplete = z.check<Said>(({ value, issues }) => {
  for (const [field, message] of missingIn(value)) {
    issues.push({ code: "custom", message, input: value, path: [field] });
  }
});

/** PATCH /shipments/{userId}/{shipmentId}: replaces everything. */
export const shipmentRequest = z
  .strictObject({
    ...said,
    /** The `version` that the form was filled from: 409 `shipment_changed` if it was changed since. */
    expectedVersion: z.optional(z.string().check(z.maxLength(100))),
  })
  .check(isComplete);
export type ShipmentRequest = z.input<typeof shipmentRequest>;

/** The id of the first box, if several are announced together. */
const boxOf = z.optional(uuid);

/** POST /shipments/{userId} */
export const submitShipmentRequest = z.strictObject({ ...said, boxOf }).check(isComplete);
export type SubmitShipmentRequest = z.input<typeof submitShipmentRequest>;

/** POST /shipments/admin: for any consignor, or without `consignorID` for an unknown sender. */
export const adminShipmentRequest = z
  .strictObject({ ...said, boxOf, consignorID: z.optional(uid) })
  .check(isComplete);
export type AdminShipmentRequest = z.input<typeof adminShipmentRequest>;

/** POST /shipments/admin/{id}/consignor: who sent a shipment that was entered without a sender. */
export const assignShipmentRequest = z.strictObject({ consignorID: uid });
export type AssignShipmentRequest = z.input<typeof assignShipmentRequest>;

export const shipmentUserParams = z.strictObject({ userId: uid });
export const shipmentParams = z.strictObject({ userId: uid, shipmentId: uuid });
export const adminShipmentParams = z.strictObject({ id: uuid });
export const shipmentHistoryParams = z.strictObject({ id: uid });

const yesNo = z.enum(["yes", "no"], "Either yes or no");
export type YesNo = z.infer<typeof yesNo>;

/** PATCH /shipments/admin/{id}/status. The counts belong to `processed: "yes"`. */
export const shipmentStatusRequest = z
  .strictObject({
    delivered: z.optional(yesNo),
    processed: z.optional(yesNo),
    receivedUnits: z.optional(z.nullable(wholeCount(0, "At least 0"))),
    refusedUnits: z.optional(wholeCount(0, "At least 0")),
    /** Why units were refused. The consignor reads it. */
    reason: z.optional(text(0, 500, "At most 500 characters")),
  })
  .check(
    z.refine(
      ({ delivered, processed }) => delivered !== undefined || processed !== undefined,
      "Say what is to be marked: delivered or processed",
    ),
    z.refine(
      ({ processed, receivedUnits, refusedUnits, reason }) =>
        processed === "yes" ||
        (receivedUnits === undefined && refusedUnits === undefined && reason === undefined),
      { path: ["processed"], message: "Counts belong to a processed shipment" },
    ),
    z.refine(({ refusedUnits = 0, reason = "" }) => refusedUnits === 0 || reason !== "", {
      path: ["reason"],
      message: "Say why units are refused",
    }),
  );
export type ShipmentStatusRequest = z.input<typeof shipmentStatusRequest>;

/** POST /shipments/admin/{id}/label, multipart. */
export const shipmentLabelForm = z.strictObject({
  label: z.file("Please select a label file"),
  trackingNumber: trackingNumber.check(z.minLength(1, "Please enter a tracking number")),
  carrier: z.enum(["USPS", "UPS", "FEDEX"], "Please select a carrier"),
});

/** The answer of every call that changes a shipment. */
export const shipmentChangedResponse = z.object({
  message: z.string(),
  id: z.string(),
  /** What people call it. */
  shortId: z.string(),
  /** Set if another shipment has the same tracking number. */
  warning: z.nullable(z.string()),
});
export type ShipmentChangedResponse = z.infer<typeof shipmentChangedResponse>;

export const labelState = z.enum(["none", "requested", "ready"]);

export const shipmentView = z.object({
  id: z.string(),
  /** What people call it: eight characters. */
  shortId: z.string(),
  /** Null for an unknown sender. */
  consignorID: z.nullable(z.string()),
  displayName: z.string(),
  username: z.nullable(z.string()),
  /** Null until the label is uploaded. */
  carrier: z.nullable(z.enum(carriers)),
  /** "FedEx", or what the consignor wrote for OTHER; null without a carrier, or if it was erased. */
  carrierName: z.nullable(z.string()),
  trackingNumber: z.nullable(z.string()),
  contents: z.nullable(z.string()),
  declaredUnits: z.nullable(z.int()),
  /** When it was submitted, ISO 8601. */
  timestamp: z.string(),
  delivered: yesNo,
  processed: yesNo,
  deliveredAt: z.nullable(z.string()),
  processedAt: z.nullable(z.string()),
  /** Null if nobody counted. */
  receivedUnits: z.nullable(z.int()),
  refusedUnits: z.int(),
  /** Why units were refused. */
  reason: z.nullable(z.string()),
  /** Units taken in from it so far. */
  intakeUnits: z.int(),
  label: labelState,
  /** "Box 2 of 3" of those announced together; null for a single box. */
  box: z.nullable(z.object({ nth: z.int(), of: z.int() })),
  /** Of what its sender said of it: another one after each change of that. */
  version: z.string(),
});
export type ShipmentView = z.infer<typeof shipmentView>;

/** What shipments can be sorted by. Ties are sorted by submission time, in the same direction. */
export const shipmentSort = z.enum(["date", "consignor", "carrier", "status", "units"]);
export type ShipmentSort = z.infer<typeof shipmentSort>;

/** in_transit: neither flag, and no label is missing; label: its sender waits for one; to_process: delivered only; done: processed. */
export const shipmentTab = z.enum(["in_transit", "to_process", "label", "done"]);
export type ShipmentTab = z.infer<typeof shipmentTab>;

const paging = {
  /** Newest first without it, whatever `order` says. A cursor belongs to the sort it was made under. */
  sort: z.optional(shipmentSort),
  order: z._default(z.enum(["asc", "desc"]), "asc"),
  /** `nextCursor` of the page before. */
  cursor: placeCursor,
  limit: pageLimit(50, 200),
};

const filters = {
  tab: z.optional(shipmentTab),
  /** Part of a tracking number, a carrier name, the contents or a short id; for admins also of a consignor's name. */
  q: z.optional(searchText(100, "At most 100 characters")),
};

const adminFilters = {
  ...filters,
  /** Also include those that are delivered and processed. Ignored if `tab` is set. */
  showCompleted: z._default(z.enum(["true", "false"]), "false"),
  /** One consignor's. */
  consignor: z.optional(uid),
};

/** GET /shipments/admin/all. */
export const adminShipmentsQuery = z.strictObject({ ...adminFilters, ...paging });
export const adminShipmentsExportQuery = z.strictObject(adminFilters);

/** GET /shipments/{userId}. */
export const shipmentsQuery = z.strictObject({ ...filters, ...paging });
export const shipmentsExportQuery = z.strictObject(filters);

export const shipmentCounts = z.object({
  inTransit: z.int(),
  toProcess: z.int(),
  labelsRequested: z.int(),
  done: z.int(),
  /** Delivered and processed. */
  completed: z.int(),
});
export type ShipmentCounts = z.infer<typeof shipmentCounts>;

export const adminShipmentsResponse = z.object({
  shipments: z.array(shipmentView),
  /** Of all shipments, independent of page and filters. */
  totals: shipmentCounts,
  nextCursor: z.nullable(z.string()),
});
export type AdminShipmentsResponse = z.infer<typeof adminShipmentsResponse>;

/** The address a consignor sends goods to. */
export const shipTo = z.object({
  /** The store's address, line by line; null until the store enters one. */
  lines: z.nullable(z.array(z.string())),
  /** The last eight characters of the uid, in capitals. It is part of the address. */
  shortId: z.string(),
});
export type ShipTo = z.infer<typeof shipTo>;

export const shipmentsResponse = z.object({
  shipments: z.array(shipmentView),
  totals: shipmentCounts,
  shipTo,
  nextCursor: z.nullable(z.string()),
});
export type ShipmentsResponse = z.infer<typeof shipmentsResponse>;

/** GET /sales/shipments/{id}: the same shipments with the field names of the sales history. */
export const shipmentHistoryResponse = z.object({
  shipments: z.array(
    z.extend(shipmentView, {
      shippedDate: z.string(),
      /** "delivered" if both flags are set. */
      status: z.enum(["pending", "processed", "delivered"]),
    }),
  ),
  totals: shipmentCounts,
  nextCursor: z.nullable(z.string()),
});
export type ShipmentHistoryResponse = z.infer<typeof shipmentHistoryResponse>;
export type ShippedShipment = ShipmentHistoryResponse["shipments"][number];

/** An item that came out of a shipment. */
export const shipmentItem = z.object({
  itemId: z.string(),
  itemName: z.string(),
  barcode1: z.string(),
  /** Units taken in from this shipment. */
  units: z.int(),
});

export const shipmentChange = z.object({
  position: z.int(),
  /** "Processed, 10 units received" */
  description: z.string(),
  /** Who did it: the consignor or the store. */
  by: z.enum(["consignor", "store"]),
  /** For admins; null for the consignor. */
  actor: z.nullable(z.string()),
  note: z.nullable(z.string()),
  happenedAt: z.string(),
});

/** GET /shipments/{userId}/{shipmentId} and, for admins, GET /shipments/admin/{id}. */
export const shipmentDetailResponse = z.object({
  shipment: shipmentView,
  shipTo: z.nullable(shipTo),
  items: z.array(shipmentItem),
  /** Newest first. */
  changes: z.array(shipmentChange),
});
export type ShipmentDetailResponse = z.infer<typeof shipmentDetailResponse>;
export type ShipmentItem = z.infer<typeof shipmentItem>;
export type ShipmentChange = z.infer<typeof shipmentChange>;

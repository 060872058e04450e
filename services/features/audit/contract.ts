// Requests and responses of the audit log: a page of events, and everything about one event. Money is in dollars.
import * as z from "zod/mini";
import { pageLimit, searchText, uid, uuid, periodEnd } from "#ledger/fields.ts";

const POSITION_MESSAGE = "A position is a whole number from 1 on";
const position = z.pipe(
  z.string(POSITION_MESSAGE).check(z.regex(/^[1-9][0-9]{0,14}$/u, POSITION_MESSAGE)),
  z.transform(Number),
);

/** The kinds of things that have a history of their own, as filters and as links. */
export const thingKinds = ["item", "sale", "payout", "trade", "shipment"] as const;
export type ThingKind = (typeof thingKinds)[number];

/** What events are about, for filters and icons. */
export const auditGroups = [
  "sale",
  "payout",
  "money",
  "item",
  "trade",
  "shipment",
  "user",
  "closing",
  "store",
  "operations",
  "other",
] as const;
export type AuditGroup = (typeof auditGroups)[number];

const actor = z
  .string()
  .check(z.regex(/^(?:system:[\w:.-]{1,100}|[!-9;-?A-~]{20,128})$/u, "This is not an actor"));

/**
 * GET /audit/events. All filters must match. Times are those of recording: the log's order is theirs. `q` finds ids,
 * codes, names and amounts.
 */
export const auditQuery = z.strictObject({
  person: z.optional(uid),
  item: z.optional(uuid),
  sale: z.optional(uuid),
  payout: z.optional(uuid),
  trade: z.optional(uuid),
  shipment: z.optional(uuid),
  /** Event types, separated by commas. */
  type: z.optional(
    z
      .string()
      .check(
        z.maxLength(2_000),
        z.regex(/^[A-Za-z]+(?:,[A-Za-z]+)*$/u, "Types are names, separated by commas"),
      ),
  ),
  /** All types of one group. */
  group: z.optional(z.enum(auditGroups)),
  actor: z.optional(actor),
  /** Only events that post to this account of the store or of the world outside; for admins. */
  account: z.optional(
    z
      .string()
      .check(z.regex(/^(?:store|world):[a-z-]{1,40}$/u, "This is not an account of the store")),
  ),
  /** Only what admins entered on their own accounts; of sales only those at another share than the usual one, or at one that was raised lately. */
  ownAccount: z.optional(z.literal("yes")),
  /** Recorded at or after; a day is the store's. */
  from: z.optional(periodEnd),
  /** Recorded before, or on this day of the store. */
  to: z.optional(periodEnd),
  fromPosition: z.optional(position),
  toPosition: z.optional(position),
  q: z.optional(searchText(200, "At most 200 characters")),
  order: z._default(z.enum(["newest", "oldest"], "Either newest or oldest first"), "newest"),
  /** `nextCursor` of the page before. */
  cursor: z.optional(position),
  limit: pageLimit(50, 200),
});
export type AuditQuery = z.infer<typeof auditQuery>;

/** GET /audit/events/export: the same filters and order, as a CSV file. */
export const auditExportQuery = z.omit(auditQuery, { cursor: true, limit: true });
/** The filters that the list and the file share. */
export type AuditAsked = z.infer<typeof auditExportQuery>;

export const auditEventParams = z.strictObject({ position });

/** A person. Without a uid it is somebody whom the reader may not know: "Store", "Buyer". */
const person = z.object({ uid: z.nullable(z.string()), name: z.string() });

const thing = z.object({
  kind: z.enum([...thingKinds, "consignor", "user", "trader", "other"]),
  /** Empty for a stream without an id. */
  id: z.string(),
  /** "Desk lamp", "Avery", "3F2A91BC" */
  label: z.string(),
});
export type AuditThing = z.infer<typeof thing>;

const line = {
  position: z.int(),
  type: z.string(),
  /** What it was, in a sentence for people. */
  title: z.string(),
  /** For an icon. */
  group: z.enum(auditGroups),
  /** The first thing it is about; null if it is about none. */
  about: z.nullable(thing),
  actor: person,
  /** Whose money, goods or user it touches first; null if it touches nobody, and for consignors. */
  whom: z.nullable(person),
  /**
   * For admins the event's greatest posting, or with `account` what it changed of that account. For consignors what it
   * changed of their available balance: their amounts sum to it. Null if it moved no money.
   */
  amount: z.nullable(z.number()),
  happenedAt: z.string(),
  recordedAt: z.string(),
} as const;

const auditLine = z.object(line);
export type AuditLine = z.infer<typeof auditLine>;

const freshness = {
  stale: z.optional(z.boolean()),
  held: z.optional(z.int()),
} as const;

export const auditEventsResponse = z.object({
  events: z.array(auditLine),
  /** The next page's cursor; null on the last page. A page may have few events or none, and still a cursor. */
  nextCursor: z.nullable(z.string()),
  /** What the free text was understood as, in words: "Amount $12.34", "Consignor Avery". Empty without text. */
  understood: z.array(z.string()),
  ...freshness,
});
export type AuditEventsResponse = z.infer<typeof auditEventsResponse>;

const place = z.object({
  /** The account or holding in words: "Avery, available", "Customers". */
  label: z.string(),
  /** Its name in the log; null if the reader may not know it. */
  name: z.nullable(z.string()),
});

const change = z.object({
  /** "Location", "Available balance" */
  field: z.string(),
  /** Null if there was none. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type AuditChange = z.infer<typeof change>;

const said = z.object({
  /** "Register", "Channel" */
  field: z.string(),
  value: z.string(),
});
export type AuditSaid = z.infer<typeof said>;

const neighbor = z.nullable(z.int());

const extended = z.object({
  /** Its name in the log; null if the reader may not know it. */
  stream: z.nullable(z.string()),
  thing,
  /** The number of this event among the stream's events. */
  version: z.int(),
  /** What the event changed of the stream's state. */
  changes: z.array(change),
  /** The positions of the events before and after this one in the stream; null at its ends. */
  previous: neighbor,
  next: neighbor,
});
export type AuditStream = z.infer<typeof extended>;

const related = z.object({
  position: z.int(),
  type: z.string(),
  title: z.string(),
  happenedAt: z.string(),
});
export type AuditRelated = z.infer<typeof related>;

/** GET /audit/events/{position} */
export const auditEventResponse = z.object({
  event: z.object({
    ...line,
    id: z.string(),
    schemaVersion: z.int(),
    /** False if this program cannot read the event's data. */
    readable: z.boolean(),
    /** How the amount came about; empty if there is nothing to explain. */
    steps: z.array(z.object({ label: z.string(), amount: z.number() })),
    /** What else there is to say about it, one sentence each. */
    notes: z.array(z.string()),
    /** The given reason; null without one, if it was erased, or if the reader may not see it. */
    reason: z.nullable(z.string()),
    /** The payment handle that it names, or in words that it was erased; null if it names none. */
    handle: z.nullable(z.string()),
    /** The number of the transfer that a payout was paid with; null if nobody entered it, and for other events. */
    reference: z.nullable(z.string()),
    postings: z.array(z.object({ from: place, to: place, amount: z.number() })),
    movements: z.array(z.object({ from: place, to: place, units: z.int() })),
    /** For admins: what else it says, each plain field of its data that no stream shows. Empty for consignors. */
    said: z.array(said),
    streams: z.array(extended),
    /** What this event corrects, refunds, cancels or takes back. */
    corrects: z.array(related),
    correctedBy: z.array(related),
    /** Null if it is not the reader's own call. */
    command: z.nullable(
      z.object({
        /** "store" for admins, else the person who sent it. */
        scope: z.string(),
        key: z.string(),
        /** sha256 of the request, in hex; null if no answer is kept under the key. */
        requestHash: z.nullable(z.string()),
        /** All events of the call. */
        positions: z.array(z.int()),
      }),
    ),
    /** sha256 over all its fields, in hex. */
    fieldHash: z.string(),
    /** The link to the event before: that event's hash. */
    previousHash: z.string(),
    /** sha256 over the link, position, time of recording and field hash. */
    hash: z.string(),
    /** The events before and after it in the log, as far as the reader may see them. */
    previous: neighbor,
    next: neighbor,
  }),
  ...freshness,
});
export type AuditEventResponse = z.infer<typeof auditEventResponse>;
export type AuditEvent = AuditEventResponse["event"];

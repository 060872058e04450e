// Requests and responses of the security log: a page of notes for admins, and a person's own.
import * as z from "zod/mini";
import { pageLimit, uid, periodEnd } from "#ledger/fields.ts";
import { securityKinds, securityOutcomes, type SecurityKind } from "#identity/security-kinds.ts";

const kindNames = Object.keys(securityKinds).filter(
  (name): name is SecurityKind => name in securityKinds,
);

/** A time and an id, as `nextCursor` says it. */
const cursor = z
  .string()
  .check(
    z.regex(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u,
      "This is not a cursor",
    ),
  );

/** GET /security/log. All filters must match. */
export const securityLogQuery = z.strictObject({
  kind: z.optional(z.enum(kindNames, "There is no such kind")),
  outcome: z.optional(z.enum(securityOutcomes, "There is no such outcome")),
  /** Whose account it is about, or who did it. */
  person: z.optional(uid),
  /** Noted at or after; a day is the store's. */
  from: z.optional(periodEnd),
  /** Noted before, or on this day of the store. */
  to: z.optional(periodEnd),
  cursor: z.optional(cursor),
  limit: pageLimit(50, 200),
});
export type SecurityLogQuery = z.infer<typeof securityLogQuery>;

/** GET /security/log/export: the same filters, as a CSV file. */
export const securityExportQuery = z.omit(securityLogQuery, { cursor: true, limit: true });
export type SecurityFilters = z.infer<typeof securityExportQuery>;

/** GET /security/log/own */
export const ownSecurityQuery = z.strictObject({
  cursor: z.optional(cursor),
  limit: pageLimit(10, 50),
});

const person = z.object({ uid: z.string(), name: z.string() });

const seen = {
  id: z.string(),
  kind: z.enum(kindNames),
  outcome: z.enum(securityOutcomes),
  /** How often, within ten minutes. */
  count: z.int(),
  /** The first and the last time. Lists go by the first one, the newest first. */
  notedAt: z.string(),
  lastAt: z.string(),
  /** Null if it is not known, or if there were several. Own notes do not tell an admin's. */
  address: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
} as const;

const note = z.object({
  ...seen,
  /** Whose account it is about; null for strangers. */
  person: z.nullable(person),
  /** Who did it to somebody else's account. */
  by: z.nullable(person),
  /** The same text for the same email that a stranger typed; null if there was none, or if there were several. */
  email: z.nullable(z.string()),
  /** What the address belongs to: an IPv4 address, a /48, or "others" where there were too many. */
  network: z.string(),
  /** "google", or the call that was refused. */
  detail: z.nullable(z.string()),
});
export type ListedNote = z.infer<typeof note>;

/** Where it came from: a /48 instead of one of its many addresses. Null if there were too many networks. */
export function sourceIn({
  address,
  network,
}: Pick<ListedNote, "address" | "network">): string | null {
  return address ?? (network === "others" || network === "none" ? null : network);
}

/** "Avery", "Avery, by Boss", "Stranger" */
export function accountIn({ person: whom, by, email }: ListedNote): string {
  if (whom === null) {
    return email === null ? "Stranger" : `Unknown email ${email}`;
  }
  return by === null ? whom.name : `${whom.name}, by ${by.name}`;
}

export const securityLogResponse = z.object({
  notes: z.array(note),
  /** Null on the last page. */
  nextCursor: z.nullable(z.string()),
});
export type SecurityLogResponse = z.infer<typeof securityLogResponse>;

const ownNote = z.object({
  ...seen,
  /** True if an admin did it. */
  byStore: z.boolean(),
  /** The file that the person saved and its size; null for everything else. */
  file: z.nullable(z.string()),
});
export type OwnNote = z.infer<typeof ownNote>;

export const ownSecurityResponse = z.object({
  notes: z.array(ownNote),
  nextCursor: z.nullable(z.string()),
});
export type OwnSecurityResponse = z.infer<typeof ownSecurityResponse>;

// Addresses in the audit log, for links from records.
import { paths } from "#web/paths.ts";

/** What the audit log can be filtered by, or one event in it. */
export type AuditTarget = Partial<
  Record<"item" | "sale" | "payout" | "trade" | "shipment" | "person", string>
> & { readonly position?: number };

/** The audit log of one thing, or with one event open; with `isOwn` that of a consignor. */
export function auditPath(target: AuditTarget, isOwn = false): string {
  const query = Object.entries(target).map(([name, value]) => `${name}=${value}`);
  return `${isOwn ? paths.ownAudit : paths.audit}?${query.join("&")}`;
}

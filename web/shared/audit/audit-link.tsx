// The way from a record to what the log says about it.
import { auditPath, type AuditTarget } from "./audit-path.ts";
import { TextLink } from "#web/ui/text-link.tsx";

type AuditLinkProps = {
  readonly to: AuditTarget;
  /** True for a consignor's own log. */
  readonly isOwn?: boolean;
};

export function AuditLink({ to, isOwn = false }: AuditLinkProps) {
  return <TextLink to={auditPath(to, isOwn)}>Show in audit log</TextLink>;
}

// The way from a record to what the log says about it.
import { Link } from "react-router-dom";
import { auditPath, type AuditTarget } from "./audit-path.ts";

type AuditLinkProps = {
  readonly to: AuditTarget;
  /** True for a consignor's own log. */
  readonly isOwn?: boolean;
};

export function AuditLink({ to, isOwn = false }: AuditLinkProps) {
  return (
    <Link
      to={auditPath(to, isOwn)}
      className="inline-flex min-h-6 items-center text-accent hover:underline"
    >
      Show in audit log
    </Link>
  );
}

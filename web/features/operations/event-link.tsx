// An event's position as a link to the event in the audit log.
import { Link } from "react-router-dom";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { formatCount } from "#web/lib/formats.ts";
import { Unknown } from "#web/ui/unknown.tsx";

export function EventLink({ position }: { readonly position: number }) {
  // Rows without a position say nothing about events.
  return position === 0 ? (
    <Unknown reason="these rows name no event" />
  ) : (
    <Link
      to={auditPath({ position })}
      aria-label={`Event ${formatCount(position)} in the audit log`}
      className="text-accent tabular-nums hover:underline"
    >
      {formatCount(position)}
    </Link>
  );
}

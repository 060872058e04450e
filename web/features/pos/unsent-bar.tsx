// On all other admin screens: sales of this till that the ledger does not have yet. While it is shown, they are sent.
import { CloudUpload } from "lucide-react";
import { useEffect } from "react";
import { Link } from "react-router-dom";
import { formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/icon.tsx";
import { followQueue } from "./outbox.ts";
import type { UnsentCount } from "#web/shared/till/unsent.ts";

export function UnsentBar({ waiting, refused }: UnsentCount) {
  useEffect(() => followQueue(), []);
  const parts = [
    ...(waiting === 0 ? [] : [`${formatQuantity(waiting, "line")} not sent yet`]),
    ...(refused === 0 ? [] : [`${formatQuantity(refused, "line")} taken, not booked`]),
  ];
  return (
    <output className="flex min-h-10 flex-wrap items-center gap-x-2 border-b border-border bg-pending-tint px-6 py-1 text-pending no-print max-sm:px-4">
      <Icon of={CloudUpload} />
      <span className="font-medium">{`Point of sale: ${parts.join(", ")}`}</span>
      <Link to={paths.pos} className="ms-auto font-medium underline underline-offset-2">
        Open POS
      </Link>
    </output>
  );
}

// Above every screen while the store cannot be reached: the data on screen stays, but is not updated.
import { WifiOff } from "lucide-react";
import { formatSeconds } from "#web/lib/formats.ts";
import { useConnection } from "#web/lib/use-connection.ts";
import { Icon } from "#web/ui/icon.tsx";

export function OfflineBar() {
  const connection = useConnection();
  return connection === "connected" ? null : (
    <output className="flex min-h-10 items-center gap-2 border-b border-border bg-pending-tint px-6 py-1 text-pending no-print max-sm:px-4">
      <Icon of={WifiOff} />
      <span>
        {connection === "offline"
          ? "You're offline."
          : `The server has not answered since ${formatSeconds(new Date(connection))}.`}{" "}
        Showing the last data; reconnecting automatically.
      </span>
    </output>
  );
}

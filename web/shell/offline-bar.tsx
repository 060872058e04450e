// Above every screen while the browser is offline: the data on screen stays, but is not updated.
import { WifiOff } from "lucide-react";
import { useOnline } from "#web/lib/use-online.ts";
import { Icon } from "#web/ui/icon.tsx";

export function OfflineBar() {
  const isOnline = useOnline();
  return isOnline ? null : (
    <output className="flex min-h-10 items-center gap-2 border-b border-border bg-pending-tint px-6 py-1 text-pending no-print max-sm:px-4">
      <Icon of={WifiOff} />
      <span>You're offline. Showing the last data; reconnecting automatically.</span>
    </output>
  );
}

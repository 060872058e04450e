// Above every screen while the browser is offline: the data on screen stays, but is not updated.
import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Icon } from "#web/ui/icon.tsx";

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return isOnline ? null : (
    <output className="flex min-h-10 items-center gap-2 border-b border-border bg-pending-tint px-6 py-1 text-pending no-print max-sm:px-4">
      <Icon of={WifiOff} />
      <span>You're offline. Showing the last data; reconnecting automatically.</span>
    </output>
  );
}

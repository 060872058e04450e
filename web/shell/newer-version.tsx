// Above every screen of a page that is older than the store. It never reloads by itself: a form may be open.
import { useSyncExternalStore } from "react";
import { isOlderPage, whenOlderPage } from "#web/lib/page-age.ts";
import { onDemand } from "#web/ui/on-demand.tsx";

const Line = onDemand(
  () => import("./newer-version-line.tsx").then((file) => file.NewerVersionLine),
  { ifMissing: "fallback" },
);

export function NewerVersion() {
  return useSyncExternalStore(whenOlderPage, isOlderPage) ? <Line /> : null;
}

// Below a person's sales or payouts: those of the old app. People who had no account there load and read nothing.
import type { PastKind } from "#features/migration/contract-past.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const OldAppList = onDemand(() => import("./old-app-list.tsx").then((file) => file.OldAppList), {
  ifMissing: "fallback",
});

type OldAppPartProps = { readonly uid: string; readonly kind: PastKind };

export function OldAppPart({ uid, kind }: OldAppPartProps) {
  const reader = useProfile();
  const hasNone = reader.uid === uid && reader.migratedFrom === null;
  return hasNone ? null : <OldAppList uid={uid} kind={kind} />;
}

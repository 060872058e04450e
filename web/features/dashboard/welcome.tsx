// What the dashboard asks for before anything else: a username where there is none, then a backup password where the address says so.
import { lazy, Suspense, useState } from "react";
import { useParams } from "#web/lib/search-param.ts";
import { useProfile } from "#web/lib/session.tsx";

const UsernameDialog = lazy(async () => ({
  default: (await import("../username/username-dialog.tsx")).UsernameDialog,
}));
const BackupPasswordDialog = lazy(async () => ({
  default: (await import("../backup-password/backup-password-dialog.tsx")).BackupPasswordDialog,
}));

/** Whoever said "Not now" is asked again at the next visit, not at the next screen. */
let putOffBy: string | undefined;

export function Welcome() {
  const { uid, username } = useProfile();
  const [params, setParams] = useParams();
  const [isPutOff, setPutOff] = useState(putOffBy === uid);
  if (username === null && !isPutOff) {
    return (
      <Suspense>
        <UsernameDialog
          current={null}
          onClose={() => {
            putOffBy = uid;
            setPutOff(true);
          }}
        />
      </Suspense>
    );
  }
  return params.get("setupPassword") === "true" ? (
    <Suspense>
      <BackupPasswordDialog
        leave="Skip for now"
        onClose={() => setParams({ setupPassword: undefined })}
      />
    </Suspense>
  ) : null;
}

// What the dashboard asks for first: a username if there is none, then a backup password if the address says so.
import { useState } from "react";
import { useParams } from "#web/lib/search-param.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const UsernameDialog = onDemand(() =>
  import("#web/shared/account/username-dialog.tsx").then((file) => file.UsernameDialog),
);
const BackupPasswordDialog = onDemand(() =>
  import("#web/shared/account/backup-password-dialog.tsx").then(
    (file) => file.BackupPasswordDialog,
  ),
);

/** After "Not now" the question returns on the next visit, not on the next screen. */
let putOffBy: string | undefined;

export function Welcome() {
  const { uid, username } = useProfile();
  const [params, setParams] = useParams();
  const [isPutOff, setPutOff] = useState(putOffBy === uid);
  if (username === null && !isPutOff) {
    return (
      <UsernameDialog
        current={null}
        onClose={() => {
          putOffBy = uid;
          setPutOff(true);
        }}
      />
    );
  }
  return params.get("setupPassword") === "true" ? (
    <BackupPasswordDialog
      leave="Skip for now"
      onClose={() => setParams({ setupPassword: undefined })}
    />
  ) : null;
}

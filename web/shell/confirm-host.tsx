// Opens the dialog that asks who somebody is whenever a call needs it, whichever screen sent the call.
import { useEffect, useState } from "react";
import { whenUnconfirmed } from "#web/lib/http.ts";
import { onDemand } from "#web/ui/on-demand.tsx";

const ConfirmIdentityDialog = onDemand(() =>
  import("#web/shared/account/confirm-identity-dialog.tsx").then(
    (file) => file.ConfirmIdentityDialog,
  ),
);

export function ConfirmHost() {
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();

  useEffect(() => {
    // Calls that are refused at the same time wait for one answer.
    let asked: Promise<boolean> | undefined;
    whenUnconfirmed(() => {
      asked ??= new Promise<boolean>((resolve) => {
        setAnswer(() => resolve);
      }).finally(() => {
        asked = undefined;
        setAnswer(undefined);
      });
      return asked;
    });
  }, []);

  return answer === undefined ? null : (
    <ConfirmIdentityDialog onConfirmed={() => answer(true)} onClose={() => answer(false)} />
  );
}

// Opens the dialogs that ask who somebody is: for a call that needs a confirmation, and for a sign-in's second step.
import { useEffect, useState, type ReactNode } from "react";
import type { SecondStep } from "#features/sign-in/contract.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { whenUnconfirmed } from "#web/lib/http.ts";
import { whenSecondStep } from "#web/lib/id-token.ts";
import { onDemand } from "#web/ui/on-demand.tsx";

const ConfirmIdentityDialog = onDemand(() =>
  import("#web/shared/account/confirm-identity-dialog.tsx").then(
    (file) => file.ConfirmIdentityDialog,
  ),
);
const SecondStepDialog = onDemand(() =>
  import("#web/shared/account/second-step-dialog.tsx").then((file) => file.SecondStepDialog),
);

export function ProofHost() {
  const [dialog, setDialog] = useState<ReactNode>(null);

  useEffect(() => {
    // Calls that are refused at the same time wait for one answer.
    let asked: Promise<boolean> | undefined;
    whenUnconfirmed(() => {
      asked ??= new Promise<boolean>((resolve) => {
        setDialog(
          <ConfirmIdentityDialog
            onConfirmed={() => resolve(true)}
            onClose={() => resolve(false)}
          />,
        );
      }).finally(() => {
        asked = undefined;
        setDialog(null);
      });
      return asked;
    });
    whenSecondStep((step: SecondStep) =>
      new Promise<Response>((resolve, reject) => {
        setDialog(
          <SecondStepDialog
            step={step}
            onTaken={resolve}
            onClose={() =>
              reject(
                new ApiError(
                  400,
                  "second_step_left",
                  "You are not signed in: the second step is missing.",
                ),
              )
            }
          />,
        );
      }).finally(() => setDialog(null)),
    );
  }, []);

  return dialog;
}

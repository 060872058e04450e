// How the person signs in: the password and the linked accounts.
import { useState } from "react";
import { messages, type AccountResponse } from "#features/sign-in/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { showToast } from "#web/ui/toast.ts";
import { requestPasswordReset } from "#web/shared/account/login-api.ts";
import { useAccount } from "#web/shared/account/account-api.ts";
import { Section } from "./section.tsx";

const BackupPasswordDialog = onDemand(() =>
  import("#web/shared/account/backup-password-dialog.tsx").then(
    (file) => file.BackupPasswordDialog,
  ),
);

const providerNames: Readonly<Record<string, string>> = { discord: "Discord", google: "Google" };

function Password({ account }: { readonly account: AccountResponse }) {
  const [isSetting, setSetting] = useState(false);
  const { email, hasPassword } = account;
  const change = useAction(async (address: string) => {
    await requestPasswordReset(address);
    showToast(messages.resetSent);
  });
  return (
    <div className="flex flex-col gap-2">
      <span className="flex flex-wrap items-center gap-2">
        {hasPassword ? <Chip kind="done">Set</Chip> : <Chip kind="neutral">Not set</Chip>}
        {hasPassword && email !== null ? (
          <TextButton disabled={change.isBusy} onClick={() => void change.run(email)}>
            {change.isBusy ? "Sending email..." : "Change by email"}
          </TextButton>
        ) : hasPassword ? null : (
          <TextButton
            onPointerEnter={BackupPasswordDialog.preload}
            onFocus={BackupPasswordDialog.preload}
            onClick={() => setSetting(true)}
          >
            Set up a backup password
          </TextButton>
        )}
      </span>
      <ErrorLine>{change.error?.message}</ErrorLine>
      {isSetting ? <BackupPasswordDialog leave="Cancel" onClose={() => setSetting(false)} /> : null}
    </div>
  );
}

export function SignInSection() {
  const account = useAccount();
  const { data } = account;
  if (data === undefined) {
    return (
      <Section title="Sign-in">
        {account.error === undefined ? (
          <Skeleton className="h-16" />
        ) : (
          <ErrorState
            title="How you sign in could not be loaded"
            error={account.error}
            onRetry={account.refresh}
          />
        )}
      </Section>
    );
  }
  return (
    <Section title="Sign-in">
      <FactList
        facts={[
          { label: "Password", value: <Password account={data} /> },
          ...data.providers.map(({ provider, linkedAt }) => ({
            label: providerNames[provider] ?? provider,
            value: (
              <span>
                Linked since <DateTime at={linkedAt} show="day" />
              </span>
            ),
          })),
          { label: "Signed in", value: <DateTime at={data.signedInAt} /> },
        ]}
      />
    </Section>
  );
}

// How the person signs in: the password, the linked accounts, and the second factors.
import { useState } from "react";
import { messages } from "#features/sign-in/contract.ts";
import { type AccountResponse } from "#features/sign-in/contract-account.ts";
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
import { ProviderLine, providerNames, type ProviderState } from "./provider-line.tsx";
import { Section } from "./section.tsx";

const BackupPasswordDialog = onDemand(() =>
  import("#web/shared/account/backup-password-dialog.tsx").then(
    (file) => file.BackupPasswordDialog,
  ),
);

const ChangePasswordDialog = onDemand(() =>
  import("#web/shared/factor/change-password-dialog.tsx").then((file) => file.ChangePasswordDialog),
);

const FactorPart = onDemand(
  () => import("#web/shared/factor/factor-part.tsx").then((file) => file.FactorPart),
  { fallback: <Skeleton className="h-20" />, ifMissing: "throw" },
);

const unlinkable = ["google", "discord"] as const;

/** Google and Discord as they are now, with their buttons, and other providers, which the store's operator links. */
function providerFacts({ providers, unlinkedProviders }: AccountResponse) {
  const known = unlinkable.flatMap((provider) => {
    const linked = providers.find((one) => one.provider === provider);
    const unlinked = unlinkedProviders.find((one) => one.provider === provider);
    const state: ProviderState | undefined =
      linked !== undefined
        ? { kind: "linked", at: linked.linkedAt, isOnlyWayIn: linked.isOnlyWayIn }
        : unlinked !== undefined
          ? { kind: "unlinked", at: unlinked.unlinkedAt }
          : undefined;
    return state === undefined
      ? []
      : [
          {
            label: providerNames[provider],
            value: <ProviderLine provider={provider} state={state} />,
          },
        ];
  });
  const others = providers.flatMap(({ provider, linkedAt }) =>
    unlinkable.some((one) => one === provider)
      ? []
      : [
          {
            label: provider,
            value: (
              <span>
                Linked since <DateTime at={linkedAt} show="day" />
              </span>
            ),
          },
        ],
  );
  return [...known, ...others];
}

function Password({ account }: { readonly account: AccountResponse }) {
  const [isSetting, setSetting] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const { email, hasPassword } = account;
  const change = useAction(async (address: string) => {
    await requestPasswordReset(address);
    showToast(messages.resetSent);
  });
  return (
    <div className="flex flex-col gap-2">
      <span className="flex flex-wrap items-center gap-x-4 gap-y-0">
        {hasPassword ? null : <Chip kind="neutral">Not set</Chip>}
        {hasPassword ? (
          <TextButton
            onPointerEnter={ChangePasswordDialog.preload}
            onFocus={ChangePasswordDialog.preload}
            onClick={() => setChanging(true)}
          >
            Change password
          </TextButton>
        ) : null}
        {hasPassword && email !== null ? (
          <TextButton disabled={change.isBusy} onClick={() => void change.run(email)}>
            {change.isBusy ? "Sending email..." : "Forgot it? Reset by email"}
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
      {isChanging ? <ChangePasswordDialog onClose={() => setChanging(false)} /> : null}
      {isSetting ? <BackupPasswordDialog leave="Cancel" onClose={() => setSetting(false)} /> : null}
    </div>
  );
}

export function SignInSection() {
  const account = useAccount();
  const { data } = account;
  if (data === undefined) {
    return (
      <Section title="Sign-in and security">
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
    <Section title="Sign-in and security">
      <FactList
        facts={[
          { label: "Password", value: <Password account={data} /> },
          ...providerFacts(data),
          { label: "Signed in", value: <DateTime at={data.signedInAt} /> },
        ]}
      />
      <div className="flex flex-col gap-3 border-t border-border pt-4">
        <div className="flex flex-col gap-1">
          <h3 className="font-semibold">Second factor</h3>
          <p className="text-muted">
            Asked for after your password, so that the password alone opens nothing. A passkey also
            signs you in by itself.
          </p>
        </div>
        <FactorPart />
      </div>
    </Section>
  );
}

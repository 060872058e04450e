// Google or Discord among the ways to sign in: since when it is linked or not, and unlinking it or allowing it again.
import { useState } from "react";
import type { UnlinkableProvider } from "#features/sign-in/contract-account.ts";
import { useAction } from "#web/lib/action.ts";
import { allowProvider, unlinkProvider } from "#web/shared/account/account-api.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { showToast } from "#web/ui/toast.ts";

const ConfirmDialog = onDemand(() =>
  import("#web/ui/confirm-dialog.tsx").then((file) => file.ConfirmDialog),
);

export const providerNames: Readonly<Record<UnlinkableProvider, string>> = {
  discord: "Discord",
  google: "Google",
};

export type ProviderState =
  | { readonly kind: "linked"; readonly at: string; readonly isOnlyWayIn: boolean }
  | { readonly kind: "unlinked"; readonly at: string };

type UnlinkDialogProps = {
  readonly provider: UnlinkableProvider;
  readonly isOnlyWayIn: boolean;
  readonly onClose: () => void;
};

function UnlinkDialog({ provider, isOnlyWayIn, onClose }: UnlinkDialogProps) {
  const name = providerNames[provider];
  const action = useAction(unlinkProvider);
  async function unlink(): Promise<void> {
    if ((await action.run(provider)) !== undefined) {
      onClose();
      showToast(`${name} unlinked`);
    }
  }
  return (
    <ConfirmDialog
      title={`Unlink ${name}?`}
      act={`Unlink ${name}`}
      busyAct="Unlinking..."
      keep={`Keep ${name}`}
      blocked={
        isOnlyWayIn
          ? `You could not sign in without ${name}. Set up a backup password first.`
          : undefined
      }
      isBusy={action.isBusy}
      error={action.error?.message}
      onAct={() => void unlink()}
      onKeep={onClose}
    >
      {name} no longer signs you in until you allow it again here, and every other device is signed
      out.
      {provider === "discord"
        ? " The store's messages still go to your Discord ID. You can remove it under Discord."
        : null}
    </ConfirmDialog>
  );
}

type ProviderLineProps = {
  readonly provider: UnlinkableProvider;
  readonly state: ProviderState;
};

export function ProviderLine({ provider, state }: ProviderLineProps) {
  const name = providerNames[provider];
  const [isAsking, setAsking] = useState(false);
  const allowing = useAction(async (input: UnlinkableProvider, key: string) => {
    await allowProvider(input, key);
    showToast(`${name} is linked again when you next sign in with it`);
  });
  const isLinked = state.kind === "linked";
  return (
    <div className="flex flex-col gap-2">
      <span className="flex flex-wrap items-center gap-x-4 gap-y-0">
        <span>
          {isLinked ? "Linked since " : "Unlinked on "}
          <DateTime at={state.at} show="day" />
        </span>
        {/* One button for both, so that the keyboard stays on it. */}
        <TextButton
          aria-label={isLinked ? `Unlink ${name}` : `Allow again: ${name}`}
          disabled={allowing.isBusy}
          onPointerEnter={ConfirmDialog.preload}
          onFocus={ConfirmDialog.preload}
          onClick={() => (isLinked ? setAsking(true) : void allowing.run(provider))}
        >
          {isLinked ? "Unlink" : allowing.isBusy ? "Allowing..." : "Allow again"}
        </TextButton>
      </span>
      <ErrorLine>{allowing.error?.message}</ErrorLine>
      {isAsking && state.kind === "linked" ? (
        <UnlinkDialog
          provider={provider}
          isOnlyWayIn={state.isOnlyWayIn}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}

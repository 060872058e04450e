// One's passkeys, authenticator app and recovery codes, with what can be added and removed.
import { KeyRound, Plus, Smartphone } from "lucide-react";
import { useState } from "react";
import type { FactorsResponse } from "#features/sign-in/contract-factors.ts";
import { useAction } from "#web/lib/action.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { AddTotpDialog } from "./add-totp-dialog.tsx";
import { newRecoveryCodes, removeFactor, useFactors } from "./factor-api.ts";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";

type ListedFactor = FactorsResponse["factors"][number];

type RemoveDialogProps = {
  readonly factor: ListedFactor;
  readonly isLast: boolean;
  readonly onClose: () => void;
};

function RemoveDialog({ factor, isLast, onClose }: RemoveDialogProps) {
  const action = useAction(removeFactor);
  async function remove(): Promise<void> {
    if ((await action.run(factor.id)) !== undefined) {
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title={`Remove ${factor.name}?`}
      act="Remove"
      busyAct="Removing..."
      keep={factor.kind === "totp" ? "Keep app" : "Keep passkey"}
      isBusy={action.isBusy}
      error={action.error?.message}
      onAct={() => void remove()}
      onKeep={onClose}
    >
      {isLast
        ? "It is your only second factor. Without it, your password alone signs you in, and your recovery codes stop working."
        : "It can no longer sign you in. Your other second factors still can."}
    </ConfirmDialog>
  );
}

function FactorLine({
  factor,
  canRemove,
  onRemove,
}: {
  readonly factor: ListedFactor;
  readonly canRemove: boolean;
  readonly onRemove: () => void;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <span className="flex min-w-0 items-center gap-2">
        <Icon of={factor.kind === "totp" ? Smartphone : KeyRound} className="text-muted" />
        <span className="flex min-w-0 flex-col gap-0.5">
          <span className="font-medium wrap-anywhere">{factor.name}</span>
          <span className="text-12 text-muted">
            Added <DateTime at={factor.addedAt} show="day" />
            {factor.lastUsedAt === null ? (
              ", not used yet"
            ) : (
              <>
                , last used <DateTime at={factor.lastUsedAt} />
              </>
            )}
          </span>
        </span>
      </span>
      {canRemove ? (
        <Button aria-label={`Remove ${factor.name}`} onClick={onRemove}>
          Remove
        </Button>
      ) : null}
    </li>
  );
}

function codesText(left: number): string {
  return left === 0
    ? "No recovery code is left."
    : `${left} recovery ${left === 1 ? "code is" : "codes are"} left.`;
}

function CodesLine({
  left,
  onMade,
}: {
  readonly left: number;
  readonly onMade: (codes: readonly string[]) => void;
}) {
  const making = useAction(newRecoveryCodes);
  async function make(): Promise<void> {
    const codes = await making.run(undefined);
    if (codes !== undefined) {
      onMade(codes);
    }
  }
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 text-12 text-muted">
        {codesText(left)}
        <TextButton disabled={making.isBusy} onClick={() => void make()}>
          Make new recovery codes
        </TextButton>
      </p>
      <ErrorLine>{making.error?.message}</ErrorLine>
    </>
  );
}

type Opened =
  | { readonly kind: "app" }
  | { readonly kind: "passkey" }
  | { readonly kind: "codes"; readonly codes: readonly string[] }
  | { readonly kind: "remove"; readonly factor: ListedFactor };

type FactorPartProps = {
  /** After a factor was added, and its recovery codes were kept. */
  readonly onAdded?: () => void;
};

export function FactorPart({ onAdded }: FactorPartProps) {
  const { data, error, refresh } = useFactors();
  const [opened, setOpened] = useState<Opened>();
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-20" />
    ) : (
      <ErrorState title="Your second factors could not be loaded" error={error} onRetry={refresh} />
    );
  }
  const { factors, recoveryCodesLeft, isRequired, canHavePasskeys } = data;
  const close = (): void => setOpened(undefined);

  function added({ recoveryCodes }: { readonly recoveryCodes: readonly string[] | null }): void {
    if (recoveryCodes === null) {
      close();
      onAdded?.();
    } else {
      setOpened({ kind: "codes", codes: recoveryCodes });
    }
  }

  return (
    <div className="flex flex-col gap-3">
      {factors.length === 0 ? null : (
        <ul className="-my-2 flex flex-col divide-y divide-border">
          {factors.map((factor) => (
            <FactorLine
              key={factor.id}
              factor={factor}
              canRemove={!isRequired || factors.length > 1}
              onRemove={() => setOpened({ kind: "remove", factor })}
            />
          ))}
        </ul>
      )}
      <span className="flex flex-wrap gap-2 max-sm:flex-col">
        {canHavePasskeys ? (
          <Button icon={Plus} onClick={() => setOpened({ kind: "passkey" })}>
            Add a passkey
          </Button>
        ) : null}
        {factors.some(({ kind }) => kind === "totp") ? null : (
          <Button icon={Plus} onClick={() => setOpened({ kind: "app" })}>
            Add an authenticator app
          </Button>
        )}
      </span>
      {canHavePasskeys ? null : (
        <p className="text-12 text-muted">
          Passkeys need an address with a name. Open the app as localhost or by its domain.
        </p>
      )}
      {factors.length === 0 ? null : (
        <CodesLine
          left={recoveryCodesLeft}
          onMade={(codes) => setOpened({ kind: "codes", codes })}
        />
      )}
      {opened?.kind === "app" ? <AddTotpDialog onAdded={added} onClose={close} /> : null}
      {opened?.kind === "passkey" ? <AddPasskeyDialog onAdded={added} onClose={close} /> : null}
      {opened?.kind === "remove" ? (
        <RemoveDialog factor={opened.factor} isLast={factors.length === 1} onClose={close} />
      ) : null}
      {opened?.kind === "codes" ? (
        <RecoveryCodesDialog
          codes={opened.codes}
          onClose={() => {
            close();
            onAdded?.();
          }}
        />
      ) : null}
    </div>
  );
}

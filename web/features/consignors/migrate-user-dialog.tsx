// Migrates what one person had in the old app. If the match is uncertain, an admin decides.
import { useState } from "react";
import type { MigrateUserResponse } from "#features/migration/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { showToast } from "#web/ui/toast.ts";
import { migrateUser } from "./consignors-api.ts";
import { holdingsText } from "./holdings.ts";

type MigrateUserDialogProps = {
  readonly user: { readonly uid: string; readonly name: string; readonly email: string | null };
  readonly onClose: () => void;
};

type Found = MigrateUserResponse["legacy"][number];

function nameOf({ displayName, username, email, legacyId }: Found): string {
  return displayName ?? username ?? email ?? legacyId;
}

function Review({
  answer,
  name,
  onConfirm,
}: {
  readonly answer: MigrateUserResponse;
  readonly name: string;
  readonly onConfirm: (legacyId: string) => void;
}) {
  return (
    <ul className="flex flex-col gap-2">
      {answer.legacy.map((found) => (
        <li
          key={found.legacyId}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-border px-4 py-3"
        >
          <span className="flex min-w-0 flex-col gap-0.5">
            <span className="font-medium wrap-anywhere">{nameOf(found)}</span>
            <span className="text-12 wrap-anywhere text-muted">
              {[found.email, found.username].filter((text) => text !== null).join(", ")}
            </span>
            <span className="text-12 text-muted">{holdingsText(found.holdings)}</span>
          </span>
          {answer.status === "needs_review" ? (
            <Button
              aria-label={`${nameOf(found)} belongs to ${name}`}
              onClick={() => onConfirm(found.legacyId)}
            >
              Confirm
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

export function MigrateUserDialog({ user, onClose }: MigrateUserDialogProps) {
  const [answer, setAnswer] = useState<MigrateUserResponse>();
  const action = useAction(migrateUser);
  const failure =
    action.error === undefined ? undefined : `Failed to migrate inventory: ${action.error.message}`;

  async function run(legacyId: string | undefined): Promise<void> {
    const answered = await action.run({ uid: user.uid, legacyId });
    if (answered?.status === "migrated") {
      showToast(answered.message);
      onClose();
    } else if (answered !== undefined) {
      setAnswer(answered);
    }
  }

  if (answer === undefined) {
    return (
      <ConfirmDialog
        title={`Migrate ${user.name}'s inventory?`}
        act="Migrate"
        busyAct="Migrating..."
        keep="Not now"
        isHarmless
        isBusy={action.isBusy}
        error={failure}
        onAct={() => void run(undefined)}
        onKeep={onClose}
      >
        {`The balance, items, sales and payouts that ${user.name} had in the old app are migrated, once. ${user.email === null ? "They have no email address, so an admin has to pick the old account." : `The old account is found by ${user.email}.`}`}
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      title={answer.status === "needs_review" ? "Whose account is it?" : "Nothing was migrated"}
      description={answer.message}
      isWide={answer.legacy.length > 0}
      isBusy={action.isBusy}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Review answer={answer} name={user.name} onConfirm={(legacyId) => void run(legacyId)} />
      <ErrorLine>{failure}</ErrorLine>
    </Dialog>
  );
}

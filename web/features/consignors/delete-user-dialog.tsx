// Asks for confirmation before an account is closed and its personal data is erased.
import { useAction } from "#web/lib/action.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { useYears } from "#web/shared/year/year-api.ts";
import { YearStatements } from "#web/shared/year/year-statements.tsx";
import { showToast } from "#web/ui/toast.ts";
import { leftText } from "./left-text.ts";
import { deleteUser, useUserSummary } from "./consignors-api.ts";

type DeleteUserDialogProps = {
  readonly user: { readonly uid: string; readonly name: string; readonly email: string | null };
  readonly onDeleted: () => void;
  readonly onClose: () => void;
};

export function DeleteUserDialog({ user, onDeleted, onClose }: DeleteUserDialogProps) {
  const action = useAction(deleteUser);
  const { data, freshness } = useUserSummary(user.uid);
  // Numbers that are held back or behind may be wrong; then the server says what is left, as it does once it was asked.
  const isKnown = freshness !== undefined && !freshness.isStale && freshness.heldRows === 0;
  const left =
    data === undefined || !isKnown || action.isBusy || action.error ? "" : leftText(data);
  async function remove(): Promise<void> {
    const message = await action.run(user.uid);
    if (message !== undefined) {
      showToast(message);
      onDeleted();
    }
  }
  const known = user.email === null || user.email === user.name ? "" : ` (${user.email})`;
  return (
    <ConfirmDialog
      title={`Delete ${user.name}?`}
      act="Delete and erase"
      busyAct="Deleting..."
      keep="Keep user"
      blocked={left === "" ? undefined : `${user.name} cannot be deleted yet: ${left} left.`}
      isBusy={action.isBusy}
      error={
        action.error === undefined ? undefined : `Failed to delete user: ${action.error.message}`
      }
      onAct={() => void remove()}
      onKeep={onClose}
    >
      <PaidLately uid={user.uid} />
      {withIsolatedNames(
        `${user.name}${known} can no longer sign in, and their name, email, Discord and payout handles are erased. Sales and payouts stay in the ledger as "Deleted user". This cannot be undone.`,
      )}
    </ConfirmDialog>
  );
}

/** The statements of somebody who was paid this or last year: they may be needed when the person is gone. */
function PaidLately({ uid }: { readonly uid: string }) {
  const { data } = useYears(uid);
  const lately = data?.years.slice(0, 2) ?? [];
  if (lately.every(({ paid }) => paid === 0)) {
    return null;
  }
  return (
    <div className="mb-4 flex flex-col gap-2 rounded-card bg-fill p-4">
      <span className="font-medium">Save the yearly statements first</span>
      <YearStatements uid={uid} last={2} />
    </div>
  );
}

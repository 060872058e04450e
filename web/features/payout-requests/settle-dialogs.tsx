// The confirmations before a request is deleted or many are marked as paid. Each names person, amount and consequence.
import { type ReactNode, useState } from "react";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { useAction } from "#web/lib/action.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Money } from "#web/ui/money.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ClaimLine } from "#web/shared/payout/claim-line.tsx";
import { claimStateOf } from "#web/shared/payout/claim-state.ts";
import { LastReturn } from "#web/shared/payout/last-return.tsx";
import { handleChange, isSettled, routeOf, SETTLED_MEANWHILE } from "#web/shared/payout/paid-to.ts";
import { deleteRequest, useAllPending, useAllPendingOf } from "#web/shared/payout/payout-api.ts";
import { methodWords } from "#web/shared/payout/method-words.ts";
import { markAllPaid, type Outcome } from "./payout-requests-api.ts";

type OneProps = {
  readonly payout: PendingPayout;
  /** The requests as they are listed by now. */
  readonly listed: readonly PendingPayout[];
  readonly onClose: () => void;
};

export function DeleteDialog({ payout, listed, onClose }: OneProps) {
  const own = useAllPendingOf(payout.consignorID).data?.payouts;
  const amountCents = toCents(payout.amount);
  const amount = formatMoney(amountCents);
  const action = useAction(deleteRequest);
  const claim = claimStateOf(payout.claim, useNow());
  const isOver = isSettled(payout, listed, own);
  async function remove(): Promise<void> {
    const settled = await action.run(payout);
    if (settled !== undefined) {
      showToast("Payout request deleted and balance refunded");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title={`Delete ${payout.displayName}'s request?`}
      act="Delete and refund"
      busyAct="Deleting..."
      keep="Keep request"
      overText={isOver ? `${SETTLED_MEANWHILE} Nothing is left to delete.` : undefined}
      isBusy={action.isBusy}
      error={
        action.error === undefined ? undefined : `Error deleting request: ${action.error.message}`
      }
      onAct={() => void remove()}
      onKeep={onClose}
    >
      <p>
        {withIsolatedNames(
          `Nothing is paid. ${amount} goes back to ${payout.displayName}. The available balance becomes `,
        )}
        <span className="font-medium text-text">
          <Money cents={toCents(payout.balanceAfter) + amountCents} isBalance />
        </span>
        . This cannot be undone.
      </p>
      {claim.kind === "over" ? (
        <p className="mt-2">
          <ClaimLine state={claim} />
          <span className="text-pending">. Make sure that no money was sent.</span>
        </p>
      ) : null}
    </ConfirmDialog>
  );
}

type ManyProps = {
  /** As they were when the dialog opened: their handles are on screen, and are what is recorded. */
  readonly payouts: readonly PendingPayout[];
  /** The requests as they are listed by now. */
  readonly listed: readonly PendingPayout[];
  readonly onClose: () => void;
  /** Called unless nothing was done, because the person did not confirm who they are. */
  readonly onDone: (outcomes: readonly Outcome[]) => void;
};

/** The sum of each method, in words: "$120.00 by CashApp and $40.00 by Venmo". */
function sumsOf(payouts: readonly PendingPayout[]): string {
  return (["cashapp", "venmo"] as const)
    .map((method) => ({
      method,
      cents: payouts
        .filter((payout) => payout.method === method)
        .reduce((sum, { amount }) => sum + toCents(amount), 0),
    }))
    .filter(({ cents }) => cents > 0)
    .map(({ method, cents }) => `${formatMoney(cents)} by ${methodWords[method]}`)
    .join(" and ");
}

/** Those that are still to be sent; while they are being marked here, all of them. */
function useLeft({ payouts, listed }: Pick<ManyProps, "payouts" | "listed">, isBusy: boolean) {
  const isListed = ({ id }: PendingPayout) => listed.some((one) => one.id === id);
  const pending = useAllPending(!isBusy && !payouts.every(isListed));
  return isBusy ? payouts : payouts.filter((payout) => !isSettled(payout, listed, pending));
}

export function PayManyDialog({ payouts, listed, onClose, onDone }: ManyProps) {
  const [done, setDone] = useState(0);
  const action = useAction((batch: readonly PendingPayout[], key: string) =>
    markAllPaid(batch, key, setDone),
  );
  const left = useLeft({ payouts, listed }, action.isBusy);
  const isOver = left.length === 0;
  const total = left.reduce((sum, { amount }) => sum + toCents(amount), 0);
  async function pay(): Promise<void> {
    const outcomes = await action.run(left);
    if (outcomes?.some(({ kind }) => kind !== "unsent") === true) {
      onDone(outcomes);
    }
  }
  return (
    <ConfirmDialog
      title={`Mark ${formatQuantity(isOver ? payouts.length : left.length, "payout")} as paid?`}
      act={`Mark ${left.length} as paid`}
      busyAct={`Saving... ${done} of ${left.length}`}
      keep="Not yet"
      overText={
        isOver
          ? "All of these requests were paid, withdrawn or deleted in the meantime. Nothing is left to send."
          : undefined
      }
      isHarmless
      isBusy={action.isBusy}
      onAct={() => void pay()}
      onKeep={onClose}
    >
      <p>
        {`Confirm that you sent ${formatMoney(total)} in total: ${sumsOf(left)}. If a transfer fails later, mark that payout as returned.`}
      </p>
      <ul className="mt-3 max-h-60 divide-y divide-border overflow-y-auto rounded-card border border-border text-text">
        {payouts.map((payout) => (
          <PaidRow key={payout.id} payout={payout} listed={listed} isBusy={action.isBusy} />
        ))}
      </ul>
    </ConfirmDialog>
  );
}

type PaidRowProps = {
  readonly payout: PendingPayout;
  readonly listed: readonly PendingPayout[];
  readonly isBusy: boolean;
};

function PaidRow({ payout, listed, isBusy }: PaidRowProps) {
  const changed = handleChange(payout, listed);
  return (
    <li className="px-3 py-2">
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">{withIsolatedNames(payout.displayName)}</span>
        <Money cents={toCents(payout.amount)} />
      </span>
      <span className="block text-12 wrap-anywhere text-muted">
        {withIsolatedNames(routeOf(payout))}
      </span>
      <LastReturn payout={payout} />
      {changed === undefined ? null : <RowNote>{withIsolatedNames(changed)}</RowNote>}
      {/* While they are being marked here, they leave the list one after the other. */}
      {isBusy || listed.some(({ id }) => id === payout.id) ? null : (
        <SettledNote payout={payout} listed={listed} />
      )}
    </li>
  );
}

/** For a request that the list behind has no more: only then its consignor's own are read. */
function SettledNote({ payout, listed }: Pick<PaidRowProps, "payout" | "listed">) {
  const own = useAllPendingOf(payout.consignorID).data?.payouts;
  return isSettled(payout, listed, own) ? (
    <RowNote>{`${SETTLED_MEANWHILE} Nothing is left to send.`}</RowNote>
  ) : null;
}

function RowNote({ children }: { readonly children: ReactNode }) {
  return <span className="block text-12 font-medium wrap-anywhere text-pending">{children}</span>;
}

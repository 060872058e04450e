// A person's pending payouts in the drawer: how to pay each, and marking it as paid with the confirmation of Payout Requests.
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { HandleCell } from "#web/shared/payout/handle-cell.tsx";
import { NotSentButton } from "#web/shared/payout/not-sent-button.tsx";
import { RequestedBy } from "#web/shared/payout/requested-by.tsx";
import { usePendingPayoutsOf } from "#web/shared/payout/payout-api.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const PayDialog = onDemand(() =>
  import("#web/shared/payout/pay-dialog.tsx").then((file) => file.PayDialog),
);

/** Renders nothing while no payout waits. */
export function DrawerPayouts({ uid }: { readonly uid: string }) {
  const { data, error, refresh } = usePendingPayoutsOf(uid);
  const [paying, setPaying] = useState<PendingPayout>();
  if (data === undefined) {
    return error === undefined ? null : (
      <ErrorState title="The pending payouts could not be loaded" error={error} onRetry={refresh} />
    );
  }
  return data.payouts.length === 0 && paying === undefined ? null : (
    <section
      aria-label="Pending payouts"
      className="flex flex-col gap-1 rounded-card border border-border"
    >
      <ul className="divide-y divide-border">
        {data.payouts.map((payout) => (
          <li
            key={payout.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2"
          >
            <span className="flex min-w-0 flex-col gap-1">
              <span>
                <Money cents={toCents(payout.amount)} className="font-semibold" />{" "}
                <span className="text-pending">
                  requested <DateTime at={payout.date} show="ago" />
                </span>
                <RequestedBy payout={payout} />
              </span>
              <HandleCell payout={payout} hasRoom />
            </span>
            <span className="flex flex-wrap items-center gap-2">
              <NotSentButton payout={payout} />
              <Button
                icon={CircleCheck}
                aria-label={`Mark as paid: the payout of ${formatMoney(toCents(payout.amount))} to ${payout.displayName}`}
                onPointerEnter={PayDialog.preload}
                onFocus={PayDialog.preload}
                onClick={() => setPaying(payout)}
              >
                Mark as paid
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {paying === undefined ? null : (
        <PayDialog payout={paying} listed={data.payouts} onClose={() => setPaying(undefined)} />
      )}
    </section>
  );
}

// The payout holds of a person, in the drawer: why payouts wait, and the button that lifts a hold.
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { PayoutHold } from "#features/holds/contract.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { usePayoutHolds } from "#web/shared/holds/holds-api.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const LiftHoldDialog = onDemand(() =>
  import("#web/shared/holds/lift-hold-dialog.tsx").then((file) => file.LiftHoldDialog),
);

/** Renders nothing while payouts can be requested. */
export function DrawerHolds({ uid }: { readonly uid: string }) {
  const { data } = usePayoutHolds(uid);
  const [lifting, setLifting] = useState<PayoutHold>();
  if (data === undefined || data.holds.length === 0) {
    return null;
  }
  return (
    <section
      aria-label="Payouts on hold"
      className="flex flex-col gap-3 rounded-card border border-border p-4"
    >
      <h3 className="flex items-center gap-2 font-semibold text-pending">
        <Icon of={TriangleAlert} />
        Payouts on hold
      </h3>
      <ul className="flex flex-col gap-3">
        {data.holds.map((hold) => (
          <li
            key={`${hold.consignorID ?? ""} ${hold.reference}`}
            className="flex flex-wrap items-center justify-between gap-3"
          >
            <span className="flex min-w-0 flex-1 flex-col gap-1">
              <span className="wrap-anywhere">
                {withIsolatedNames(hold.description)}
                {hold.consignorID === null ? ". It holds everyone's payouts" : null}
              </span>
              <span className="text-12 text-muted">
                For <DateTime at={hold.since} show="age" />
              </span>
            </span>
            <Button onClick={() => setLifting(hold)}>Lift hold</Button>
          </li>
        ))}
      </ul>
      {lifting === undefined ? null : (
        <LiftHoldDialog hold={lifting} onClose={() => setLifting(undefined)} />
      )}
    </section>
  );
}

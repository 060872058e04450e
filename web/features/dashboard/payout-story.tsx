// What became of requested payouts: they are pending, were paid, came back, or were deleted.
import { Check, Clock, RotateCcw } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { PAYOUT_NEWS_MS, type RecentPayout } from "#features/accounts/contract-summary.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { isolated } from "#web/lib/isolated.ts";
import { useNow } from "#web/lib/use-now.ts";
import { paths } from "#web/paths.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { CardHeading } from "./card-heading.tsx";

/** Few payouts are pending, so the first script does without. */
const loadActs = () => import("#web/shared/payout/own-payout-acts.tsx");
const OwnPayoutPart = onDemand(() => loadActs().then((file) => file.OwnPayoutPart), {
  fallback: <span className="min-h-6 touch:min-h-11" />,
});
const OwnPayoutFocus = onDemand(() => loadActs().then((file) => file.OwnPayoutFocus), {
  ifMissing: "fallback",
});

const methodNames = { cashapp: "CashApp", venmo: "Venmo" } as const;

const looks = {
  pending: { icon: Clock, color: "text-pending" },
  paid: { icon: Check, color: "text-credit" },
  deleted: { icon: RotateCcw, color: "text-muted" },
  returned: { icon: RotateCcw, color: "text-pending" },
} as const;

type PayoutStoryProps = {
  readonly uid: string;
  readonly payouts: readonly RecentPayout[];
  /** Pending ones that are not among them. */
  readonly morePending: number;
};

export function PayoutStory({ uid, payouts, morePending }: PayoutStoryProps) {
  const now = useNow().getTime();
  const told = payouts.filter(
    ({ settledAt, returnedAt }) =>
      settledAt === null || now - Date.parse(returnedAt ?? settledAt) < PAYOUT_NEWS_MS,
  );
  const hasPending = told.some(({ status }) => status === "pending");
  // Also after the last one was withdrawn, because the focus is moved then.
  const [hadPending, setHadPending] = useState(hasPending);
  if (hasPending && !hadPending) {
    setHadPending(true);
  }
  return told.length === 0 ? null : (
    <section aria-labelledby="payout-heading" className="card flex flex-col gap-3 p-4">
      <CardHeading id="payout-heading" to={`${paths.salesHistory}?tab=payouts`} link="All payouts">
        {told.length + morePending === 1 ? "Your payout" : "Your payouts"}
      </CardHeading>
      <ul className="flex flex-col gap-3">
        {told.map((payout) => (
          <li key={payout.id} className="flex items-start gap-2">
            <Icon
              of={looks[payout.status].icon}
              className={`mt-0.5 ${looks[payout.status].color}`}
            />
            <Told uid={uid} payout={payout} />
          </li>
        ))}
      </ul>
      {hadPending ? <OwnPayoutFocus /> : null}
      {morePending === 0 ? null : (
        <Link
          to={`${paths.salesHistory}?tab=payouts&status=pending`}
          className="inline-flex min-h-6 items-center self-start text-accent hover:underline"
        >
          {`and ${formatCount(morePending)} more pending`}
        </Link>
      )}
    </section>
  );
}

const happened = {
  pending: "requested",
  paid: "paid",
  deleted: "deleted",
  returned: "came back",
} as const;

function returnedText(method: string, reason: string | null): string {
  const why = reason === null ? "" : ` The store says: “${reason}”.`;
  return `The transfer by ${method} failed.${why} The amount is available again: check your handle before you request it again.`;
}

function Told({ uid, payout }: { readonly uid: string; readonly payout: RecentPayout }) {
  const { id, status, settledAt, returnedAt, withdrawn, handle, reference } = payout;
  const [wasPending] = useState(status === "pending");
  const amount = <Money cents={toCents(payout.amount)} className="font-semibold" />;
  const method = methodNames[payout.method];
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <span className={looks[status].color}>
        {amount} {withdrawn ? "withdrawn" : happened[status]}{" "}
        <DateTime at={returnedAt ?? settledAt ?? payout.requestedAt} />
      </span>
      <span className="text-12 text-muted">
        {returnedAt === null || settledAt === null ? null : (
          <>
            The store marked it as paid <DateTime at={settledAt} />.{" "}
          </>
        )}
        {status === "pending"
          ? `The store sends it by ${method}. You'll see it here as paid once the store has sent it.`
          : status === "paid"
            ? `The store sent it by ${method}${handle === null ? "" : ` to ${isolated(handle)}`}${reference === null ? "" : `, transfer ${isolated(reference)}`}.`
            : status === "deleted"
              ? `${withdrawn ? "You withdrew the request" : "The request was deleted"}. The amount is available again.`
              : returnedText(method, payout.returnReason)}
      </span>
      {wasPending ? (
        <OwnPayoutPart
          payout={{ id, consignorID: uid, amount: payout.amount }}
          isPending={status === "pending"}
          claimedUntil={payout.claimedUntil}
        />
      ) : null}
    </div>
  );
}

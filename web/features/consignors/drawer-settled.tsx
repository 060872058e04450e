// A person's last settled payouts in the drawer: one that was paid can be marked as returned, one that came back says why.
import type { RecentPayout } from "#features/accounts/contract-summary.ts";
import type { UserResponse } from "#features/users/contract.ts";
import { toCents } from "#ledger/money.ts";
import { useRecent } from "#web/shared/history/recent-api.ts";
import { RETURN_BUTTON, ReturnButton, useReturns } from "#web/shared/payout/return-button.tsx";
import { TransferReference } from "#web/shared/payout/transfer-reference.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Money } from "#web/ui/money.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";

type DrawerSettledProps = {
  readonly user: UserResponse;
  /** As the drawer's title says it. */
  readonly name: string;
};

/** Renders nothing while there are none; the latest entries below say what could not be loaded. */
export function DrawerSettled({ user, name }: DrawerSettledProps) {
  const { uid, deactivated } = user;
  const { data } = useRecent(uid);
  const { onReturn, dialog } = useReturns();
  const settled = (data?.payouts ?? []).filter(
    ({ status }) => status === "paid" || status === "returned",
  );
  return settled.length === 0 && dialog === null ? null : (
    <section aria-labelledby="settled-heading" className="flex flex-col gap-3">
      <h3 id="settled-heading" className="font-semibold">
        Latest payouts
      </h3>
      <RowFocus main={RETURN_BUTTON}>
        <ul className="divide-y divide-border rounded-card border border-border">
          {settled.map((payout) => (
            <li
              key={payout.id}
              className="flex min-h-(--row) flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-1"
            >
              <Settled payout={payout} />
              {payout.status === "paid" ? (
                <ReturnButton
                  payout={{
                    ...payout,
                    consignorID: uid,
                    displayName: name,
                    isConsignorDeleted: deactivated,
                  }}
                  onReturn={onReturn}
                />
              ) : null}
            </li>
          ))}
        </ul>
      </RowFocus>
      {dialog}
    </section>
  );
}

function Settled({ payout }: { readonly payout: RecentPayout }) {
  const { requestedAt, settledAt, reference, returnedAt, returnReason } = payout;
  return (
    <span className="flex min-w-0 flex-col">
      <span>
        <Money cents={toCents(payout.amount)} className="font-semibold" /> paid{" "}
        <DateTime at={settledAt ?? requestedAt} />
        {returnedAt === null ? null : (
          <>
            , <span className="text-pending">came back</span> <DateTime at={returnedAt} />
          </>
        )}
      </span>
      <TransferReference reference={reference} />
      {returnReason === null ? null : (
        <span className="text-12 wrap-anywhere text-muted">{returnReason}</span>
      )}
    </span>
  );
}

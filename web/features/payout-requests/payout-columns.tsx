// The payout requests' columns: age, consignor, how to pay, amount, and the balance after it.
import { CircleCheck, Trash2 } from "lucide-react";
import type { PendingPayout, PendingSort } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ConsignorLink } from "#web/shared/consignor/consignor-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Money } from "#web/ui/money.tsx";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import { ClaimLine } from "#web/shared/payout/claim-line.tsx";
import { claimStateOf, offersOf } from "#web/shared/payout/claim-state.ts";
import { HandleCell } from "#web/shared/payout/handle-cell.tsx";
import { methodWords } from "#web/shared/payout/method-words.ts";
import { NotSentButton } from "#web/shared/payout/not-sent-button.tsx";
import { RequestedBy } from "#web/shared/payout/requested-by.tsx";

type Settle = (act: "pay" | "delete", payout: PendingPayout) => void;

/** Keep `onSettle` stable: the rows rerender when the columns change. */
export function payoutColumns(onSettle: Settle): readonly Column<PendingPayout, PendingSort>[] {
  return [
    {
      id: "date",
      header: "Requested",
      card: "line",
      sortAs: "date",
      cell: (payout) => (
        <span className="whitespace-nowrap">
          <DateTime at={payout.date} show="ago" />
          <WhoPays payout={payout} />
        </span>
      ),
    },
    {
      id: "consignor",
      header: "Consignor",
      card: "title",
      isTruncated: true,
      width: "min-w-28 w-[18%]",
      sortAs: "consignor",
      cell: (payout) => <Whose payout={payout} />,
    },
    {
      id: "method",
      header: "Method",
      card: "line",
      // The handle shows it too: $ is CashApp's prefix, @ is Venmo's.
      shownFrom: "66rem",
      sortAs: "method",
      cell: (payout) => <Method payout={payout} />,
    },
    {
      id: "handle",
      header: "Handle",
      card: "foot",
      isTruncated: true,
      width: "min-w-52 w-[29%]",
      cell: (payout) => <HowToPay payout={payout} />,
    },
    {
      id: "amount",
      header: "Amount",
      card: "amount",
      align: "end",
      sortAs: "amount",
      cell: (payout) => (
        <span className="font-semibold">
          <WhyValue why={{ kind: "payout", id: payout.id }}>
            <Money cents={toCents(payout.amount)} />
          </WhyValue>
        </span>
      ),
    },
    {
      id: "balanceAfter",
      header: "Balance after",
      card: "end-line",
      cardLabel: "Leaves",
      align: "end",
      sortAs: "balanceAfter",
      cell: (payout) => (
        <WhyValue why={{ kind: "number", number: "available", uid: payout.consignorID }}>
          <Money cents={toCents(payout.balanceAfter)} isBalance />
        </WhyValue>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      card: "foot",
      align: "end",
      cell: (payout) => <RowActs payout={payout} onSettle={onSettle} />,
    },
  ];
}

/** On a card, because its buttons stand below. */
function WhoPays({ payout }: { readonly payout: PendingPayout }) {
  const state = claimStateOf(payout.claim, useNow());
  return state.kind === "free" ? null : (
    <span className="hidden in-data-cards:inline">
      {" · "}
      <ClaimLine state={state} />
    </span>
  );
}

/** On a card with who asked for it: there is no room for that next to the buttons. */
function Whose({ payout }: { readonly payout: PendingPayout }) {
  return (
    <span className="font-medium">
      <ConsignorLink uid={payout.consignorID} name={payout.displayName} />
      <span className="hidden in-data-cards:inline">
        <RequestedBy payout={payout} />
      </span>
    </span>
  );
}

function HowToPay({ payout }: { readonly payout: PendingPayout }) {
  return (
    <>
      <HandleCell payout={payout} />
      <span className="in-data-cards:hidden">
        <RequestedBy payout={payout} />
      </span>
    </>
  );
}

/** On a card the handle, because its buttons stand below. */
function Method({ payout }: { readonly payout: PendingPayout }) {
  return (
    <>
      <span className="in-data-cards:hidden">
        <Chip kind="neutral">{methodWords[payout.method]}</Chip>
      </span>
      <span className="hidden font-mono in-data-cards:inline">
        {payout.handle === null || payout.handle === ""
          ? methodWords[payout.method]
          : payout.handle}
      </span>
    </>
  );
}

function RowActs({
  payout,
  onSettle,
}: {
  readonly payout: PendingPayout;
  readonly onSettle: Settle;
}) {
  const offers = offersOf(claimStateOf(payout.claim, useNow()));
  return (
    <span className="-my-1 flex items-center justify-end gap-1 no-print">
      <NotSentButton payout={payout} />
      <Button
        variant="quiet"
        icon={CircleCheck}
        data-row-main
        aria-label={`Mark as paid: ${payout.displayName}`}
        onClick={() => onSettle("pay", payout)}
      >
        Mark as paid
      </Button>
      {offers.canDelete ? (
        <IconButton
          icon={Trash2}
          label={`Delete ${payout.displayName}'s request`}
          onClick={() => onSettle("delete", payout)}
        />
      ) : null}
    </span>
  );
}

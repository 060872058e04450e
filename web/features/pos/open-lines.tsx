// Lines that the ledger does not have: those waiting for the connection, and those that a person has to settle.
import { CloudOff, CloudUpload, OctagonAlert } from "lucide-react";
import { memo, useState } from "react";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { ownerName } from "#web/shared/item/owner-chip.tsx";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { sum } from "./cart-sums.ts";
import { sendNow } from "./outbox.ts";
import type { RefusedLine, WaitingLine } from "./taken-sale.ts";
import type { TillBook } from "./till-book.ts";

const SettleDialog = onDemand(() =>
  import("./settle-dialog.tsx").then((file) => file.SettleDialog),
);

export function waitingIn({ lines }: TillBook): readonly WaitingLine[] {
  return [...lines.values()].flatMap((line) => (line.status === "waiting" ? [line] : []));
}

export function refusedIn({ lines }: TillBook): readonly RefusedLine[] {
  return [...lines.values()].flatMap((line) => (line.status === "refused" ? [line] : []));
}

type ConnectionBarProps = {
  readonly waiting: readonly WaitingLine[];
  readonly isReachable: boolean;
};

/** Says how many sales are waiting to be sent, and that selling can continue. */
export function ConnectionBar({ waiting, isReachable }: ConnectionBarProps) {
  const sales = new Set(waiting.map(({ saleId }) => saleId)).size;
  const problem = waiting.find((line) => line.problem !== "")?.problem;
  const isShown = !isReachable || sales > 0;
  return (
    <output className="block empty:hidden">
      {isShown ? (
        <div
          className={`flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 rounded-card px-4 py-1.5 ${isReachable ? "bg-fill text-muted" : "bg-pending-tint text-pending"}`}
        >
          <Icon of={isReachable ? CloudUpload : CloudOff} />
          <span className="font-medium">
            {sales === 0
              ? "The server cannot be reached"
              : `${formatQuantity(sales, "sale")} not sent yet (${formatMoney(sum(waiting.map(({ line }) => line.grossCents)))})`}
          </span>
          <span className="text-12">
            {problem ??
              (isReachable ? "Sending…" : "Keep selling. Everything is saved on this till.")}
          </span>
          {sales === 0 ? null : (
            <Button variant="quiet" className="ms-auto" onClick={() => void sendNow()}>
              Send now
            </Button>
          )}
        </div>
      ) : null}
    </output>
  );
}

export const RefusedLines = memo(function RefusedLines({
  refused,
}: {
  readonly refused: readonly RefusedLine[];
}) {
  const [openKey, setOpenKey] = useState<string>();
  const open = refused.find(({ lineKey }) => lineKey === openKey);
  if (refused.length === 0) {
    return null;
  }
  return (
    <section
      aria-label="Taken, not booked"
      className="flex flex-col rounded-card border border-danger bg-surface"
    >
      <h2 className="flex items-center gap-2 rounded-t-card bg-danger-tint px-4 py-2 font-medium text-danger">
        <Icon of={OctagonAlert} />
        Taken, not booked
        <span className="ms-auto tabular-nums">
          <Money cents={sum(refused.map(({ line }) => line.grossCents))} />
        </span>
      </h2>
      <ul className="divide-y divide-border">
        {refused.map((line) => (
          <li
            key={line.lineKey}
            className="flex items-center gap-x-3 gap-y-1 py-2 ps-4 pe-2 max-sm:flex-wrap"
          >
            <span className="flex min-w-0 grow flex-col max-sm:w-full">
              <span className="font-medium max-sm:wrap-anywhere sm:truncate">
                {`${line.line.units === 1 ? "" : `${line.line.units} × `}${line.target.itemName}`}
                <span className="font-normal text-muted">{` · ${ownerName(line.target)}`}</span>
              </span>
              <span className="text-12 text-danger">{line.message}</span>
            </span>
            <Money cents={line.line.grossCents} className="font-medium max-sm:grow" />
            <Button onClick={() => setOpenKey(line.lineKey)}>Settle</Button>
          </li>
        ))}
      </ul>
      {open === undefined ? null : (
        <SettleDialog key={open.lineKey} line={open} onClose={() => setOpenKey(undefined)} />
      )}
    </section>
  );
});

// The latest entries of a person's ledger, with the balance after each.
import { toCents } from "#ledger/money.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { consignorHistoryPath } from "#web/paths.ts";
import { Money } from "#web/ui/money.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { LineChip } from "#web/shared/history/line-chip.tsx";
import { LineDate } from "#web/shared/history/line-date.tsx";
import { useLedger } from "#web/shared/history/history-api.ts";
import { DrawerLines } from "./drawer-lines.tsx";

export function DrawerLedger({ uid }: { readonly uid: string }) {
  const ledger = useLedger(uid, { type: undefined });
  return (
    <DrawerLines
      label="Ledger"
      read={ledger}
      rowId={(line) => line.line}
      empty={{ icon: HistoryIcon, title: "No entries yet" }}
      whole={{ to: consignorHistoryPath(uid), label: "Open the history" }}
    >
      {(line) => (
        <span className="flex flex-col gap-0.5">
          <span className="flex items-baseline justify-between gap-4">
            {/* Not truncated, because the end of the sentence says what happened. */}
            <span className="min-w-0 wrap-anywhere">{withIsolatedNames(line.description)}</span>
            <Money cents={toCents(line.amount)} isChange />
          </span>
          <span className="flex items-baseline justify-between gap-4 text-12 text-muted">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <LineDate line={line} />
              <LineChip line={line} />
            </span>
            <Money cents={toCents(line.balanceAfter)} isBalance />
          </span>
          {line.note === null ? null : (
            <span className="text-12 wrap-anywhere text-muted">{line.note}</span>
          )}
        </span>
      )}
    </DrawerLines>
  );
}

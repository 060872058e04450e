// The last entries of an account, each with what its amount is made of and the reason that was given.
import { Fragment } from "react";
import { Link } from "react-router-dom";
import type { RecentLine } from "#features/accounts/contract-summary.ts";
import { toCents } from "#ledger/money.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Money } from "#web/ui/money.tsx";
import { LineDate } from "./line-date.tsx";

type RecentLinesProps = {
  readonly lines: readonly RecentLine[];
  /** The screen that opens an entry. */
  readonly historyPath: string;
};

/** "Sale price $40.00, Shipping −$5.00, Store's share −$17.50"; in plain text a line could end after the minus. */
function Reasons({ of }: { readonly of: RecentLine["reasons"] }) {
  return (
    <span className="text-12 text-muted">
      {of.map(({ label, amount }, index) => (
        <Fragment key={label}>
          {`${index === 0 ? "" : ", "}${label} `}
          <Money cents={toCents(amount)} />
        </Fragment>
      ))}
    </span>
  );
}

export function RecentLines({ lines, historyPath }: RecentLinesProps) {
  return (
    <ul aria-label="Latest entries" className="divide-y divide-border">
      {lines.map((line) => (
        <li key={line.line} className="relative flex flex-col gap-0.5 px-4 py-2 hover:bg-hover">
          <span className="flex items-baseline justify-between gap-4">
            <Link
              to={`${historyPath}?line=${line.line}`}
              className="min-w-0 rounded-bit font-medium wrap-anywhere after:absolute after:inset-0"
            >
              {withIsolatedNames(line.description)}
            </Link>
            <Money cents={toCents(line.amount)} isChange className="font-medium" />
          </span>
          {line.reasons.length === 0 ? null : <Reasons of={line.reasons} />}
          {line.note === null ? null : (
            <span className="text-12 wrap-anywhere text-muted">{`Reason: ${line.note}`}</span>
          )}
          <span className="flex items-baseline justify-between gap-4 text-12 text-faint">
            <LineDate line={line} />
            <span>
              Balance <Money cents={toCents(line.balanceAfter)} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

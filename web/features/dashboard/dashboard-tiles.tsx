// The other numbers of the dashboard. Each opens the entries that add up to it.
import { Check, Clock, Tag } from "lucide-react";
import type { SummaryResponse } from "#features/accounts/contract-summary.ts";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { useWhyPath } from "#web/shared/explain/why.ts";
import { Money } from "#web/ui/money.tsx";
import { ItemIcon, TradeIcon } from "#web/ui/thing-icons.ts";
import { Tile } from "#web/ui/tile.tsx";

type DashboardTilesProps = {
  readonly uid: string;
  /** Undefined while loading. */
  readonly summary: SummaryResponse | undefined;
};

function MoneyOf({ dollars }: { readonly dollars: number }) {
  return <Money cents={toCents(dollars)} />;
}

export function DashboardTiles({ uid, summary }: DashboardTilesProps) {
  const pathTo = useWhyPath();
  const why = (number: ExplainedNumber) => pathTo({ kind: "number", number, uid });
  return (
    <section
      aria-label="Your account"
      className="grid grid-cols-5 gap-4 max-lg:grid-cols-2 max-lg:*:last:col-span-2 max-sm:gap-2"
    >
      <Tile
        label="Pending payouts"
        icon={Clock}
        to={why("pendingPayouts")}
        value={summary === undefined ? undefined : <MoneyOf dollars={summary.inTransit} />}
        hint="Requested, not paid yet"
      />
      <Tile
        label="Held for trades"
        icon={TradeIcon}
        to={why("heldForTrades")}
        value={summary === undefined ? undefined : <MoneyOf dollars={summary.heldForTrades} />}
        hint="Until they are shipped"
      />
      <Tile
        label="Active items"
        icon={ItemIcon}
        to={`${paths.dashboard}#my-inventory`}
        value={summary === undefined ? undefined : formatCount(summary.activeItems)}
        hint={
          summary === undefined || summary.unitsInTrades === 0
            ? "With stock"
            : `With stock, ${formatQuantity(summary.unitsInTrades, "unit")} in trades`
        }
      />
      <Tile
        label="Sales"
        icon={Tag}
        to={why("sales")}
        value={summary === undefined ? undefined : formatCount(summary.salesCount)}
        hint="All time"
      />
      <Tile
        label="Total paid"
        icon={Check}
        to={why("totalPaid")}
        value={summary === undefined ? undefined : <MoneyOf dollars={summary.totalPaid} />}
        hint="All time"
      />
    </section>
  );
}

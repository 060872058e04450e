// The other numbers of the dashboard. Each opens the entries that add up to it.
import { Check, Clock, Tag } from "lucide-react";
import type { SummaryResponse } from "#features/accounts/contract-summary.ts";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { useWhyPath } from "#web/shared/explain/why.ts";
import { Money } from "#web/ui/money.tsx";
import { ItemIcon, TradeIcon } from "#web/ui/thing-icons.ts";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";

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
  // What was sold and paid there is not in these numbers.
  const since = useProfile().migratedFrom === null ? "All time" : "Since the old app";
  const why = (number: ExplainedNumber) => pathTo({ kind: "number", number, uid });
  return (
    <TileStrip label="Your account" isWrapped>
      <StripTile
        label="Pending payouts"
        icon={Clock}
        to={why("pendingPayouts")}
        value={summary === undefined ? undefined : <MoneyOf dollars={summary.inTransit} />}
        hint="Not paid yet"
      />
      <StripTile
        label="Held for trades"
        icon={TradeIcon}
        to={why("heldForTrades")}
        value={summary === undefined ? undefined : <MoneyOf dollars={summary.heldForTrades} />}
        hint="Until shipped"
      />
      <StripTile
        label="Active items"
        icon={ItemIcon}
        to={`${paths.dashboard}#my-inventory`}
        value={summary === undefined ? undefined : formatCount(summary.activeItems)}
        hint={
          summary === undefined || summary.unitsInTrades === 0
            ? "With stock"
            : `${formatQuantity(summary.unitsInTrades, "unit")} in trades`
        }
      />
      <StripTile
        label="Sales"
        icon={Tag}
        to={why("sales")}
        value={summary === undefined ? undefined : formatCount(summary.salesCount)}
        hint={since}
      />
      <StripTile
        label="Total paid"
        icon={Check}
        to={why("totalPaid")}
        value={summary === undefined ? undefined : <MoneyOf dollars={summary.totalPaid} />}
        hint={since}
      />
    </TileStrip>
  );
}

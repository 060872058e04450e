// Tiles: what the store owes in total, pending payouts, who owes the store, and the number of people. Each amount opens the people it is the sum of.
import { Banknote, Clock, OctagonAlert } from "lucide-react";
import type { TotalNumber } from "#features/accounts/contract-explain-store.ts";
import type { UserListResponse } from "#features/users/contract-people.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { useWhyPath } from "#web/shared/explain/why.ts";
import { Money } from "#web/ui/money.tsx";
import { ConsignorsIcon, PayoutIcon, TradeIcon } from "#web/ui/thing-icons.ts";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";

type ConsignorTilesProps = {
  /** Undefined while loading. */
  readonly totals: UserListResponse["totals"] | undefined;
};

/** Undefined while one of them is. */
function sumOf(...amounts: readonly (number | undefined)[]) {
  const known = amounts.filter((dollars) => dollars !== undefined);
  return known.length < amounts.length ? undefined : (
    <Money cents={known.reduce((sum, dollars) => sum + toCents(dollars), 0)} />
  );
}

export function ConsignorTiles({ totals }: ConsignorTilesProps) {
  const pathTo = useWhyPath();
  const why = (id: TotalNumber) => pathTo({ kind: "total", id });
  return (
    <TileStrip label="Totals">
      <StripTile
        label="Total owed"
        icon={PayoutIcon}
        value={sumOf(totals?.owed, totals?.inTransit, totals?.heldForTrades)}
      />
      <StripTile
        label="Available"
        icon={Banknote}
        to={why("owed")}
        value={sumOf(totals?.owed)}
        hint="To request"
      />
      <StripTile
        label="Pending payouts"
        icon={Clock}
        to={why("pendingPayouts")}
        value={sumOf(totals?.inTransit)}
        hint="Not paid yet"
      />
      <StripTile
        label="Held for trades"
        icon={TradeIcon}
        to={why("heldForTrades")}
        value={sumOf(totals?.heldForTrades)}
        hint="Until shipped"
      />
      <StripTile
        label="Negative balances"
        icon={OctagonAlert}
        to={why("negative")}
        value={sumOf(totals?.negative)}
        hint={
          totals === undefined
            ? undefined
            : formatQuantity(totals.negativeCount, "person", "people")
        }
      />
      <StripTile
        label="People"
        icon={ConsignorsIcon}
        to={paths.consignors}
        value={totals === undefined ? undefined : formatCount(totals.userCount)}
        hint={totals === undefined ? undefined : formatQuantity(totals.adminCount, "admin")}
      />
    </TileStrip>
  );
}

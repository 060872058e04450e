// One barcode on the marketplace: its image, units, consignors, last price, and how many other people ask for it.
import type { MarketplaceItem } from "#features/marketplace/contract.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { CutCode } from "#web/ui/cut-code.tsx";

type MarketplaceCardProps = {
  readonly item: MarketplaceItem;
  readonly onOpen: () => void;
};

export function MarketplaceCard({ item, onOpen }: MarketplaceCardProps) {
  const { itemName, barcode1, imageUrl, asin, totalQuantity, consignorCount } = item;
  const { lastTradedPriceCents, openRequests } = item;
  return (
    <li
      data-row
      className="group relative flex min-w-0 flex-col overflow-hidden card transition-colors duration-120 hover:border-border-strong has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
    >
      <ItemImage url={imageUrl} asin={asin} size="card" />
      <div className="flex grow flex-col gap-1 p-4 max-sm:p-3">
        <button
          type="button"
          data-row-main
          onClick={onOpen}
          className="line-clamp-2 text-start font-medium outline-none wrap-anywhere group-hover:text-accent after:absolute after:inset-0"
        >
          {itemName}
        </button>
        <span className="flex text-muted">
          <CutCode>{barcode1}</CutCode>
        </span>
        <p className="text-muted">
          {`${formatQuantity(totalQuantity, "unit")} from ${formatQuantity(consignorCount, "consignor")}`}
        </p>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-2 gap-y-1 pt-1">
          <span className="text-12 text-muted">
            {lastTradedPriceCents === null ? (
              "Not traded yet"
            ) : (
              <>
                Last traded at{" "}
                <span className="font-medium text-text tabular-nums">
                  {formatMoney(lastTradedPriceCents)}
                </span>
              </>
            )}
          </span>
          {openRequests === 0 ? null : (
            <Chip kind="accent">{formatQuantity(openRequests, "open request")}</Chip>
          )}
        </div>
      </div>
    </li>
  );
}

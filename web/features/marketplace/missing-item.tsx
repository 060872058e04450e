// What opens instead of the request form for a link to an item that the marketplace does not have.
import type { MarketplaceResponse } from "#features/marketplace/contract.ts";
import type { Read } from "#web/lib/read.ts";
import { Drawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { StoreIcon } from "#web/ui/thing-icons.ts";

type MissingItemProps = {
  readonly barcode1: string;
  readonly read: Read<MarketplaceResponse>;
  readonly onClose: () => void;
};

export function MissingItem({
  barcode1,
  read: { data, error, refresh },
  onClose,
}: MissingItemProps) {
  return (
    <Drawer
      title="Item"
      subtitle={<span className="font-mono wrap-anywhere">{barcode1}</span>}
      onClose={onClose}
    >
      {data === undefined && error !== undefined ? (
        <ErrorState title="The item could not be loaded" error={error} onRetry={refresh} />
      ) : (
        <EmptyState icon={StoreIcon} title="This item is not on the marketplace">
          It may be sold out, or the link is incomplete. Your own units are not shown here.
        </EmptyState>
      )}
    </Drawer>
  );
}

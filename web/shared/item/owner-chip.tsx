// The owner of an item: the store, or a consignor by name, who opens with a click.
import { ConsignorLink } from "#web/shared/consignor/consignor-link.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { PersonIcon, StoreIcon } from "#web/ui/thing-icons.ts";
import type { InventoryItem } from "#features/inventory/contract.ts";

type Owned = Pick<InventoryItem, "consignorID" | "consignorDisplayName">;

/** "Master", or the consignor's display name or id. */
export function ownerName({ consignorID, consignorDisplayName }: Owned): string {
  return consignorID === null ? "Master" : (consignorDisplayName ?? consignorID);
}

export function OwnerChip({ item }: { readonly item: Owned }) {
  return item.consignorID === null ? (
    <Chip kind="accent" icon={StoreIcon}>
      Master
    </Chip>
  ) : (
    <Chip kind="neutral" icon={PersonIcon}>
      {ownerName(item)}
    </Chip>
  );
}

/** The same for lists and drawers of admins. */
export function OwnerLink({ item }: { readonly item: Owned }) {
  return item.consignorID === null ? (
    <OwnerChip item={item} />
  ) : (
    <ConsignorLink uid={item.consignorID} name={ownerName(item)}>
      <OwnerChip item={item} />
    </ConsignorLink>
  );
}

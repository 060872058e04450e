// The buttons next to the inventory's title: add, mass input, import.
import { FileUp, ImageDown, Plus, ScanBarcode } from "lucide-react";
import { useNavigate } from "react-router-dom";
import { paths } from "#web/paths.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { SaleIcon } from "#web/ui/thing-icons.ts";
import type { OpenForm } from "./inventory-forms.tsx";

type InventoryActionsProps = {
  readonly onForm: (form: OpenForm) => void;
  /** A form is about to be opened. */
  readonly onReach: () => void;
};

export function InventoryActions({ onForm, onReach }: InventoryActionsProps) {
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const addMaster = () => onForm({ kind: "add", owner: "master" });
  const addConsignor = () => onForm({ kind: "add", owner: "consignor" });
  const others = [
    { label: "Import CSV", icon: FileUp, onSelect: () => onForm({ kind: "import" }) },
    {
      label: "Image backfill",
      icon: ImageDown,
      onSelect: () => void navigate(paths.imageBackfill),
    },
    {
      label: "Record a custom sale",
      icon: SaleIcon,
      onSelect: () => onForm({ kind: "custom-sale" }),
    },
  ];
  return (
    <div
      className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1"
      onPointerEnter={onReach}
      onFocus={onReach}
    >
      <Button icon={ScanBarcode} onClick={() => onForm({ kind: "mass-input" })}>
        Mass Input
      </Button>
      {isPhone ? (
        <Menu
          label="Add"
          icon={Plus}
          showsLabel
          variant="primary"
          items={[
            { label: "Add to Master Inventory", onSelect: addMaster },
            { label: "Add to Consignor Inventory", onSelect: addConsignor },
            ...others.map((item, index) => ({ ...item, startsGroup: index === 0 })),
          ]}
        />
      ) : (
        <>
          <Button icon={Plus} onClick={addConsignor}>
            Add to Consignor Inventory
          </Button>
          <Button icon={Plus} variant="primary" onClick={addMaster}>
            Add to Master Inventory
          </Button>
          <Menu label="More" items={others} />
        </>
      )}
    </div>
  );
}

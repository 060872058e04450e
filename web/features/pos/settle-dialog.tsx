// Settles a line that was taken but not booked. A person decides once, and the result is sent under a new key.
import { Search } from "lucide-react";
import { useId, useState, type KeyboardEvent } from "react";
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import { useAction } from "#web/lib/action.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { ownerName } from "#web/shared/item/owner-chip.tsx";
import { Button } from "#web/ui/button.tsx";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { canBeCounted } from "./delivery.ts";
import { ItemList } from "./item-list.tsx";
import { settleAsAnotherItem, settleAsCounted, settleAsRefunded } from "./settlement.ts";
import type { RefusedLine } from "./taken-sale.ts";
import { cartItemOf } from "./till-cart.ts";
import { useSearch } from "./use-search.ts";

type Way = "counted" | "another" | "refund";

const counted = { value: "counted", label: "It was in stock" } as const;
const others = [
  { value: "another", label: "Another item" },
  { value: "refund", label: "Money back" },
] as const;

const hints: Readonly<Record<Way, string>> = {
  counted: "The missing units are added to the inventory, and the sale is booked.",
  another: "The sale is booked on the item you pick, at the same price.",
  refund: "The customer gets the money back the way it was paid, and nothing is booked.",
};

const scanMode = { kind: "scan" } as const;

type SettleDialogProps = { readonly line: RefusedLine; readonly onClose: () => void };

export function SettleDialog({ line, onClose }: SettleDialogProps) {
  const isCountable = canBeCounted(line);
  const [way, setWay] = useState<Way>(isCountable ? "counted" : "another");
  const [other, setOther] = useState<CatalogueItem>();
  const [wrong, setWrong] = useState<string>();
  const settling = useAction(async (chosen: Way, key: string) => {
    if (chosen === "counted") {
      await settleAsCounted(line, key);
    } else if (chosen === "refund") {
      await settleAsRefunded(line, new Date());
    } else if (other !== undefined) {
      await settleAsAnotherItem(line, cartItemOf(other));
    }
    return true;
  });
  const { itemName } = line.target;
  const { units, grossCents } = line.line;
  const amount = formatMoney(grossCents);

  async function settle(): Promise<void> {
    if (way === "another" && other === undefined) {
      setWrong("Pick the item that was sold");
      return;
    }
    setWrong(undefined);
    if ((await settling.run(way)) === true) {
      showToast(way === "refund" ? `${amount} given back` : `${itemName} will be sent again`);
      onClose();
    }
  }

  const acts: Readonly<Record<Way, string>> = {
    counted: "Count and book",
    another: "Book as this item",
    refund: `Refund ${amount}`,
  };
  return (
    <Dialog
      title="Taken, not booked"
      description={`${formatQuantity(units, "unit")} of ${itemName} (${ownerName(line.target)}) for ${amount}. Reason: ${line.message}`}
      isWide
      isBusy={settling.isBusy}
      onClose={onClose}
      onSubmit={() => void settle()}
      footer={
        <>
          <Button onClick={onClose} disabled={settling.isBusy}>
            Decide later
          </Button>
          <Button type="submit" variant="primary" isBusy={settling.isBusy}>
            {acts[way]}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <ChoiceGroup<Way>
          label="What happened?"
          value={way}
          onValue={(next) => {
            setWay(next);
            setWrong(undefined);
          }}
          choices={isCountable ? [counted, ...others] : others}
        />
        <p className="text-muted">{hints[way]}</p>
      </div>
      {way === "another" ? (
        <OtherItem
          item={other}
          onItem={(item) => {
            setOther(item);
            setWrong(undefined);
          }}
        />
      ) : null}
      <ErrorLine>{wrong ?? settling.error?.message}</ErrorLine>
    </Dialog>
  );
}

type OtherItemProps = {
  readonly item: CatalogueItem | undefined;
  readonly onItem: (item: CatalogueItem | undefined) => void;
};

function OtherItem({ item, onItem }: OtherItemProps) {
  const [typed, setTyped] = useState("");
  const [highlighted, setHighlighted] = useState(0);
  const found = useSearch(scanMode, typed);
  const id = useId();
  const choices = item === undefined ? (found?.items ?? []) : [];
  const hasChoices = choices.length > 0;

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.key === "Enter" && item === undefined) {
      event.preventDefault();
      onItem(choices[highlighted]);
    } else if (step !== undefined && hasChoices) {
      event.preventDefault();
      setHighlighted((highlighted + step + choices.length) % choices.length);
    }
  }

  return (
    <div className="flex flex-col gap-2">
      <TextInput
        icon={Search}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the field of a list of items with pictures
        role="combobox"
        aria-label="The item that was sold"
        aria-autocomplete="list"
        aria-expanded={hasChoices}
        aria-controls={hasChoices ? id : undefined}
        aria-activedescendant={hasChoices ? `${id}-${highlighted}` : undefined}
        placeholder="Scan or search the item that was sold"
        autoComplete="off"
        value={typed}
        onValue={(text) => {
          setTyped(text);
          setHighlighted(0);
          onItem(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      {item === undefined ? (
        found === undefined ? null : found.items.length === 0 ? (
          <p className="text-muted">No items found.</p>
        ) : (
          <ItemList
            id={id}
            label="Items found"
            items={found.items}
            highlighted={highlighted}
            onHighlight={setHighlighted}
            onPick={onItem}
          />
        )
      ) : (
        <p className="rounded-control bg-accent-tint px-3 py-2 wrap-anywhere">
          <span className="font-medium">{item.itemName}</span>
          {` · ${ownerName(item)} · ${item.barcode1}`}
        </p>
      )}
    </div>
  );
}

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
import { CancelledAcceptances } from "./cancelled-acceptances.tsx";
import { cancellationsFor, type SettlingWay } from "./held-by-trades.ts";
import { ItemList } from "./item-list.tsx";
import {
  settleAsAnotherItem,
  settleAsCounted,
  settleAsRefunded,
  settleOutOfTrades,
} from "./settlement.ts";
import type { RefusedLine } from "./taken-sale.ts";
import { cartItemOf } from "./till-cart.ts";
import { useHeldUnits, type HeldUnits } from "./use-held-units.ts";
import { useSearch } from "./use-search.ts";

const labels: Readonly<Record<SettlingWay, string>> = {
  cancel: "A trade holds it",
  counted: "It was in stock",
  another: "Another item",
  refund: "Money back",
};

const scanMode = { kind: "scan" } as const;

type SettleDialogProps = { readonly line: RefusedLine; readonly onClose: () => void };

export function SettleDialog({ line, onClose }: SettleDialogProps) {
  const held = useHeldUnits(line);
  const [chosen, setWay] = useState<SettlingWay>();
  const [acceptanceId, setAcceptanceId] = useState<string>();
  const [other, setOther] = useState<CatalogueItem>();
  const [isTried, setTried] = useState(false);
  const way = chosen !== undefined && held.ways.includes(chosen) ? chosen : held.ways[0];
  // What is likeliest is not known yet, but the money can be given back at once.
  const isUndecided = held.isLoading && chosen === undefined;
  const lacksItem = way === "another" && other === undefined;
  const cancellations = cancellationsFor(held.missing, held.acceptances, acceptanceId);
  const settling = useAction(async (by: SettlingWay, key: string) => {
    if (by === "cancel") {
      await settleOutOfTrades(line, cancellations);
    } else if (by === "counted") {
      await settleAsCounted(line, key);
    } else if (by === "refund") {
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
    setTried(true);
    if (lacksItem) {
      return;
    }
    if ((await settling.run(way)) === true) {
      showToast(way === "refund" ? `${amount} given back` : `${itemName} will be sent again`);
      onClose();
    }
  }

  const acts: Readonly<Record<SettlingWay, string>> = {
    cancel: `Cancel ${cancellations.length > 1 ? "these acceptances" : "that acceptance"} and sell`,
    counted: held.missing === 0 && held.isKnown ? "Book the sale" : "Count and book",
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
          <Button type="submit" variant="primary" isBusy={settling.isBusy} disabled={isUndecided}>
            {acts[way]}
          </Button>
        </>
      }
    >
      <WayPart way={isUndecided ? undefined : way} held={held} onWay={setWay} />
      {way === "cancel" ? (
        <CancelledAcceptances
          acceptances={held.acceptances}
          cancellations={cancellations}
          onChoose={setAcceptanceId}
        />
      ) : null}
      {way === "another" && !isUndecided ? <OtherItem item={other} onItem={setOther} /> : null}
      <ErrorLine>
        {isTried && lacksItem ? "Pick the item that was sold" : settling.error?.message}
      </ErrorLine>
    </Dialog>
  );
}

type WayPartProps = {
  /** Undefined until it is known what is likeliest, or the person knows. */
  readonly way: SettlingWay | undefined;
  readonly held: HeldUnits;
  readonly onWay: (way: SettlingWay) => void;
};

function WayPart({ way, held, onWay }: WayPartProps) {
  return (
    <div className="flex flex-col gap-2">
      <ChoiceGroup<SettlingWay>
        label="What happened?"
        value={way ?? ""}
        onValue={onWay}
        choices={held.ways.map((value) => ({ value, label: labels[value] }))}
      />
      <p className="text-muted">
        {way === undefined ? "Asking whether a trade holds it…" : hintOf(way, held)}
      </p>
      {held.isGone ? (
        <p>The trade that held it was sent, so nothing can be taken out of it any more.</p>
      ) : null}
    </div>
  );
}

function hintOf(way: SettlingWay, { missing, waiting, isKnown }: HeldUnits): string {
  if (way === "cancel") {
    return "What is missing is taken out of the trade, and the sale is booked.";
  }
  if (way === "another") {
    return "The sale is booked on the item you pick, at the same price.";
  }
  if (way === "refund") {
    return "The customer gets the money back the way it was paid, and nothing is booked.";
  }
  if (isKnown && missing === 0) {
    return "There is enough in stock now. The sale is booked.";
  }
  const kept =
    waiting === 0
      ? ""
      : ` ${formatQuantity(waiting, "more unit waits", "more units wait")} for shipping: trades hold them, so do not count them.`;
  return `The missing units are added to the inventory, and the sale is booked.${kept}`;
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

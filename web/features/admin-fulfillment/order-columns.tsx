// The columns of the fulfillment orders.
import { OctagonAlert } from "lucide-react";
import type { FulfillmentOrder } from "#features/trades/contract-orders.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { formatCount } from "#web/lib/formats.ts";
import { tradeStatusWords } from "#web/shared/trade/trade-words.ts";
import { ConsignorLink } from "#web/shared/consignor/consignor-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { actsOf, type OrderAct } from "./order-acts.ts";
import { PicturedName } from "#web/shared/item/pictured-name.tsx";

export type OnOrderAct = (act: OrderAct, order: FulfillmentOrder) => void;

/** "A-01", or "A-01 (2), B-03 (1)" if the units are in several places. */
export function pickText({ picks }: Pick<FulfillmentOrder, "picks">): string {
  return picks
    .map(({ location, units }) => {
      const place = location === "" ? "no location" : location;
      return picks.length === 1 ? place : `${place} (${units})`;
    })
    .join(", ");
}

/** Keep `onAct` stable: all rows render again when the columns change. */
export function orderColumns(onAct: OnOrderAct): readonly Column<FulfillmentOrder>[] {
  return [
    {
      id: "order",
      header: "Order",
      card: "line",
      width: "w-24",
      cell: ({ tradeId }) => <span className="font-mono text-12">{shortTradeId(tradeId)}</span>,
    },
    {
      id: "age",
      header: "Age",
      card: "none",
      cell: ({ statusSince }) => <DateTime at={statusSince} show="age" />,
    },
    {
      id: "buyer",
      header: "Buyer",
      card: "line",
      isTruncated: true,
      width: "min-w-24 w-[15%]",
      cell: ({ buyer }) => <ConsignorLink uid={buyer.uid} name={buyer.displayName} />,
    },
    {
      id: "item",
      header: "Item",
      card: "title",
      isTruncated: true,
      width: "min-w-48 w-[25%]",
      cell: ({ itemName, imageUrl }) => <PicturedName url={imageUrl}>{itemName}</PicturedName>,
    },
    {
      id: "units",
      header: "Units",
      card: "amount",
      align: "end",
      cell: ({ acceptedQuantity }) => (
        <span>
          {formatCount(acceptedQuantity)}
          <span className="text-12 font-normal text-muted hidden in-data-cards:inline">
            {acceptedQuantity === 1 ? " unit" : " units"}
          </span>
        </span>
      ),
    },
    {
      id: "pick",
      header: "Pick from",
      card: "foot",
      isTruncated: true,
      width: "min-w-24 w-[16%]",
      cell: (order) => <Pick order={order} />,
    },
    {
      id: "label",
      header: "Label",
      card: "none",
      shownFrom: "66rem",
      cell: ({ labelOwedBy }) => (labelOwedBy === "buyer" ? "Buyer's" : "Store's"),
    },
    {
      id: "status",
      header: "Status",
      card: "end-line",
      cell: (order) => <Status order={order} />,
    },
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      card: "foot",
      align: "end",
      cell: (order) => <RowActs order={order} onAct={onAct} />,
    },
  ];
}

function Pick({ order }: { readonly order: FulfillmentOrder }) {
  return order.picks.length === 0 ? (
    <Unknown reason="nothing to pick" />
  ) : (
    <>
      <span className="text-12 text-muted hidden in-data-cards:inline">Pick from </span>
      {pickText(order)}
    </>
  );
}

function Status({ order }: { readonly order: FulfillmentOrder }) {
  const { label, kind } = tradeStatusWords[order.status];
  return order.report === null ? (
    <Chip kind={kind}>{label}</Chip>
  ) : (
    <Chip kind="danger" icon={OctagonAlert}>
      {`Reported: ${order.report.kind}`}
    </Chip>
  );
}

type RowActsProps = { readonly order: FulfillmentOrder; readonly onAct: OnOrderAct };

function RowActs({ order, onAct }: RowActsProps) {
  const [main, ...others] = actsOf(order);
  const name = `${order.itemName}, ${shortTradeId(order.tradeId)}`;
  return (
    <span className="-my-1 flex items-center justify-end gap-1">
      <Button
        variant="quiet"
        icon={main.icon}
        aria-label={`${main.label}: ${name}`}
        onClick={() => onAct(main.act, order)}
      >
        {main.label}
      </Button>
      {others.length === 0 ? null : (
        <Menu
          label={`More for ${name}`}
          items={others.map(({ act, label, icon, isDanger }) => ({
            label,
            icon,
            isDanger,
            onSelect: () => onAct(act, order),
          }))}
        />
      )}
    </span>
  );
}

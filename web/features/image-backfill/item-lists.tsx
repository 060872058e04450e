// The two lists of the image backfill: items whose picture was not found, and items that have none yet.
import { ImageOff, RotateCcw } from "lucide-react";
import { Link } from "react-router-dom";
import type { BackfillFailure } from "#features/images/contract-backfill.ts";
import type { MissingImagesResponse } from "#features/images/contract.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { CutCode } from "#web/ui/cut-code.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { sameIndex, useFocusKept } from "#web/ui/focus-kept.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Unknown } from "#web/ui/unknown.tsx";

export const noImagePath = `${paths.admin}?preset=no-image`;

type MissingItem = MissingImagesResponse["items"][number];

const itemColumns: readonly Column<MissingItem>[] = [
  {
    id: "item",
    header: "Item",
    card: "title",
    isTruncated: true,
    width: "min-w-40 w-[34%]",
    cell: ({ itemName }) => <span className="font-medium">{itemName}</span>,
  },
  {
    id: "barcode",
    header: "Barcode",
    card: "line",
    isTruncated: true,
    width: "min-w-28",
    cell: ({ barcode1 }) => <CutCode>{barcode1}</CutCode>,
  },
  {
    id: "link",
    header: "Link",
    card: "none",
    isTruncated: true,
    width: "min-w-32 w-[30%]",
    cell: ({ link }) =>
      link === "" ? (
        <Unknown reason="known by its product number" />
      ) : (
        <a href={link} target="_blank" rel="noreferrer" className="text-accent hover:underline">
          {link.replace(/^https?:\/\/(?:www\.)?/u, "")}
        </a>
      ),
  },
];

type MissingItemsProps = {
  /** Those with a link. */
  readonly items: readonly MissingItem[];
  /** Whether there are others, without a link. */
  readonly hasOthers: boolean;
};

export function MissingItems({ items, hasOthers }: MissingItemsProps) {
  return (
    <DataTable
      label="Items without a picture"
      rows={items}
      rowId={({ itemUID }) => itemUID}
      columns={itemColumns}
      empty={
        hasOthers ? (
          <EmptyState
            icon={ImageOff}
            title="No item is waiting for a picture"
            action={<ButtonLink to={noImagePath}>Show items without a picture</ButtonLink>}
          >
            Items without a picture need a link to a product of the retailer.
          </EmptyState>
        ) : (
          <EmptyState icon={ImageOff} title="No item is without a picture">
            New items with a link to a product of the retailer appear here.
          </EmptyState>
        )
      }
    />
  );
}

type FailuresProps = {
  readonly failures: readonly BackfillFailure[];
  readonly isBusy: boolean;
  /** One item, or all of them. */
  readonly onRetry: (itemUID: string | undefined) => void;
};

function failureColumns({
  isBusy,
  onRetry,
}: Omit<FailuresProps, "failures">): readonly Column<BackfillFailure>[] {
  return [
    {
      id: "item",
      header: "Item",
      card: "title",
      isTruncated: true,
      width: "min-w-40 w-[34%]",
      cell: ({ itemName, itemUID }) => (
        <Link
          to={`${paths.admin}?item=${itemUID}`}
          className="font-medium text-accent hover:underline"
        >
          {itemName}
        </Link>
      ),
    },
    {
      id: "message",
      header: "Why",
      card: "line",
      isTruncated: true,
      width: "min-w-48",
      cell: ({ message }) => message,
    },
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      align: "end",
      cell: ({ itemName, itemUID }) => (
        <Button
          variant="quiet"
          icon={RotateCcw}
          disabled={isBusy}
          aria-label={`Retry: ${itemName}`}
          onClick={() => onRetry(itemUID)}
        >
          Retry
        </Button>
      ),
    },
  ];
}

export function Failures({ failures, isBusy, onRetry }: FailuresProps) {
  const frame = useFocusKept<HTMLElement>(isBusy, sameIndex);
  return (
    <section ref={frame} aria-label="Failures" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="flex items-center gap-2 text-16 font-semibold">
          <Icon of={ImageOff} size={16} />
          Not found
        </h2>
        <Button icon={RotateCcw} disabled={isBusy} onClick={() => onRetry(undefined)}>
          Retry all
        </Button>
      </div>
      <DataTable
        label="Items whose picture was not found"
        rows={failures}
        rowId={({ itemUID }) => itemUID}
        columns={failureColumns({ isBusy, onRetry })}
        empty={null}
      />
    </section>
  );
}

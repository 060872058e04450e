// What a mass input is about to add, barcode by barcode, before anything is saved.
import { X } from "lucide-react";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import type { ScanTally } from "./scan-tally.ts";

type MassInputReviewProps = {
  readonly tally: ScanTally;
  readonly itemName: string;
  readonly location: string;
  /** Removes every scan of a barcode. */
  readonly onRemove: (barcode: string) => void;
};

export function MassInputReview({ tally, itemName, location, onRemove }: MassInputReviewProps) {
  return (
    <>
      <FactList
        facts={[
          { label: "Name of new items", value: itemName.trim() },
          { label: "Location", value: location.trim() === "" ? "Unchanged" : location.trim() },
        ]}
      />
      <SmallTable
        label="Barcodes to add"
        columns={[
          { label: "Barcode" },
          { label: "Units", align: "end" },
          { label: "Remove", isHidden: true, isNarrow: true },
        ]}
        foot={
          <tr className="text-14 font-semibold">
            <th scope="row" className="h-(--row) text-start">
              {formatQuantity(tally.barcodes.length, "item")}
            </th>
            <td className="text-end tabular-nums">{formatCount(tally.units)}</td>
            <td aria-hidden="true" />
          </tr>
        }
      >
        {tally.barcodes.map(({ barcode, units }) => (
          <tr key={barcode} className="border-b border-border">
            <td className="h-(--row) font-mono wrap-anywhere">{barcode}</td>
            <td className="text-end text-14 tabular-nums">{formatCount(units)}</td>
            <td>
              <IconButton icon={X} label={`Remove ${barcode}`} onClick={() => onRemove(barcode)} />
            </td>
          </tr>
        ))}
      </SmallTable>
    </>
  );
}

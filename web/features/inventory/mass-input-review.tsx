// What a mass input is about to add, barcode by barcode, before anything is saved.
import { X } from "lucide-react";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import type { ScanTally } from "./scan-tally.ts";

type MassInputReviewProps = {
  readonly tally: ScanTally;
  readonly itemName: string;
  readonly location: string;
  /** Takes every scan of a barcode out. */
  readonly onRemove: (barcode: string) => void;
};

export function MassInputReview({ tally, itemName, location, onRemove }: MassInputReviewProps) {
  return (
    <>
      <FactList
        facts={[
          { label: "New items are called", value: itemName.trim() },
          { label: "Location", value: location.trim() === "" ? "As it is" : location.trim() },
        ]}
      />
      <table className="w-full" aria-label="Barcodes to be added">
        <thead>
          <tr className="border-b border-border text-12 font-medium text-muted">
            <th scope="col" className="h-9 text-start font-medium">
              Barcode
            </th>
            <th scope="col" className="text-end font-medium">
              Units
            </th>
            <th scope="col" className="w-px">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tally.barcodes.map(({ barcode, units }) => (
            <tr key={barcode} className="border-b border-border">
              <td className="h-(--row) font-mono text-12 wrap-anywhere">{barcode}</td>
              <td className="text-end tabular-nums">{formatCount(units)}</td>
              <td>
                <IconButton
                  icon={X}
                  label={`Remove ${barcode}`}
                  onClick={() => onRemove(barcode)}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="h-(--row) text-start">
              {formatQuantity(tally.barcodes.length, "item")}
            </th>
            <td className="text-end tabular-nums">{formatCount(tally.units)}</td>
            <td aria-hidden="true" />
          </tr>
        </tfoot>
      </table>
    </>
  );
}

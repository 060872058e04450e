// What a mass input is about to add, code by code: picture, name, new or known, before anything is saved.
import { X } from "lucide-react";
import { useId } from "react";
import { massInputRequest } from "#features/inventory/contract-commands.ts";
import { tooLongFor } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { CutCode } from "#web/ui/cut-code.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { useScans } from "#web/ui/scan-takers.ts";
import { SmallTable } from "#web/ui/small-table.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { isNameless, type IntakeLine } from "./intake-lines.ts";

export const NO_NAME = "Please enter an item name";

type MassInputReviewProps = {
  readonly lines: readonly IntakeLine[];
  readonly location: string;
  /** Says where names are missing. */
  readonly isChecked: boolean;
  /** Returns false if it takes none now. */
  readonly onScan: (code: string) => boolean;
  readonly onName: (barcode: string, itemName: string) => void;
  /** Removes every scan of a barcode. */
  readonly onRemove: (barcode: string) => void;
};

export function MassInputReview(props: MassInputReviewProps) {
  const { lines, location, isChecked, onScan, onName, onRemove } = props;
  useScans(onScan);
  const units = lines.reduce((sum, line) => sum + line.units, 0);
  return (
    <>
      <FactList
        facts={[
          { label: "Items", value: countsText(lines) },
          { label: "Location", value: locationText(location, lines) },
        ]}
      />
      {/* Has the focus first, because a held Enter would press Save. */}
      <div tabIndex={-1} data-first className="outline-none">
        <SmallTable
          label="Barcodes to add"
          columns={[
            { label: "Item" },
            { label: "Units", align: "end", isNarrow: true },
            { label: "Remove", isHidden: true, isNarrow: true },
          ]}
          foot={
            <tr className="text-14 font-semibold">
              <th scope="row" className="h-(--row) text-start">
                {formatQuantity(lines.length, "item")}
              </th>
              <td className="text-end tabular-nums">{formatCount(units)}</td>
              <td aria-hidden="true" />
            </tr>
          }
        >
          {lines.map((line) => (
            <tr key={line.barcode} className="border-b border-border">
              <td className="py-2">
                <LineItem line={line} isChecked={isChecked} onName={onName} />
              </td>
              <td className="text-end align-top text-14 tabular-nums">
                <span className="flex h-(--control) items-center justify-end">
                  {formatCount(line.units)}
                </span>
              </td>
              <td className="align-top">
                <IconButton
                  icon={X}
                  label={`Remove ${line.barcode}`}
                  onClick={() => onRemove(line.barcode)}
                />
              </td>
            </tr>
          ))}
        </SmallTable>
      </div>
    </>
  );
}

/** "2 new, 1 known" */
function countsText(lines: readonly IntakeLine[]): string {
  const known = lines.filter(({ kind }) => kind === "known").length;
  return `${formatCount(lines.length - known)} new, ${formatCount(known)} known`;
}

/** Without a location, known items keep theirs and new ones get none. */
function locationText(location: string, lines: readonly IntakeLine[]): string {
  const hasNew = lines.some(({ kind }) => kind !== "known");
  return location.trim() || (hasNew ? "None for new items" : "Unchanged");
}

type LineItemProps = Pick<MassInputReviewProps, "isChecked" | "onName"> & {
  readonly line: IntakeLine;
};

function LineItem({ line, isChecked, onName }: LineItemProps) {
  const { barcode, kind, itemName, imageUrl } = line;
  const errorId = useId();
  const wrong =
    kind === "known"
      ? undefined
      : isChecked && isNameless(line)
        ? NO_NAME
        : tooLongFor(massInputRequest.shape.itemName, itemName);
  return (
    <span className="flex items-start gap-3">
      <ItemImage url={imageUrl} size="thumb" />
      <span className="flex min-w-0 grow flex-col gap-1">
        {kind === "known" ? (
          <span className="flex min-h-(--control) items-center text-14 font-medium wrap-anywhere">
            {itemName}
          </span>
        ) : (
          <TextInput
            aria-label={`Item name of ${barcode}`}
            aria-invalid={wrong === undefined ? undefined : true}
            aria-describedby={wrong === undefined ? undefined : errorId}
            data-invalid={wrong === undefined ? undefined : true}
            data-takes-no-scans
            value={itemName}
            onValue={(text) => onName(barcode, text)}
            placeholder="Item name"
            autoComplete="off"
          />
        )}
        {wrong === undefined ? null : (
          <span id={errorId} className="text-danger">
            {wrong}
          </span>
        )}
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <StateChip line={line} />
          <CutCode>{barcode}</CutCode>
        </span>
      </span>
    </span>
  );
}

function StateChip({ line: { kind, units } }: { readonly line: IntakeLine }) {
  if (kind === "asking") {
    return <Chip kind="neutral">Looking it up</Chip>;
  }
  return kind === "known" ? (
    <Chip kind="neutral">{`Known +${formatCount(units)}`}</Chip>
  ) : (
    <Chip kind="accent">New</Chip>
  );
}

// The scanning step of a mass input: the camera, the codes with a live count, and what all of them have in common.
import { ScanBarcode } from "lucide-react";
import { massInputRequest, maxMassInputBarcodes } from "#features/inventory/contract-commands.ts";
import { ScanButton } from "#web/shared/scan/scan-button.tsx";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { CutCode } from "#web/ui/cut-code.tsx";
import { Field } from "#web/ui/field.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useScans } from "#web/ui/scan-takers.ts";
import { TextArea } from "#web/ui/text-area.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import type { IntakeLine } from "./intake-lines.ts";
import { withScan, type ScanTally } from "./scan-tally.ts";

export type Draft = {
  readonly itemName: string;
  readonly location: string;
  readonly barcodes: string;
};

type ScanFieldsProps = {
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly tally: ScanTally;
  readonly lines: readonly IntakeLine[];
  readonly onChange: (change: (last: Draft) => Draft) => void;
  /** A scan outside of the list. Returns false if it takes none now. */
  readonly onScan: (code: string) => boolean;
};

/** After the review, the next scan follows the last one. */
function goOnAtEnd(text: HTMLTextAreaElement | null): void {
  text?.setSelectionRange(text.value.length, text.value.length);
}

/** A phone scans with its camera, so that comes first there; the name of everything comes last. */
export function ScanFields(props: ScanFieldsProps) {
  const { draft, tally, lines, errors, onChange, onScan } = props;
  useScans(onScan);
  return (
    <div className="flex flex-col gap-4">
      <div className="max-sm:order-1 grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <TextField
          label="Item name"
          error={errors["itemName"]}
          help="For new items. Each can have its own in the review"
          value={draft.itemName}
          onValue={(itemName) => onChange((last) => ({ ...last, itemName }))}
          into={massInputRequest.shape.itemName}
          takesNoScans
        />
        <TextField
          label="Location"
          isOptional
          error={errors["location"]}
          value={draft.location}
          onValue={(location) => onChange((last) => ({ ...last, location }))}
          into={massInputRequest.shape.location}
        />
      </div>
      <Field label="Barcodes, one per line" error={errors["barcodes"]}>
        {(control) => (
          <TextArea
            {...control}
            value={draft.barcodes}
            onValue={(barcodes) => onChange((last) => ({ ...last, barcodes }))}
            data-first
            ref={goOnAtEnd}
            rows={7}
            spellCheck={false}
            autoComplete="off"
            className="max-h-72 min-h-44 font-mono max-sm:min-h-20"
          />
        )}
      </Field>
      <ScanCount
        tally={tally}
        lines={lines}
        onCode={(code) =>
          onChange((last) => ({ ...last, barcodes: withScan(last.barcodes, code) }))
        }
      />
    </div>
  );
}

type ScanCountProps = {
  readonly tally: ScanTally;
  readonly lines: readonly IntakeLine[];
  readonly onCode: (code: string) => void;
};

function ScanCount({ tally, lines, onCode }: ScanCountProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 max-sm:-order-1 sm:-mt-2">
      <LiveCount tally={tally} />
      <ScanButton
        title="Scan with the camera"
        word="Scan with the camera"
        takes="many"
        onCode={onCode}
        className="max-sm:-order-1 max-sm:w-full"
      >
        {() => <LastScan line={lines.find(({ barcode }) => barcode === tally.last)} />}
      </ScanButton>
    </div>
  );
}

/** What the last code is, under the camera's picture. */
function LastScan({ line }: { readonly line: IntakeLine | undefined }) {
  if (line === undefined || line.kind === "asking") {
    return <p className="min-h-5" />;
  }
  const { kind, itemName, units } = line;
  const state = kind === "known" ? `known, +${formatCount(units)}` : "new";
  return (
    <output className="min-h-5 truncate font-medium">
      {itemName === "" ? "A new code" : `${itemName}: ${state}`}
    </output>
  );
}

function LiveCount({ tally }: { readonly tally: ScanTally }) {
  const isTooMany = tally.units > maxMassInputBarcodes;
  return (
    <output
      className={`flex flex-wrap items-center gap-x-2 tabular-nums ${isTooMany ? "text-danger" : "text-muted"}`}
    >
      <Icon of={ScanBarcode} />
      <span className="font-semibold text-text">{formatQuantity(tally.units, "barcode")}</span>
      <span>{formatQuantity(tally.barcodes.length, "different item")}</span>
      {tally.last === undefined ? null : (
        <span className="max-w-full truncate">
          last <CutCode>{tally.last}</CutCode>
        </span>
      )}
      {isTooMany ? <span>{`At most ${formatCount(maxMassInputBarcodes)} at once`}</span> : null}
    </output>
  );
}

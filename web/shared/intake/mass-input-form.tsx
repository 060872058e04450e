// Mass input: scan after scan into one field with a live count, then a review of what will be added, then all of it or nothing.
import { ScanBarcode } from "lucide-react";
import { useState } from "react";
import { massInputRequest, maxMassInputBarcodes } from "#features/inventory/contract-commands.ts";
import { ScanButton } from "#web/shared/scan/scan-button.tsx";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { CutCode } from "#web/ui/cut-code.tsx";
import { Field } from "#web/ui/field.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf, type ConsignorPick } from "#web/shared/consignor/consignor-pick.ts";
import { rememberConsignor, rememberedConsignor } from "#web/shared/consignor/consignor-api.ts";
import { massInput } from "./mass-input-api.ts";
import { MassInputReview } from "./mass-input-review.tsx";
import { tallyOf, withoutBarcode, withScan, type ScanTally } from "./scan-tally.ts";

/** A shipment whose goods are taken in. */
export type IntakeShipment = {
  readonly id: string;
  readonly shortId: string;
  /** Null for an unknown sender: the goods become the store's own. */
  readonly consignorID: string | null;
  readonly displayName: string;
  readonly declaredUnits: number | null;
};

type MassInputFormProps = {
  readonly shipment?: IntakeShipment;
  readonly onClose: () => void;
};

type Draft = { readonly itemName: string; readonly location: string; readonly barcodes: string };

const emptyDraft: Draft = { itemName: "", location: "", barcodes: "" };

type Sent = Draft & { readonly consignorID?: string; readonly shipmentId?: string };

/** The owner of the goods and the shipment they came in. */
function sourceOf(shipment: IntakeShipment | undefined, pick: ConsignorPick) {
  if (shipment === undefined) {
    return { consignorID: pick.chosen?.uid ?? "" };
  }
  const { id: shipmentId, consignorID } = shipment;
  return { shipmentId, ...(consignorID === null ? {} : { consignorID }) };
}

function wrongWith(pick: ConsignorPick | undefined, sent: Sent): FieldErrors {
  const consignorError =
    pick === undefined ? undefined : pickError(pick, "Please select a consignor");
  const { consignorID: _, ...rest } = errorsIn(massInputRequest, sent);
  return {
    ...(consignorError === undefined ? {} : { consignorID: consignorError }),
    ...rest,
  };
}

export function MassInputForm({ shipment, onClose }: MassInputFormProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [pick, setPick] = useState(() => pickOf(rememberedConsignor()));
  // With a shipment the consignor is known.
  const asked = shipment === undefined ? pick : undefined;
  const [wrong, setWrong] = useState<FieldErrors>();
  const [isReview, setReview] = useState(false);
  const submission = useSubmission(massInput);
  const tally = tallyOf(draft.barcodes);
  const sent: Sent = { ...sourceOf(shipment, pick), ...draft };

  function change(to: (last: Draft) => Draft): void {
    setDraft(to);
    setWrong(undefined);
    submission.clear();
  }

  function review(): void {
    const found = wrongWith(asked, sent);
    setWrong(hasErrors(found) ? found : undefined);
    setReview(!hasErrors(found));
  }

  async function save(): Promise<void> {
    const found = wrongWith(asked, sent);
    const done = await submission.submit(found, sent);
    if (done !== undefined) {
      if (asked?.chosen !== undefined) {
        rememberConsignor(asked.chosen);
      }
      showToast(done.message);
      onClose();
    }
  }

  const errors = wrong ?? submission.errors;
  const common = {
    title: shipment === undefined ? "Mass Input" : `Intake of shipment ${shipment.shortId}`,
    isWide: true,
    isDirty: draft !== emptyDraft,
    submission: { ...submission, errors },
    errorPrefix: "Error adding items",
    onClose,
  };
  if (isReview) {
    const removed = (barcode: string) =>
      change((last) => ({ ...last, barcodes: withoutBarcode(last.barcodes, barcode) }));
    return (
      <FormDialog
        {...common}
        key="review"
        {...reviewTexts(shipment?.displayName ?? pick.chosen?.label, tally)}
        onCancel={() => setReview(false)}
        canSave={tally.units > 0}
        onSubmit={() => void save()}
      >
        <MassInputReview {...draft} tally={tally} onRemove={removed} />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      {...common}
      key="scan"
      description="Scan items one by one. Repeats add to the quantity."
      saveLabel="Review"
      onSubmit={review}
    >
      {shipment === undefined ? (
        <ConsignorField
          pick={pick}
          onPick={(next) => {
            setPick(next);
            setWrong(undefined);
          }}
          error={errors["consignorID"]}
        />
      ) : (
        <IntakeSource shipment={shipment} />
      )}
      <ScanFields draft={draft} tally={tally} errors={errors} onChange={change} />
    </FormDialog>
  );
}

function reviewTexts(name: string | undefined, tally: ScanTally) {
  return {
    description: `Check what ${name ?? "the consignor"} gets. Either all of it is saved, or nothing.`,
    cancelLabel: "Back to scanning",
    saveLabel: `Save ${formatQuantity(tally.units, "unit")}`,
  };
}

function IntakeSource({ shipment }: { readonly shipment: IntakeShipment }) {
  const { consignorID, displayName, declaredUnits } = shipment;
  return (
    <FactList
      facts={[
        { label: "Consignor", value: displayName },
        ...(declaredUnits === null
          ? []
          : [{ label: "Declared", value: formatQuantity(declaredUnits, "unit") }]),
        ...(consignorID === null
          ? [
              {
                label: "Goes to",
                value: "Master inventory, location UNCLAIMED unless you say another",
              },
            ]
          : []),
      ]}
    />
  );
}

type ScanFieldsProps = {
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly tally: ScanTally;
  readonly onChange: (change: (last: Draft) => Draft) => void;
};

function ScanFields({ draft, tally, errors, onChange }: ScanFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Field
          label="Item name"
          error={errors["itemName"]}
          help="For new items. Existing items keep their names"
        >
          {(control) => (
            <TextInput
              {...control}
              value={draft.itemName}
              onValue={(itemName) => onChange((last) => ({ ...last, itemName }))}
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Location" isOptional error={errors["location"]}>
          {(control) => (
            <TextInput
              {...control}
              value={draft.location}
              onValue={(location) => onChange((last) => ({ ...last, location }))}
              autoComplete="off"
            />
          )}
        </Field>
      </div>
      <Field label="Barcodes, one per line" error={errors["barcodes"]}>
        {(control) => (
          <TextArea
            {...control}
            value={draft.barcodes}
            onValue={(barcodes) => onChange((last) => ({ ...last, barcodes }))}
            rows={7}
            spellCheck={false}
            autoComplete="off"
            className="max-h-72 min-h-44 font-mono max-sm:min-h-20"
          />
        )}
      </Field>
      <ScanCount
        tally={tally}
        onCode={(code) =>
          onChange((last) => ({ ...last, barcodes: withScan(last.barcodes, code) }))
        }
      />
    </>
  );
}

type ScanCountProps = { readonly tally: ScanTally; readonly onCode: (code: string) => void };

function ScanCount({ tally, onCode }: ScanCountProps) {
  return (
    <div className="-mt-2 flex flex-wrap items-center justify-between gap-2">
      <LiveCount tally={tally} />
      <ScanButton
        title="Scan with the camera"
        word="Scan with the camera"
        takes="many"
        onCode={onCode}
        className="max-sm:w-full"
      />
    </div>
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

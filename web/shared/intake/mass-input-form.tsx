// Mass input: scan after scan into one field with a live count, then a review of what will be added, then all of it or nothing.
import { useState, type Dispatch, type SetStateAction } from "react";
import { massInputRequest, type MassInputRequest } from "#features/inventory/contract-commands.ts";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { FactList } from "#web/ui/fact-list.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { showScanToast, showTakenToast, showToast } from "#web/ui/toast.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf, type ConsignorPick } from "#web/shared/consignor/consignor-pick.ts";
import { rememberConsignor, rememberedConsignor } from "#web/shared/consignor/consignor-api.ts";
import { isNameless, itemsToSend, linesOf, type TypedNames } from "./intake-lines.ts";
import { useKnownCodes } from "./known-codes.ts";
import { massInput } from "./mass-input-api.ts";
import { MassInputReview, NO_NAME } from "./mass-input-review.tsx";
import { ScanFields, type Draft } from "./mass-input-scan.tsx";
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

const emptyDraft: Draft = { itemName: "", location: "", barcodes: "" };

type Sent = MassInputRequest & Draft;

/** The owner of the goods and the shipment they came in. */
function sourceOf(shipment: IntakeShipment | undefined, pick: ConsignorPick) {
  if (shipment === undefined) {
    return { consignorID: pick.chosen?.uid ?? "" };
  }
  const { id: shipmentId, consignorID } = shipment;
  return { shipmentId, ...(consignorID === null ? {} : { consignorID }) };
}

/** Whose items get the units: null for the store, also while nobody is picked. */
function ownerOf(shipment: IntakeShipment | undefined, pick: ConsignorPick): string | null {
  return shipment === undefined ? (pick.chosen?.uid ?? null) : shipment.consignorID;
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

/** What each code is and will be called; `items` is what the request says of new ones. */
function useIntakeLines(ownerUid: string | null, tally: ScanTally, { itemName }: Draft) {
  const [names, setNames] = useState<TypedNames>({});
  const facts = useKnownCodes(
    ownerUid,
    tally.barcodes.map(({ barcode }) => barcode),
  );
  const lines = linesOf(tally, facts, names, itemName);
  return {
    lines,
    // Without any code there is nothing to name in the review, so the common name is asked for.
    items: tally.units === 0 ? {} : { items: itemsToSend(lines, facts) },
    setName: (barcode: string, name: string) => setNames((last) => ({ ...last, [barcode]: name })),
  };
}

/** The input's state, and its two steps: a review of what was scanned, and saving all of it. */
function useMassInput({ shipment, onClose }: MassInputFormProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [pick, setPick] = useState(() => pickOf(rememberedConsignor()));
  // With a shipment the consignor is known.
  const asked = shipment === undefined ? pick : undefined;
  const [wrong, setWrong] = useState<FieldErrors>();
  const [isReview, setReview] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const submission = useSubmission(massInput);
  const tally = tallyOf(draft.barcodes);
  const { lines, items, setName } = useIntakeLines(ownerOf(shipment, pick), tally, draft);
  const sent: Sent = { ...sourceOf(shipment, pick), ...draft, ...items };

  function change(to: (last: Draft) => Draft): void {
    setDraft(to);
    setWrong(undefined);
    submission.clear();
  }

  /** A scan goes on with the input also in the review; it is refused if it could not be saved. */
  function scan(code: string): void {
    const barcodes = withScan(draft.barcodes, code);
    const error = errorsIn(massInputRequest, { ...sent, barcodes })["barcodes"];
    if (error === undefined) {
      showTakenToast(`Added to the list: ${code}`);
      change((last) => ({ ...last, barcodes: withScan(last.barcodes, code) }));
    } else {
      showScanToast(error);
    }
  }

  function review(): void {
    const found = wrongWith(asked, sent);
    setWrong(hasErrors(found) ? found : undefined);
    setReview(!hasErrors(found));
  }

  async function save(): Promise<void> {
    const found = wrongWith(asked, sent);
    setChecked(true);
    // As errors of the form they move the focus to the first of them, which may be out of sight.
    const nameless = lines.filter(isNameless).map(({ barcode }) => [`name of ${barcode}`, NO_NAME]);
    const done = await submission.submit({ ...found, ...Object.fromEntries(nameless) }, sent);
    if (done !== undefined) {
      if (asked?.chosen !== undefined) {
        rememberConsignor(asked.chosen);
      }
      showToast(done.message);
      onClose();
    }
  }

  return {
    draft,
    change,
    pick,
    tally,
    lines,
    setName,
    submission,
    isReview,
    setReview,
    isChecked,
    scan,
    review,
    save,
    errors: wrong ?? submission.errors,
    choose: (next: SetStateAction<ConsignorPick>) => {
      setPick(next);
      setWrong(undefined);
    },
  };
}

export function MassInputForm({ shipment, onClose }: MassInputFormProps) {
  const input = useMassInput(shipment === undefined ? { onClose } : { shipment, onClose });
  const { draft, change, pick, tally, lines, submission, errors } = input;
  const common = {
    title: shipment === undefined ? "Mass Input" : `Intake of shipment ${shipment.shortId}`,
    isWide: true,
    isDirty: draft !== emptyDraft,
    submission: { ...submission, errors },
    errorPrefix: "Error adding items",
    onClose,
  };
  // A scan that no field takes goes on with the input, whatever has the focus.
  const takeScan = (code: string) => {
    if (!submission.isBusy) {
      input.scan(code);
    }
    return !submission.isBusy;
  };
  if (input.isReview) {
    const removed = (barcode: string) =>
      change((last) => ({ ...last, barcodes: withoutBarcode(last.barcodes, barcode) }));
    return (
      <FormDialog
        {...common}
        key="review"
        {...reviewTexts(shipment?.displayName ?? pick.chosen?.label, tally)}
        onCancel={() => input.setReview(false)}
        canSave={tally.units > 0}
        onSubmit={() => void input.save()}
      >
        <MassInputReview
          lines={lines}
          onScan={takeScan}
          location={draft.location}
          isChecked={input.isChecked}
          onName={(barcode, itemName) => {
            input.setName(barcode, itemName);
            submission.clear();
          }}
          onRemove={removed}
        />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      {...common}
      key="scan"
      description="Scan items one by one. Repeats add to the quantity."
      saveLabel="Review"
      onSubmit={input.review}
    >
      <SourceField
        shipment={shipment}
        pick={pick}
        onPick={input.choose}
        error={errors["consignorID"]}
      />
      <ScanFields
        draft={draft}
        tally={tally}
        lines={lines}
        errors={errors}
        onChange={change}
        onScan={takeScan}
      />
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

type SourceFieldProps = {
  readonly shipment: IntakeShipment | undefined;
  readonly pick: ConsignorPick;
  readonly onPick: Dispatch<SetStateAction<ConsignorPick>>;
  readonly error: string | undefined;
};

function SourceField({ shipment, ...field }: SourceFieldProps) {
  return shipment === undefined ? (
    <ConsignorField {...field} />
  ) : (
    <IntakeSource shipment={shipment} />
  );
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

// Submits or edits a shipment. It guesses the carrier from the number; several boxes are entered one after the other.
import { useState, type ReactNode } from "react";
import {
  shipmentRequest,
  type ShipmentChangedResponse,
  type ShipmentView,
} from "#features/shipments/contract.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { changeShipment, submitShipment, type Whose } from "./shipment-api.ts";
import {
  draftOf,
  emptyDraft,
  nextBox,
  requestOf,
  withNumber,
  wrongIn,
  type CarrierChoice,
  type ShipmentDraft,
} from "./shipment-draft.ts";

/** The sender, if an admin enters the shipment. */
type Sender = {
  /** Undefined for an unknown sender. */
  readonly uid: string | undefined;
  readonly error: string | undefined;
};

type ShipmentFormProps = {
  readonly whose: Whose;
  /** The shipment to edit; without it a new one is submitted. */
  readonly shipment?: ShipmentView;
  readonly sender?: Sender;
  /** The field for the sender, with its error. */
  readonly children?: (senderError: string | undefined) => ReactNode;
  readonly onClose: () => void;
};

type Sent = {
  readonly draft: ShipmentDraft;
  readonly consignorID: string | undefined;
  /** The first of the boxes that were entered here. */
  readonly boxOf: string | undefined;
};

function useSend(whose: Whose, shipment: ShipmentView | undefined) {
  return useSubmission(({ draft, consignorID, boxOf }: Sent, key: string) => {
    const body = requestOf(draft);
    const more = {
      ...(consignorID === undefined ? {} : { consignorID }),
      ...(boxOf === undefined ? {} : { boxOf }),
    };
    return shipment === undefined
      ? submitShipment({ whose, body: { ...body, ...more } }, key)
      : changeShipment(
          { whose, id: shipment.id, body: { ...body, expectedVersion: shipment.version } },
          key,
        );
  });
}

function say({ message, shortId, warning }: ShipmentChangedResponse): void {
  showToast(`${message} (${shortId})${warning === null ? "" : `. ${warning}`}`);
}

function titleOf(whose: Whose, shipment: ShipmentView | undefined): string {
  if (shipment !== undefined) {
    return `Edit shipment ${shipment.shortId}`;
  }
  return whose === "admin" ? "Enter shipment" : "Submit Shipment";
}

export function ShipmentForm({
  whose,
  shipment: newest,
  sender,
  children,
  onClose,
}: ShipmentFormProps) {
  // What the form was filled from: a list behind it may get newer rows while it is open.
  const [shipment] = useState(newest);
  const [start, setStart] = useState(() =>
    shipment === undefined ? emptyDraft : draftOf(shipment),
  );
  const [draft, setDraft] = useState(start);
  const [first, setFirst] = useState<{ readonly id: string; readonly uid: string | undefined }>();
  const submission = useSend(whose, shipment);
  const isNew = shipment === undefined;

  function change(changes: (last: ShipmentDraft) => ShipmentDraft): void {
    setDraft(changes);
    submission.clear();
  }

  async function save(isLast: boolean): Promise<void> {
    const senderError = sender?.error;
    const wrong = {
      ...(senderError === undefined ? {} : { consignorID: senderError }),
      ...wrongIn(draft),
    };
    // Boxes of another sender are not the same shipment.
    const boxOf = first?.uid === sender?.uid ? first?.id : undefined;
    const done = await submission.submit(wrong, { draft, consignorID: sender?.uid, boxOf });
    if (done === undefined) {
      return;
    }
    say(done);
    if (isLast) {
      onClose();
    } else {
      setFirst({ id: boxOf ?? done.id, uid: sender?.uid });
      const next = nextBox(draft);
      setStart(next);
      setDraft(next);
    }
  }

  return (
    <FormDialog
      title={titleOf(whose, shipment)}
      {...(isNew ? { description: "One entry for each box, up to 70 pounds." } : {})}
      isDirty={draft !== start}
      submission={submission}
      errorPrefix={isNew ? "Error submitting shipment" : "Error updating shipment"}
      saveLabel={isNew ? "Submit Shipment" : "Save"}
      {...(isNew
        ? {
            otherButton: (
              <Button disabled={submission.isBusy} onClick={() => void save(false)}>
                Submit & add another box
              </Button>
            ),
          }
        : {})}
      onClose={onClose}
      onSubmit={() => void save(true)}
    >
      {children?.(submission.errors["consignorID"])}
      <Fields
        draft={draft}
        errors={submission.errors}
        isNew={isNew}
        labelText={whose === "admin" ? "A prepaid label is needed" : "I need a prepaid label"}
        onChange={change}
      />
    </FormDialog>
  );
}

const carrierChoices: readonly Choice<CarrierChoice>[] = [
  { value: "USPS", label: "USPS" },
  { value: "UPS", label: "UPS" },
  { value: "FEDEX", label: "FedEx" },
  { value: "DROP_OFF", label: "Drop-off at the store" },
  { value: "OTHER", label: "Other" },
];

type FieldsProps = {
  readonly draft: ShipmentDraft;
  readonly errors: FieldErrors;
  readonly isNew: boolean;
  readonly labelText: string;
  readonly onChange: (change: (last: ShipmentDraft) => ShipmentDraft) => void;
};

function Fields({ draft, errors, isNew, labelText, onChange }: FieldsProps) {
  const put = (changes: Partial<ShipmentDraft>) => onChange((last) => ({ ...last, ...changes }));
  return (
    <>
      <Checkbox
        label={labelText}
        isChecked={draft.needsLabel}
        onChecked={(needsLabel) => put({ needsLabel })}
      />
      {draft.needsLabel && isNew ? (
        <p className="-mt-2 text-12 text-muted">
          The store uploads a label with its tracking number. You then download it here.
        </p>
      ) : (
        <ParcelFields draft={draft} errors={errors} onChange={onChange} />
      )}
      <div className="grid grid-cols-[1fr_7rem] items-start gap-4">
        <Field
          label="Contents"
          isOptional
          typed={{ text: draft.contents, into: shipmentRequest.shape.contents }}
          error={errors["contents"]}
        >
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              value={draft.contents}
              onValue={(contents) => put({ contents })}
            />
          )}
        </Field>
        <Field label="Units" isOptional error={errors["declaredUnits"]}>
          {(control) => (
            <NumberInput {...control} value={draft.units} onValue={(units) => put({ units })} />
          )}
        </Field>
      </div>
    </>
  );
}

function ParcelFields({ draft, errors, onChange }: Omit<FieldsProps, "isNew" | "labelText">) {
  return (
    <>
      <Field
        label="Tracking number"
        isOptional={draft.carrier === "DROP_OFF" || draft.needsLabel}
        error={errors["trackingNumber"]}
        {...(draft.carrier === "DROP_OFF"
          ? { help: "Leave blank and the store assigns a number" }
          : {})}
      >
        {(control) => (
          <TextInput
            {...control}
            value={draft.trackingNumber}
            onValue={(number) => onChange((last) => withNumber(last, number))}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Carrier"
        error={errors["carrier"]}
        {...(draft.carrier !== "" && !draft.isChosen ? { help: "Guessed from the number" } : {})}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.carrier}
            choices={carrierChoices}
            placeholder="Choose a carrier"
            onValue={(carrier) => onChange((last) => ({ ...last, carrier, isChosen: true }))}
          />
        )}
      </Field>
      {draft.carrier === "OTHER" ? (
        <Field label="Carrier name" error={errors["carrierName"]}>
          {(control) => (
            <TextInput
              {...control}
              value={draft.carrierName}
              onValue={(carrierName) => onChange((last) => ({ ...last, carrierName }))}
            />
          )}
        </Field>
      ) : null}
    </>
  );
}

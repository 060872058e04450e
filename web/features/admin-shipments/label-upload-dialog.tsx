// Uploads the prepaid label that a consignor requested, with its tracking number.
import { useState } from "react";
import type { ShipmentView } from "#features/shipments/contract.ts";
import { fileKeyOf } from "#web/lib/file-key.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { carrierOf } from "#web/shared/shipment/carriers.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { uploadLabel, type LabelUpload } from "./admin-shipments-api.ts";

const carrierChoices = [
  { value: "USPS", label: "USPS" },
  { value: "UPS", label: "UPS" },
  { value: "FEDEX", label: "FedEx" },
] as const;

const MAX_BYTES = 10 * 1_048_576;
const fieldOf = {
  file_too_large: "label",
  empty_file: "label",
  not_a_pdf: "label",
  incomplete_pdf: "label",
  pdf_with_actions: "label",
  unreadable_pdf: "label",
};

type Draft = {
  readonly file: File | undefined;
  readonly trackingNumber: string;
  readonly carrier: LabelUpload["carrier"];
  /** True if the carrier was chosen by hand: it is not guessed any more. */
  readonly isChosen: boolean;
};

const emptyDraft: Draft = { file: undefined, trackingNumber: "", carrier: "USPS", isChosen: false };

function wrongIn({ file, trackingNumber }: Draft): FieldErrors {
  return {
    ...(file === undefined ? { label: "Please select a label file" } : {}),
    ...(file !== undefined && file.size > MAX_BYTES
      ? { label: "A file can be at most 10 MB" }
      : {}),
    ...(trackingNumber.trim() === "" ? { trackingNumber: "Please enter a tracking number" } : {}),
  };
}

type LabelUploadDialogProps = { readonly shipment: ShipmentView; readonly onClose: () => void };

export function LabelUploadDialog({ shipment, onClose }: LabelUploadDialogProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const submission = useSubmission(uploadLabel, fieldOf);
  const act = shipment.label === "ready" ? "Replace label" : "Upload label";

  function change(changes: Partial<Draft>): void {
    setDraft((last) => ({ ...last, ...changes }));
    submission.clear();
  }

  async function upload(): Promise<void> {
    const file = draft.file ?? new File([], "");
    const done = await submission.submit(wrongIn(draft), {
      id: shipment.id,
      file,
      fileKey: fileKeyOf(file),
      trackingNumber: draft.trackingNumber,
      carrier: draft.carrier,
    });
    if (done !== undefined) {
      showToast(done.warning === null ? done.message : `${done.message} ${done.warning}`);
      onClose();
    }
  }

  return (
    <FormDialog
      title={act}
      description={`Shipment ${shipment.shortId} of ${shipment.displayName}`}
      isDirty={draft !== emptyDraft}
      submission={submission}
      errorPrefix="Error uploading label"
      saveLabel={act}
      busyLabel="Uploading..."
      onClose={onClose}
      onSubmit={() => void upload()}
    >
      <Field
        label="Label file"
        error={submission.errors["label"]}
        help="A PDF of at most 10 MB. Only the consignor and the store can open it."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept="application/pdf,.pdf"
            onChange={(event) => change({ file: event.target.files?.[0] })}
            className="control w-full py-0 ps-0 file:me-3 file:h-full file:border-0 file:border-e file:border-border file:bg-fill file:px-3 file:font-medium file:text-text"
          />
        )}
      </Field>
      <div className="grid grid-cols-[1fr_8rem] items-start gap-4">
        <Field label="Tracking number" error={submission.errors["trackingNumber"]}>
          {(control) => (
            <TextInput
              {...control}
              value={draft.trackingNumber}
              onValue={(trackingNumber) => {
                const guessed = draft.isChosen ? undefined : carrierOf(trackingNumber);
                change({ trackingNumber, ...(guessed === undefined ? {} : { carrier: guessed }) });
              }}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Carrier" error={submission.errors["carrier"]}>
          {(control) => (
            <Select
              {...control}
              value={draft.carrier}
              onValue={(carrier) => change({ carrier, isChosen: true })}
              choices={carrierChoices}
            />
          )}
        </Field>
      </div>
    </FormDialog>
  );
}

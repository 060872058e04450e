// Uploads a trade's shipping label with its tracking number. It shows the addresses for the label.
import { useState } from "react";
import { MAX_LABEL_BYTES, type LabelCarrier } from "#features/trades/contract.ts";
import { type Trade } from "#features/trades/contract-reads.ts";
import { fileKeyOf } from "#web/lib/file-key.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ParcelLabel } from "./parcel-label.tsx";
import { uploadLabel, type LabelUpload } from "./trade-api.ts";

const carriers = [
  { value: "USPS", label: "USPS" },
  { value: "UPS", label: "UPS" },
  { value: "FedEx", label: "FedEx" },
] as const;

const fieldOf = { file_too_large: "label" };

type Draft = {
  readonly file: File | undefined;
  readonly trackingNumber: string;
  readonly carrier: LabelCarrier;
};

function wrongIn({ file, trackingNumber }: Draft): FieldErrors {
  return {
    ...(file === undefined
      ? { label: "Please select a label file" }
      : file.size > MAX_LABEL_BYTES
        ? { label: "A label file can be at most 10 MB" }
        : {}),
    ...(trackingNumber.trim() === "" ? { trackingNumber: "Please enter a tracking number" } : {}),
  };
}

type LabelDialogProps = { readonly trade: Trade; readonly onClose: () => void };

export function LabelDialog({ trade, onClose }: LabelDialogProps) {
  const [start] = useState<Draft>({
    file: undefined,
    trackingNumber: trade.trackingNumber ?? "",
    carrier: trade.carrier ?? "USPS",
  });
  const [draft, setDraft] = useState(start);
  const submission = useSubmission(uploadLabel, fieldOf);
  const isReplacing = trade.labelUrl !== null;

  function change(changes: Partial<Draft>): void {
    setDraft({ ...draft, ...changes });
    submission.clear();
  }

  async function upload(): Promise<void> {
    const file = draft.file ?? new File([], "");
    const body: LabelUpload = {
      ...draft,
      tradeId: trade.tradeId,
      file,
      fileKey: fileKeyOf(file),
    };
    if ((await submission.submit(wrongIn(draft), body)) !== undefined) {
      showToast("Shipping label uploaded successfully!");
      onClose();
    }
  }

  return (
    <FormDialog
      title={isReplacing ? "Replace label" : "Upload label"}
      description={trade.itemName}
      isWide
      isDirty={draft !== start}
      submission={submission}
      errorPrefix="Error uploading label"
      saveLabel={isReplacing ? "Replace label" : "Upload label"}
      busyLabel="Uploading..."
      onClose={onClose}
      onSubmit={() => void upload()}
    >
      <ParcelLabel tradeId={trade.tradeId} />
      <LabelFields draft={draft} errors={submission.errors} onChange={change} />
    </FormDialog>
  );
}

type LabelFieldsProps = {
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly onChange: (changes: Partial<Draft>) => void;
};

function LabelFields({ draft, errors, onChange }: LabelFieldsProps) {
  return (
    <>
      <Field
        label="Label file"
        error={errors["label"]}
        help="A PDF of at most 10 MB. Only the buyer and the store can open it."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept="application/pdf,.pdf"
            onChange={(event) => onChange({ file: event.target.files?.[0] })}
            className="control w-full py-0 ps-0 file:me-3 file:h-full file:border-0 file:border-e file:border-border file:bg-fill file:px-3 file:font-medium file:text-text"
          />
        )}
      </Field>
      <div className="grid grid-cols-[8rem_1fr] items-start gap-4">
        <Field label="Carrier" error={errors["carrier"]}>
          {(control) => (
            <Select
              {...control}
              value={draft.carrier}
              onValue={(carrier) => onChange({ carrier })}
              choices={carriers}
            />
          )}
        </Field>
        <Field label="Tracking number" error={errors["trackingNumber"]}>
          {(control) => (
            <TextInput
              {...control}
              value={draft.trackingNumber}
              onValue={(trackingNumber) => onChange({ trackingNumber })}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      </div>
    </>
  );
}

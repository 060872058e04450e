// Reports a problem with the goods to the store. The trade does not complete until it is settled.
import { useState } from "react";
import { reportTradeRequest, type ReportKind } from "#features/trades/contract.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { reportTrade } from "#web/shared/trade/trade-api.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import type { ActDialogProps } from "./trade-act-dialog.tsx";
import { whyOver } from "./trade-acts.ts";

const kinds = [
  { value: "lost", label: "The parcel was lost" },
  { value: "damaged", label: "Goods are damaged" },
  { value: "wrong", label: "Wrong goods came" },
  { value: "returned", label: "The parcel was returned" },
] as const;

type Draft = { readonly kind: ReportKind | ""; readonly description: string };

const empty: Draft = { kind: "", description: "" };

export function ReportDialog({ trade, onClose }: ActDialogProps) {
  const [draft, setDraft] = useState(empty);
  const submission = useSubmission(reportTrade);

  async function report(): Promise<void> {
    const { kind, description } = draft;
    const body = description.trim() === "" ? { kind } : { kind, description };
    const wrong = errorsIn(reportTradeRequest, body);
    const sent = await submission.submit(wrong, {
      ...body,
      tradeId: trade.tradeId,
      kind: kind === "" ? "lost" : kind,
    });
    if (sent !== undefined) {
      showToast("Problem reported");
      onClose();
    }
  }
  function change(changes: Partial<Draft>): void {
    setDraft({ ...draft, ...changes });
    submission.clear();
  }

  return (
    <FormDialog
      title="Report a problem"
      description={trade.itemName}
      isDirty={draft !== empty}
      submission={submission}
      errorPrefix="Error reporting the problem"
      saveLabel="Report problem"
      busyLabel="Reporting..."
      overText={whyOver(trade, "report")}
      onClose={onClose}
      onSubmit={() => void report()}
    >
      <Field label="What is wrong" error={submission.errors["kind"]}>
        {(control) => (
          <Select
            {...control}
            value={draft.kind}
            placeholder="Choose"
            choices={kinds}
            onValue={(kind) => change({ kind })}
          />
        )}
      </Field>
      <TextField
        label="Description"
        isOptional
        error={submission.errors["description"]}
        value={draft.description}
        onValue={(description) => change({ description })}
        into={reportTradeRequest.shape.description}
      />
      <p className="text-muted">
        The store settles it with you. Until then the trade does not complete.
      </p>
    </FormDialog>
  );
}

// The remittances of sales tax, the newest first; one that was entered wrong can be taken back.
import { Landmark, Undo2 } from "lucide-react";
import { useState } from "react";
import { reverseRemittanceRequest, type RemittanceView } from "#features/months/contract.ts";
import { toCents } from "#ledger/money.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatDay, formatExact, formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { useNow } from "#web/lib/use-now.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Money } from "#web/ui/money.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { daysOf, monthAt, monthName } from "./month-words.ts";
import { reverseRemittance, useRemittances } from "./months-api.ts";
import { Figure, type Scope } from "./report-cells.tsx";

const TAKE_BACK = "[data-take-back]";

const idOf = ({ remittanceID }: RemittanceView): string => remittanceID;

/** The store's day; in this browser's time zone until the store's is known. */
function PaidOn({ at, timeZone }: { readonly at: string; readonly timeZone: string | undefined }) {
  const day = new Date(at).toLocaleDateString("sv-SE", { timeZone });
  return (
    <time dateTime={at} data-tip={formatExact(new Date(at))}>
      {formatDay(new Date(`${day}T00:00`))}
    </time>
  );
}

function columnsFor(
  timeZone: string | undefined,
  onReverse: (one: RemittanceView) => void,
): readonly Column<RemittanceView>[] {
  return [
    { id: "month", header: "For", card: "title", cell: ({ month }) => monthName(month) },
    {
      id: "amount",
      header: "Amount",
      align: "end",
      card: "amount",
      cell: (one) => <Money cents={toCents(one.amount)} />,
    },
    {
      id: "paid",
      header: "Paid",
      card: "end-line",
      cardLabel: "Paid",
      cell: ({ remittedAt }) => <PaidOn at={remittedAt} timeZone={timeZone} />,
    },
    {
      id: "reference",
      header: "Reference",
      card: "line",
      isTruncated: true,
      cell: ({ reference, note }) => [reference, note].filter(Boolean).join(" · ") || "—",
    },
    { id: "by", header: "Recorded by", card: "none", cell: ({ by }) => by.displayName },
    {
      id: "act",
      header: "Actions",
      isHeaderHidden: true,
      card: "foot",
      align: "end",
      cell: (one) =>
        one.reversed === null ? (
          <Button variant="quiet" icon={Undo2} data-take-back onClick={() => onReverse(one)}>
            Take back
          </Button>
        ) : (
          <Chip kind="neutral">Taken back</Chip>
        ),
    },
  ];
}

/** All months of the store up to the present one. */
function allMonths(now: Date, timeZone: string | undefined): Scope {
  return { consignor: undefined, from: "2000-01-01", to: daysOf(monthAt(now, timeZone)).to };
}

export function RemittanceList({ timeZone }: { readonly timeZone: string | undefined }) {
  const now = useNow();
  const { data, error, refresh } = useRemittances();
  const [reversed, setReversed] = useState<RemittanceView>();
  return (
    <section aria-labelledby="remittances" className="flex flex-col gap-2">
      <h2 id="remittances" className="text-16 font-semibold">
        Remittances
      </h2>
      {data === undefined ? null : (
        <p className="text-muted">
          <Figure number="taxOwed" amount={data.owed} scope={allMonths(now, timeZone)} /> of
          collected tax is not remitted yet, of all months.
        </p>
      )}
      <RowFocus main={TAKE_BACK}>
        <DataTable
          label="Remittances"
          columns={columnsFor(timeZone, setReversed)}
          rows={data?.remittances}
          rowId={idOf}
          error={error}
          errorTitle="The remittances could not be loaded"
          onRetry={refresh}
          empty={
            <EmptyState icon={Landmark} title="Nothing was remitted yet">
              Record what you paid to the tax authority.
            </EmptyState>
          }
        />
      </RowFocus>
      {reversed === undefined ? null : (
        <ReverseForm remittance={reversed} onClose={() => setReversed(undefined)} />
      )}
    </section>
  );
}

type ReverseFormProps = { readonly remittance: RemittanceView; readonly onClose: () => void };

function ReverseForm({ remittance, onClose }: ReverseFormProps) {
  const [reason, setReason] = useState("");
  const submission = useSubmission(reverseRemittance);
  async function save(): Promise<void> {
    const body = { reason: reason.trim() };
    const wrong = errorsIn(reverseRemittanceRequest, body);
    const message = await submission.submit(wrong, { id: remittance.remittanceID, ...body });
    if (message !== undefined) {
      showToast(message);
      onClose();
    }
  }
  return (
    <FormDialog
      title={`Take back ${formatMoney(toCents(remittance.amount))} for ${monthName(remittance.month)}?`}
      description="All of it is owed again. Then record the right amount."
      onClose={onClose}
      isDirty={reason !== ""}
      submission={submission}
      errorPrefix="Error taking back the remittance"
      saveLabel="Take back"
      onSubmit={() => void save()}
    >
      <TextField
        label="Reason"
        takesNoScans
        error={submission.errors["reason"]}
        value={reason}
        onValue={setReason}
        into={reverseRemittanceRequest.shape.reason}
      />
    </FormDialog>
  );
}

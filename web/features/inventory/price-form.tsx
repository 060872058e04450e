// Changes the tag prices of the selected items at once: by percent, by amount, or to a price, with old and new of each.
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { MOST_PRICED, type ChangePricesRequest } from "#features/inventory/contract-prices.ts";
import { asApiError } from "#web/lib/api-error.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { randomId } from "#web/lib/random-id.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { useRehearsal } from "#web/shared/rehearsal/use-rehearsal.ts";
import { daysUnsoldText } from "./days-unsold.ts";
import { changePrices } from "./inventory-api.ts";
import {
  pricePlan,
  requestOf,
  ruleOf,
  undoRequests,
  type PriceKind,
  type PricePlan,
} from "./price-plan.ts";

type PriceFormProps = {
  readonly items: readonly InventoryItem[];
  readonly onClose: () => void;
};

type Plan = PricePlan<InventoryItem>;

const kinds: readonly { readonly value: PriceKind; readonly label: string }[] = [
  { value: "percent-off", label: "Percent off" },
  { value: "amount-off", label: "Amount off" },
  { value: "set", label: "New price" },
];

const wrongText: Readonly<Record<PriceKind, string>> = {
  "percent-off": "Please enter a whole number from 1 to 99",
  "amount-off": "Please enter a valid amount",
  set: "Please enter a valid price",
};

const noPlan: Plan = { changed: [], unpriced: [], tooLow: [], same: [] };

async function takeBack(plan: Plan): Promise<void> {
  try {
    for (const body of undoRequests(plan)) {
      await changePrices(body, randomId());
    }
    showToast(`${formatQuantity(plan.changed.length, "tag price")} restored`);
  } catch (error) {
    showErrorToast(`Error restoring tag prices: ${asApiError(error).message}`);
  }
}

export function PriceForm({ items, onClose }: PriceFormProps) {
  const [kind, setKind] = useState<PriceKind>("percent-off");
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submission = useSubmission(changePrices);
  const rule = ruleOf(kind, text);
  const plan = rule === undefined ? noPlan : pricePlan(items, rule);
  const request = rule === undefined ? undefined : requestOf(plan, rule);
  const refusal = useRefusal(request);
  const counted = formatQuantity(plan.changed.length, "price");

  async function save(): Promise<void> {
    setWrong(rule === undefined);
    const done = request === undefined ? undefined : await submission.submit({}, request);
    if (done !== undefined) {
      showToast(done.message, { undo: () => void takeBack(plan) });
      onClose();
    }
  }

  const errors: FieldErrors = isWrong ? { change: wrongText[kind] } : {};
  return (
    <FormDialog
      title="Change prices"
      description={`Tag prices of ${formatQuantity(items.length, "item")}. What consignors are owed stays the same until something is sold.`}
      isWide
      onClose={onClose}
      isDirty={text !== ""}
      submission={{ ...submission, errors }}
      errorPrefix="Error changing prices"
      saveLabel={rule === undefined ? "Change prices" : `Change ${counted}`}
      canSave={rule === undefined || request !== undefined}
      onSubmit={() => void save()}
    >
      <RuleFields
        kind={kind}
        text={text}
        error={errors["change"]}
        onKind={(next) => {
          setKind(next);
          setText("");
          setWrong(false);
          submission.clear();
        }}
        onText={(next) => {
          setText(next);
          setWrong(false);
          submission.clear();
        }}
      />
      <Preview items={items} plan={rule === undefined ? undefined : plan} refusal={refusal} />
    </FormDialog>
  );
}

/** Why the ledger would refuse it as it stands, if it would. */
function useRefusal(body: ChangePricesRequest | undefined): string | undefined {
  const rehearsal = useRehearsal(
    body === undefined ? undefined : { method: "POST", path: "/inventory/prices", body },
  );
  return rehearsal.kind === "refused" ? rehearsal.message : undefined;
}

type RuleFieldsProps = {
  readonly kind: PriceKind;
  readonly text: string;
  readonly error: string | undefined;
  readonly onKind: (kind: PriceKind) => void;
  readonly onText: (text: string) => void;
};

function RuleFields({ kind, text, error, onKind, onText }: RuleFieldsProps) {
  const label = kinds.find(({ value }) => value === kind)?.label ?? "";
  return (
    <>
      <ChoiceGroup label="Change" value={kind} onValue={onKind} choices={kinds} />
      <Field label={label} error={error}>
        {(control) =>
          kind === "percent-off" ? (
            <NumberInput {...control} value={text} onValue={onText} after="%" />
          ) : (
            <MoneyInput {...control} value={text} onValue={onText} />
          )
        }
      </Field>
    </>
  );
}

type PreviewProps = {
  readonly items: readonly InventoryItem[];
  /** Undefined while the change is incomplete: then only the prices of now are shown. */
  readonly plan: Plan | undefined;
  readonly refusal: string | undefined;
};

const shownAtMost = 200;

function Preview({ items, plan, refusal }: PreviewProps) {
  const lines = plan?.changed ?? items.map((item) => ({ item, afterCents: undefined }));
  const more = lines.length - shownAtMost;
  const leftOut = plan === undefined ? undefined : leftOutText(plan);
  return (
    <section aria-label="What this does" className="flex flex-col gap-2">
      {lines.length === 0 ? null : (
        <SmallTable
          label="Tag prices"
          columns={[
            { label: "Item" },
            { label: "Unsold for", align: "end" },
            { label: "Tag price", align: "end" },
          ]}
        >
          {lines.slice(0, shownAtMost).map(({ item, afterCents }) => (
            <tr key={item.id} className="border-b border-border">
              <th scope="row" className="h-(--row) w-1/2 max-w-0 text-start font-normal">
                <span className="block truncate text-14">{item.itemName}</span>
              </th>
              <td className="text-end whitespace-nowrap text-muted">
                {item.quantity === 0 ? "none in stock" : daysUnsoldText(item)}
              </td>
              <td className="text-end text-14">
                <PriceChange before={item.tagPriceCents} after={afterCents} />
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
      {more > 0 ? <p className="text-muted">{`And ${formatCount(more)} more.`}</p> : null}
      <output className="flex flex-col gap-1 text-12 text-muted empty:hidden">
        {leftOut === undefined ? null : <span>{leftOut}</span>}
        {refusal === undefined ? null : (
          <span className="text-pending">{`As it stands, this will be refused: ${refusal}`}</span>
        )}
      </output>
    </section>
  );
}

type PriceChangeProps = {
  readonly before: number | null;
  readonly after: number | null | undefined;
};

function PriceChange({ before, after }: PriceChangeProps) {
  const old = before === null ? <Unknown reason="no tag price" /> : <Money cents={before} />;
  return after === undefined || after === null ? (
    old
  ) : (
    <span className="inline-flex items-center justify-end gap-1.5">
      <span className="text-muted">{old}</span>
      <Icon of={ArrowRight} size={14} className="text-muted" />
      <span className="sr-only">becomes</span>
      <Money cents={after} className="font-semibold" />
    </span>
  );
}

/** "Left out: 2 items without a tag price, 1 item that costs no more than that." */
function leftOutText({ changed, unpriced, tooLow, same }: Plan): string | undefined {
  if (changed.length > MOST_PRICED) {
    return `At most ${formatCount(MOST_PRICED)} prices at once. Select fewer items.`;
  }
  const parts = [
    ...(unpriced.length === 0
      ? []
      : [`${formatQuantity(unpriced.length, "item")} without a tag price`]),
    ...(tooLow.length === 0
      ? []
      : [`${formatQuantity(tooLow.length, "item")} with nothing left of the price`]),
    ...(same.length === 0
      ? []
      : [`${formatQuantity(same.length, "item")} with this price already`]),
  ];
  return parts.length === 0 ? undefined : `Left out: ${parts.join(", ")}.`;
}

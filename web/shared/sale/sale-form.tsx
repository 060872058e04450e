// Records the sale of an item. The waterfall updates as price, shipping and share are typed.
import { useState } from "react";
import type { InventoryItem } from "#features/inventory/contract.ts";
import {
  recordMasterSaleRequest,
  recordSaleRequest,
  type RecordSaleResponse,
} from "#features/sales/contract-commands.ts";
import { dollarsToSend, parseDollars, wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatCount } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { DateInput } from "#web/ui/date-input.tsx";
import { SaveQuestion } from "#web/ui/save-question.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ownerName } from "#web/shared/item/owner-chip.tsx";
import { useClosedMonthHint } from "./closed-month-hint.ts";
import { useKnownPrice, usePriceCheck } from "./price-check.ts";
import { recordMasterSale, recordSale } from "./sale-api.ts";
import { agreedShareOf, useSellingTerms } from "./selling-terms.ts";
import { percentageOf, splitOf, type SaleSplit } from "./sale-split.ts";
import { Waterfall } from "./waterfall.tsx";

type SaleFormProps = { readonly item: InventoryItem; readonly onClose: () => void };

type Draft = {
  readonly salePrice: string;
  readonly shippingCost: string;
  readonly quantitySold: string;
  /** Null until someone types it: the usual share of this consignor. */
  readonly percentage: string | null;
  /** A local date and time; empty means now. */
  readonly soldAt: string;
};

const emptyDraft: Draft = {
  salePrice: "",
  shippingCost: "",
  quantitySold: "1",
  percentage: null,
  soldAt: "",
};

/** `usualShare` is undefined while it is not known here: the server then takes it. */
function requestOf(draft: Draft, item: InventoryItem, usualShare: number | undefined) {
  const share = shareIn(draft, usualShare);
  const common = {
    quantitySold: wholeToSend(draft.quantitySold),
    ...(draft.soldAt === "" ? {} : { soldAt: instantOf(draft.soldAt) }),
  };
  return item.consignorID === null
    ? {
        kind: "master" as const,
        body: {
          masterItemID: item.id,
          ...common,
          ...(draft.salePrice.trim() === "" ? {} : { salePrice: dollarsToSend(draft.salePrice) }),
        },
      }
    : {
        kind: "consignor" as const,
        body: {
          consignorID: item.consignorID,
          itemUID: item.id,
          barcode1: item.barcode1,
          ...common,
          salePrice: dollarsToSend(draft.salePrice),
          shippingCost: draft.shippingCost.trim() === "" ? 0 : dollarsToSend(draft.shippingCost),
          ...(share === undefined ? {} : { consignorPercentage: share }),
        },
      };
}

/** What is typed, or the usual share; text that is not a share is sent as it is, and refused at its field. */
function shareIn({ percentage }: Draft, usualShare: number | undefined): number | undefined {
  return percentage === null || usualShare === undefined
    ? (usualShare ?? (percentage === null ? undefined : wholeToSend(percentage)))
    : (percentageOf(percentage, usualShare) ?? wholeToSend(percentage));
}

type SaleRequest = ReturnType<typeof requestOf>;

function instantOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

/** "2026-11-21T14:02", the field's maximum. */
function localNow(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function wrongWith(request: SaleRequest, item: InventoryItem): FieldErrors {
  const wrong =
    request.kind === "master"
      ? errorsIn(recordMasterSaleRequest, request.body)
      : errorsIn(recordSaleRequest, request.body);
  return request.body.quantitySold > item.quantity
    ? { ...wrong, quantitySold: `Only ${formatCount(item.quantity)} available in inventory` }
    : wrong;
}

function send(request: SaleRequest, key: string): Promise<RecordSaleResponse> {
  return request.kind === "master"
    ? recordMasterSale(request.body, key)
    : recordSale(request.body, key);
}

export function SaleForm({ item, onClose }: SaleFormProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const usualShare = useUsualShare(item);
  const submission = useSubmission(send, {
    not_enough_stock: "quantitySold",
    barcode_mismatch: "barcode1",
  });
  const closedMonth = useClosedMonthHint(draft.soldAt === "" ? undefined : instantOf(draft.soldAt));
  const isMaster = item.consignorID === null;
  const knownUnitCents = useKnownPrice(item.id, item.tagPriceCents);
  const totalCents = parseDollars(draft.salePrice);
  const check = usePriceCheck(
    totalCents === undefined
      ? undefined
      : { units: wholeToSend(draft.quantitySold), totalCents, knownUnitCents },
  );

  function set(changes: Partial<Draft>): void {
    setDraft({ ...draft, ...changes });
    submission.clear();
  }

  async function save(): Promise<void> {
    const request = requestOf(draft, item, usualShare);
    const wrong = wrongWith(request, item);
    if (!hasErrors(wrong) && !check.passes()) {
      return;
    }
    const recorded = await submission.submit(wrong, request);
    if (recorded !== undefined) {
      showToast(recorded.message);
      onClose();
    }
  }

  return (
    <FormDialog
      title="Add Sale"
      description={`${item.itemName}, ${ownerName(item)}, ${formatCount(item.quantity)} in stock`}
      isWide
      onClose={onClose}
      isDirty={draft !== emptyDraft}
      submission={submission}
      isAsking={check.question !== undefined}
      errorPrefix="Error recording sale"
      onSubmit={() => void save()}
    >
      <div className="grid grid-cols-2 gap-x-6 gap-y-4 max-sm:grid-cols-1">
        <SaleFields
          draft={draft}
          usualShare={usualShare}
          errors={submission.errors}
          item={item}
          onChange={set}
        />
        <div className="sm:row-span-2">
          <Waterfall
            split={splitWhileTyped(draft, isMaster ? 0 : shareIn(draft, usualShare))}
            consignorName={isMaster ? undefined : ownerName(item)}
          />
        </div>
        <Field
          label="Sold at"
          isOptional
          error={submission.errors["soldAt"]}
          help={closedMonth ?? "Leave blank for now"}
        >
          {(control) => (
            <DateInput
              {...control}
              kind="day-time"
              max={localNow()}
              value={draft.soldAt}
              onValue={(soldAt) => set({ soldAt })}
            />
          )}
        </Field>
      </div>
      <SaveQuestion check={check} onYes={() => void save()} />
    </FormDialog>
  );
}

/** The share agreed with the item's consignor, else the store's default; undefined while it is being read. */
function useUsualShare({ consignorID }: InventoryItem): number | undefined {
  const { data } = useSellingTerms();
  return data === undefined || consignorID === null
    ? undefined
    : (agreedShareOf(data, consignorID) ?? data.defaultConsignorPercentage);
}

function splitWhileTyped(draft: Draft, percentage: number | undefined): SaleSplit | undefined {
  const price = parseDollars(draft.salePrice);
  const shipping = draft.shippingCost.trim() === "" ? 0 : parseDollars(draft.shippingCost);
  const isShare = percentage !== undefined && percentage >= 0 && percentage <= 100;
  return price === undefined || price === 0 || shipping === undefined || !isShare
    ? undefined
    : splitOf(price, shipping, percentage);
}

type SaleFieldsProps = {
  readonly draft: Draft;
  readonly usualShare: number | undefined;
  readonly errors: FieldErrors;
  readonly item: InventoryItem;
  readonly onChange: (changes: Partial<Draft>) => void;
};

function SaleFields({ draft, usualShare, errors, item, onChange }: SaleFieldsProps) {
  const isMaster = item.consignorID === null;
  return (
    <div className="grid grid-cols-2 content-start gap-4">
      <Field
        label="Sale price"
        className={isMaster ? "col-span-2" : "sm:col-span-2"}
        isOptional={isMaster}
        error={errors["salePrice"]}
        help={isMaster ? "Without a price, only the stock changes" : "For all units together"}
      >
        {(control) => (
          <MoneyInput
            {...control}
            value={draft.salePrice}
            onValue={(salePrice) => onChange({ salePrice })}
          />
        )}
      </Field>
      {isMaster ? null : (
        <Field
          label="Shipping cost"
          isOptional
          error={errors["shippingCost"]}
          className="sm:col-span-2"
        >
          {(control) => (
            <MoneyInput
              {...control}
              value={draft.shippingCost}
              onValue={(shippingCost) => onChange({ shippingCost })}
            />
          )}
        </Field>
      )}
      <Field
        label="Quantity sold"
        className={isMaster ? "col-span-2" : ""}
        error={errors["quantitySold"]}
        help={`${formatCount(item.quantity)} in stock`}
      >
        {(control) => (
          <NumberInput
            {...control}
            value={draft.quantitySold}
            onValue={(quantitySold) => onChange({ quantitySold })}
          />
        )}
      </Field>
      {isMaster ? null : (
        <Field label="Consignor share" error={errors["consignorPercentage"]}>
          {(control) => (
            <NumberInput
              {...control}
              after="%"
              value={draft.percentage ?? usualShare?.toString() ?? ""}
              onValue={(percentage) => onChange({ percentage })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

// The form that asks all consignors who have an item for units at a price. It shows the cost while the buyer types.
import { useState } from "react";
import type { MarketplaceItem } from "#features/marketplace/contract.ts";
import type { RequestTradeRequest, RequestTradeResponse } from "#features/trades/contract.ts";
import { failureText } from "#web/lib/failure-text.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { tradePath } from "#web/paths.ts";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { requestTrade, useTerms } from "#web/shared/trade/trade-api.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { Form } from "#web/ui/form.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { CostPreview } from "./cost-preview.tsx";
import { useSavedAddresses } from "./marketplace-api.ts";
import {
  addressOf,
  costOf,
  emptyRequest,
  feeOf,
  requestErrors,
  requestOf,
  tooDearFor,
  type RequestDraft,
} from "./request-draft.ts";
import { ShipTo } from "./ship-to.tsx";

const fieldOf = { not_enough_stock: "quantity", insufficient_balance: "pricePerItem" };

type RequestDrawerProps = {
  readonly item: MarketplaceItem;
  readonly onClose: () => void;
};

export function RequestDrawer({ item, onClose }: RequestDrawerProps) {
  const terms = useTerms().data;
  const saved = useSavedAddresses(terms?.shippingAddress);
  const [draft, setDraft] = useState(emptyRequest);
  const [requested, setRequested] = useState<RequestTradeResponse>();
  const submission = useSubmission(requestTrade, fieldOf);
  const cost = costOf(draft, terms?.shippingFee ?? 0);
  const tooDear = tooDearFor(terms?.availableCents, cost);
  const address = addressOf(draft, saved);

  function change(changes: Partial<RequestDraft>): void {
    setDraft({ ...draft, ...changes });
    submission.clear();
  }

  async function request(): Promise<void> {
    const body: RequestTradeRequest = requestOf(item, draft, address);
    const made = await submission.submit(requestErrors(item, body, tooDear), body);
    if (made !== undefined) {
      setRequested(made);
    }
  }

  return (
    <Drawer
      title={item.itemName}
      subtitle={`${formatQuantity(item.totalQuantity, "unit")} from ${formatQuantity(item.consignorCount, "consignor")}`}
      isDirty={draft !== emptyRequest && requested === undefined}
      isBusy={submission.isBusy}
      onClose={onClose}
    >
      {requested === undefined ? (
        <Form
          label="Trade request"
          onSubmit={() => void request()}
          errors={submission.errors}
          className="flex flex-col gap-6"
        >
          <ItemFacts item={item} />
          <Wish
            draft={draft}
            item={item}
            errors={submission.errors}
            tooDear={tooDear}
            onChange={change}
          />
          <CostPreview
            cost={cost}
            feeCents={feeOf(draft, terms?.shippingFee ?? 0)}
            draft={draft}
            availableCents={terms?.availableCents}
          />
          <ShipTo
            address={address}
            saved={saved}
            errors={submission.errors}
            onChange={(next) => change({ address: next })}
          />
          <ErrorLine>
            {submission.error === undefined
              ? undefined
              : failureText("Failed to create trade request", submission.error)}
          </ErrorLine>
          <Button
            type="submit"
            variant="primary"
            isBusy={submission.isBusy}
            busyLabel="Requesting..."
            className="self-end max-sm:self-stretch"
          >
            Request trade
          </Button>
        </Form>
      ) : (
        <Requested made={requested} onClose={onClose} />
      )}
    </Drawer>
  );
}

type RequestedProps = { readonly made: RequestTradeResponse; readonly onClose: () => void };

/** Instead of a toast, which would lie above it on a phone. */
function Requested({ made, onClose }: RequestedProps) {
  return (
    <div className="flex flex-col items-start gap-4">
      <output>
        {`Requested. ${formatQuantity(made.offers, "consignor")} can accept now. Nothing is held before one accepts.`}
      </output>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onClose}>Back to the marketplace</Button>
        <ButtonLink to={tradePath(made.tradeId)} variant="primary">
          Open trade
        </ButtonLink>
      </div>
    </div>
  );
}

function ItemFacts({ item }: { readonly item: MarketplaceItem }) {
  const { imageUrl, asin, barcode1, lastTradedPriceCents, openRequests, unitsWanted, link } = item;
  return (
    <div className="flex gap-4">
      <ItemImage url={imageUrl} asin={asin} size="large" />
      <ul className="flex min-w-0 flex-col gap-1 text-muted">
        <li className="font-mono text-12 wrap-anywhere">{barcode1}</li>
        <li>
          {lastTradedPriceCents === null
            ? "Not traded yet"
            : `Last traded at ${formatMoney(lastTradedPriceCents)}`}
        </li>
        {openRequests === 0 ? null : (
          <li>{`${formatQuantity(openRequests, "open request")} for ${formatQuantity(unitsWanted, "unit")}`}</li>
        )}
        {link === "" ? null : (
          <li>
            <a
              href={link}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-6 items-center text-accent hover:underline"
            >
              Product page
            </a>
          </li>
        )}
      </ul>
    </div>
  );
}

type WishProps = {
  readonly draft: RequestDraft;
  readonly item: MarketplaceItem;
  readonly errors: FieldErrors;
  /** Said at once, because the address is long to enter. */
  readonly tooDear: string | undefined;
  readonly onChange: (changes: Partial<RequestDraft>) => void;
};

function Wish({ draft, item, errors, tooDear, onChange }: WishProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Price" error={errors["pricePerItem"] ?? tooDear} help="For one unit">
          {(control) => (
            <MoneyInput {...control} value={draft.price} onValue={(price) => onChange({ price })} />
          )}
        </Field>
        <Field
          label="Quantity"
          error={errors["quantity"]}
          help={`${formatQuantity(item.totalQuantity, "unit")} available`}
        >
          {(control) => (
            <NumberInput
              {...control}
              value={draft.quantity}
              onValue={(quantity) => onChange({ quantity })}
            />
          )}
        </Field>
      </div>
      <Checkbox
        label="I upload my own shipping label"
        isChecked={draft.hasOwnLabel}
        onChecked={(hasOwnLabel) => onChange({ hasOwnLabel })}
      />
    </div>
  );
}

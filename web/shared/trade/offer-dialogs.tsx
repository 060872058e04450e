// The dialogs that accept, decline and counter an offer, for its seller and, after a counter, its buyer.
import { useState } from "react";
import {
  counterOfferRequest,
  type CounterOfferRequest,
  type OfferChangedResponse,
  type TradeParty,
} from "#features/trades/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { dollarsText, parseDollars, parseWhole, wholeToSend } from "#web/lib/amount.ts";
import { errorsIn, noErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { OfferSums } from "./offer-sums.tsx";
import { acceptedText, offerAfter, type AnswerableOffer } from "./offer-terms.ts";
import { acceptOffer, counterOffer, declineOffer } from "./trade-api.ts";
import { useOfferOver } from "./trade-now.ts";
import { unitsAt } from "./trade-words.ts";

type DialogProps = {
  readonly offer: AnswerableOffer;
  readonly party: TradeParty;
  readonly onClose: () => void;
};

type OfId = { readonly offerId: string };

/** Behind a price: what it was when the dialog was opened, if it is another one by now; else how the sentence ends. */
function changedText(offer: AnswerableOffer, opened: AnswerableOffer, end = ""): string {
  return offer.priceCents === opened.priceCents
    ? end
    : `. It was ${formatMoney(opened.priceCents)} when you opened this.`;
}

function quantityErrors(typed: string, most: number): FieldErrors {
  const quantity = parseWhole(typed);
  return quantity === undefined || quantity < 1 || quantity > most
    ? { quantity: most === 1 ? "Quantity is 1" : `Quantity is 1 to ${most}` }
    : noErrors;
}

function QuantityField({
  typed,
  most,
  error,
  onTyped,
}: {
  readonly typed: string;
  readonly most: number;
  readonly error: string | undefined;
  readonly onTyped: (typed: string) => void;
}) {
  return (
    <Field label="Quantity" error={error} help={`Of ${formatQuantity(most, "unit")}`}>
      {(control) => <NumberInput {...control} value={typed} onValue={onTyped} />}
    </Field>
  );
}

const acceptFields = { more_than_offered: "quantity" };
const counterFields = { more_than_offered: "quantity", same_terms: "counterPrice" };

/** Answers on the terms that are shown. If others are on the table by now, `onChanged` gets them before the refusal. */
function answering<Body>(
  send: (body: Body & OfId, key: string) => Promise<OfferChangedResponse>,
  offer: AnswerableOffer,
  onChanged: (offer: AnswerableOffer) => void,
) {
  return async (body: Body & OfId, key: string): Promise<OfferChangedResponse> => {
    try {
      return await send(body, key);
    } catch (error) {
      onChanged(offerAfter(offer, error));
      throw error;
    }
  };
}

export function AcceptDialog({ offer: opened, party, onClose }: DialogProps) {
  // The terms on screen. They change only after a refusal, so that nothing is accepted unseen.
  const [offer, setOffer] = useState(opened);
  const [start] = useState(String(offer.quantity));
  const [typed, setTyped] = useState(start);
  const submission = useSubmission(answering(acceptOffer, offer, setOffer), acceptFields);
  const over = useOfferOver(offer, party);
  const quantity = parseWhole(typed);
  const isSeller = party === "seller";

  async function accept(): Promise<void> {
    const body = {
      offerId: offer.offerId,
      pricePerItem: offer.priceCents,
      quantity: wholeToSend(typed),
    };
    const answer = await submission.submit(quantityErrors(typed, offer.quantity), body);
    if (answer !== undefined) {
      showToast(acceptedText(offer, quantity, answer));
      onClose();
    }
  }

  return (
    <FormDialog
      title={isSeller ? "Accept offer" : "Accept counter"}
      description={`${offer.itemName} at ${formatMoney(offer.priceCents)} each${changedText(offer, opened)}`}
      isDirty={typed !== start}
      submission={submission}
      errorPrefix="Error accepting offer"
      saveLabel={isSeller ? "Accept offer" : "Accept counter"}
      busyLabel="Accepting..."
      overText={over}
      onClose={onClose}
      onSubmit={() => void accept()}
    >
      <QuantityField
        typed={typed}
        most={offer.quantity}
        error={submission.errors["quantity"]}
        onTyped={(next) => {
          setTyped(next);
          submission.clear();
        }}
      />
      <OfferSums offer={offer} quantity={quantity} priceCents={offer.priceCents} />
      <p className="text-muted">
        {isSeller
          ? "The units leave your inventory now. You are paid when the store has shipped them."
          : "The amount is held for the trade now. The sellers and the store get their part when the goods are shipped."}
      </p>
    </FormDialog>
  );
}

export function DeclineDialog({ offer: opened, party, onClose }: DialogProps) {
  const [offer, setOffer] = useState(opened);
  const action = useAction(answering(declineOffer, offer, setOffer));
  const over = useOfferOver(offer, party);
  async function decline(): Promise<void> {
    const { offerId, priceCents: pricePerItem } = offer;
    if ((await action.run({ offerId, pricePerItem })) !== undefined) {
      showToast("Offer declined");
      onClose();
    }
  }
  const price = `${unitsAt(offer.quantity, offer.priceCents)}, ${offer.itemName}`;
  return (
    <ConfirmDialog
      title={party === "seller" ? "Decline this offer?" : "Decline this counter?"}
      act={party === "seller" ? "Decline offer" : "Decline counter"}
      busyAct="Declining..."
      keep="Keep it open"
      overText={over}
      isBusy={action.isBusy}
      error={
        action.error === undefined ? undefined : `Error declining offer: ${action.error.message}`
      }
      onAct={() => void decline()}
      onKeep={onClose}
    >
      {`${price}${changedText(offer, opened, ".")} The offer is closed for both of you and cannot be opened again.`}
    </ConfirmDialog>
  );
}

export function CounterDialog({ offer: opened, party, onClose }: DialogProps) {
  const [offer, setOffer] = useState(opened);
  const [start] = useState({
    price: dollarsText(offer.priceCents),
    quantity: String(offer.quantity),
  });
  const [draft, setDraft] = useState(start);
  const submission = useSubmission(answering(counterOffer, offer, setOffer), counterFields);
  const over = useOfferOver(offer, party);

  async function counter(): Promise<void> {
    const body: CounterOfferRequest = {
      counterPrice: parseDollars(draft.price) ?? 0,
      quantity: wholeToSend(draft.quantity),
      pricePerItem: offer.priceCents,
    };
    const wrong = {
      ...errorsIn(counterOfferRequest, body),
      ...quantityErrors(draft.quantity, offer.quantity),
    };
    const sent = await submission.submit(wrong, { offerId: offer.offerId, ...body });
    if (sent !== undefined) {
      showToast("Counter offer sent!");
      onClose();
    }
  }
  function change(changes: Partial<typeof draft>): void {
    setDraft({ ...draft, ...changes });
    submission.clear();
  }

  return (
    <FormDialog
      title="Counter offer"
      description={`${offer.itemName}, now ${formatMoney(offer.priceCents)} each${changedText(offer, opened, ".")} ${formatQuantity(offer.countersLeft, "counter")} left.`}
      isDirty={draft !== start}
      submission={submission}
      errorPrefix="Error sending counter"
      saveLabel="Send counter"
      busyLabel="Sending..."
      overText={over}
      onClose={onClose}
      onSubmit={() => void counter()}
    >
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Counter price" error={submission.errors["counterPrice"]} help="For one unit">
          {(control) => (
            <MoneyInput {...control} value={draft.price} onValue={(price) => change({ price })} />
          )}
        </Field>
        <QuantityField
          typed={draft.quantity}
          most={offer.quantity}
          error={submission.errors["quantity"]}
          onTyped={(quantity) => change({ quantity })}
        />
      </div>
      <OfferSums
        offer={offer}
        quantity={parseWhole(draft.quantity)}
        priceCents={parseDollars(draft.price)}
      />
      <p className="text-muted">
        {party === "seller"
          ? "The buyer has 48 hours to answer. Your units stay yours until then."
          : "The seller has 48 hours to answer. Nothing is held until then."}
      </p>
    </FormDialog>
  );
}

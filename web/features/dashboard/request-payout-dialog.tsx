// Requests a payout: method, handle, amount. The money leaves the available balance at once, so it cannot be requested twice.
import { CircleCheck, ExternalLink } from "lucide-react";
import { useState } from "react";
import type {
  PaymentInfoResponse,
  PayoutView,
  RequestPayoutResponse,
} from "#features/payouts/contract.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import { failureText } from "#web/lib/failure-text.ts";
import { useAction } from "#web/lib/action.ts";
import { dollarsText, parseDollars } from "#web/lib/amount.ts";
import type { ApiError } from "#web/lib/api-error.ts";
import { errorsFrom, hasErrors, noErrors } from "#web/lib/form-errors.ts";
import { leadTab, openEmptyTab } from "#web/lib/new-tab.ts";
import { useNow } from "#web/lib/use-now.ts";
import { cameBackText } from "#web/shared/payout/came-back.ts";
import { HandleFields } from "#web/shared/payout/handle-fields.tsx";
import { useNewestPayouts } from "#web/shared/payout/own-payout-api.ts";
import { usePaymentInfo } from "#web/shared/payout/payment-info.ts";
import { usePayoutHolds } from "#web/shared/holds/holds-api.ts";
import { buttonClass, Button } from "#web/ui/button.tsx";
import { CancelButton } from "#web/ui/cancel-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { Money } from "#web/ui/money.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { showToast } from "#web/ui/toast.ts";
import { checkedRequest, draftErrors, type PayoutDraft } from "./payout-draft.ts";
import { PayoutsHeld } from "./payouts-held.tsx";
import { requestPayout, venmoChargeLink } from "./request-payout-api.ts";

type RequestPayoutDialogProps = {
  readonly uid: string;
  readonly availableCents: Cents;
  readonly onClose: () => void;
};

type RequestPayoutFormProps = RequestPayoutDialogProps & {
  /** The handles that were used last. */
  readonly paymentInfo: PaymentInfoResponse;
  /** Own ones, also those that came back. */
  readonly payouts: readonly PayoutView[];
};

/** Handles can still be typed if the last ones could not be read. */
const noHandles: PaymentInfoResponse = {
  cashtag: null,
  venmoUsername: null,
  storeVenmoName: null,
};

function draftFrom({ cashtag, venmoUsername }: PaymentInfoResponse): PayoutDraft {
  // A person who has used only one method will probably use it again.
  const method =
    cashtag !== null && venmoUsername === null
      ? "cashapp"
      : venmoUsername !== null && cashtag === null
        ? "venmo"
        : "";
  return {
    method,
    handles: { cashapp: cashtag ?? "$", venmo: venmoUsername ?? "@" },
    amount: "",
  };
}

/** `isOpened`: Venmo is in a new tab already. */
type Requested = RequestPayoutResponse & { readonly isOpened: boolean };

type VenmoStepProps = {
  readonly payout: Requested;
  /** Whom to charge; null where the store named nobody. */
  readonly storeVenmoName: string | null;
  readonly onClose: () => void;
};

function VenmoStep({ payout, storeVenmoName, onClose }: VenmoStepProps) {
  const amountCents = toCents(payout.amount);
  return (
    <Dialog
      title="Payout requested"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <a
            href={venmoChargeLink(payout, storeVenmoName)}
            target="_blank"
            rel="noreferrer"
            className={buttonClass("primary")}
          >
            <Icon of={ExternalLink} />
            {payout.isOpened ? "Open Venmo again" : "Open Venmo"}
          </a>
        </>
      }
    >
      <p className="flex items-start gap-2">
        <Icon of={CircleCheck} className="mt-0.5 text-credit" />
        <span>
          You requested <Money cents={amountCents} className="font-medium" />. Charge{" "}
          {storeVenmoName === null ? "the store" : `@${storeVenmoName}`} in Venmo
          {payout.isOpened ? ", which is open in a new tab," : ""} so that it can be paid; amount
          and payout number are filled in.
        </span>
      </p>
    </Dialog>
  );
}

/** The ledger's own refusals explain themselves. Any other error is introduced as a failure. */
function failureOf(error: ApiError | undefined): string | undefined {
  return error === undefined || error.status === 409
    ? error?.message
    : failureText("Failed to create payout request", error);
}

function useRequestForm(props: RequestPayoutFormProps) {
  const { uid, availableCents, paymentInfo, onClose } = props;
  const [typed, setTyped] = useState<PayoutDraft>();
  // The handles may be those before a change that was just made, until the newer ones arrive.
  const draft = typed ?? draftFrom(paymentInfo);
  const [ownErrors, setOwnErrors] = useState(noErrors);
  const [requested, setRequested] = useState<Requested>();
  const action = useAction((input: PayoutDraft, key: string) =>
    requestPayout(uid, checkedRequest(input), key),
  );
  const refusal = errorsFrom(action.error);

  async function submit(): Promise<void> {
    const found = draftErrors(draft, availableCents);
    setOwnErrors(found);
    if (hasErrors(found)) {
      return;
    }
    // A browser allows a new tab only while the click counts, which is before the answer.
    const tab = draft.method === "venmo" ? openEmptyTab() : null;
    const answer = await action.run(draft);
    if (answer === undefined) {
      tab?.close();
    } else {
      if (draft.method === "venmo") {
        if (tab !== null) {
          leadTab(tab, venmoChargeLink(answer, paymentInfo.storeVenmoName));
        }
        setRequested({ ...answer, isOpened: tab !== null });
      } else {
        showToast(answer.message);
        onClose();
      }
    }
  }

  return {
    draft,
    change: (changes: Partial<PayoutDraft>) => {
      setTyped({ ...draft, ...changes });
      // The error may be about another method's handle by now.
      setOwnErrors(noErrors);
      action.clearError();
    },
    errors: hasErrors(ownErrors) ? ownErrors : refusal,
    failure: hasErrors(refusal) ? undefined : failureOf(action.error),
    isBusy: action.isBusy,
    isDirty: typed !== undefined,
    requested,
    submit,
  };
}

function RequestPayoutForm(props: RequestPayoutFormProps) {
  const { availableCents, onClose } = props;
  const form = useRequestForm(props);
  const now = useNow();
  const { draft, errors, change } = form;
  if (form.requested !== undefined) {
    const { storeVenmoName } = props.paymentInfo;
    return <VenmoStep payout={form.requested} storeVenmoName={storeVenmoName} onClose={onClose} />;
  }
  // No sum is shown for an amount that cannot be requested.
  const typed = parseDollars(draft.amount) ?? 0;
  const cents = typed > availableCents ? 0 : typed;
  return (
    <Dialog
      title="Request payout"
      onClose={onClose}
      isDirty={form.isDirty}
      isBusy={form.isBusy}
      onSubmit={() => void form.submit()}
      errors={errors}
      footer={
        <>
          <CancelButton isBusy={form.isBusy} />
          <Button type="submit" variant="primary" isBusy={form.isBusy} busyLabel="Requesting...">
            Request payout
          </Button>
        </>
      }
    >
      <HandleFields
        draft={draft}
        errors={errors}
        advice="Check it before you request."
        doubt={cameBackText(draft, props.payouts, now)}
        onChange={change}
      />
      <Field
        label="Amount"
        error={errors["amount"]}
        help={
          availableCents > 0 ? undefined : "Nothing is available now, so nothing can be requested"
        }
      >
        {(control) => (
          <span className="grid grid-cols-[1fr_auto] gap-2">
            <MoneyInput
              {...control}
              value={draft.amount}
              onValue={(amount) => change({ amount })}
            />
            <Button
              disabled={availableCents <= 0}
              onClick={() => change({ amount: dollarsText(availableCents) })}
            >
              All
            </Button>
          </span>
        )}
      </Field>
      <SumLines
        lines={[
          { label: "Available now", cents: availableCents },
          { label: "This payout", cents: -cents },
        ]}
        total={{ label: "Available after", cents: availableCents - cents, isBalance: true }}
      />
      <ErrorLine>{form.failure}</ErrorLine>
    </Dialog>
  );
}

export function RequestPayoutDialog(props: RequestPayoutDialogProps) {
  const info = usePaymentInfo(props.uid);
  const holds = usePayoutHolds(props.uid);
  const newest = useNewestPayouts(props.uid);
  // Only until each has answered or failed once: a read that is tried again does not close the form with what was typed.
  if ([info, holds].some(({ data, error }) => data === undefined && error === undefined)) {
    return null;
  }
  const message = holds.data?.message ?? null;
  return message === null ? (
    <RequestPayoutForm
      {...props}
      paymentInfo={info.data ?? noHandles}
      payouts={newest.data?.payouts ?? []}
    />
  ) : (
    <PayoutsHeld message={message} onClose={props.onClose} />
  );
}

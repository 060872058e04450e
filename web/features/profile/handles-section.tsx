// The handles that a payout request suggests: those used last, or what is saved here.
import {
  chooseHandlesRequest,
  HANDLE_PREFIX,
  type PaymentInfoResponse,
} from "#features/payouts/contract.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { forcePrefix } from "#web/shared/payout/force-prefix.ts";
import { Button } from "#web/ui/button.tsx";
import { useClosing } from "#web/ui/closing.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Field } from "#web/ui/field.tsx";
import { Form } from "#web/ui/form.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { chooseHandles, usePaymentHandles } from "./profile-api.ts";
import { Section } from "./section.tsx";
import { useTypedOver } from "./typed-over.ts";

function HandlesForm({ saved }: { readonly saved: PaymentInfoResponse }) {
  const { uid } = useProfile();
  const start = {
    cashapp: saved.cashtag ?? HANDLE_PREFIX.cashapp,
    venmo: saved.venmoUsername ?? HANDLE_PREFIX.venmo,
  };
  const [cashapp, setCashapp] = useTypedOver(start.cashapp);
  const [venmo, setVenmo] = useTypedOver(start.venmo);
  const fields = [
    { method: "cashapp", label: "CashApp", name: "cashtag", typed: cashapp, type: setCashapp },
    { method: "venmo", label: "Venmo", name: "venmoUsername", typed: venmo, type: setVenmo },
  ] as const;
  const submission = useSubmission(chooseHandles);
  const { errors, error, isBusy } = submission;
  const isSame = cashapp.trim() === start.cashapp && venmo.trim() === start.venmo;
  // Nothing closes here: discarding only leaves the screen.
  const { question } = useClosing(!isSame, isBusy, () => {
    setCashapp(undefined);
    setVenmo(undefined);
  });

  async function save(): Promise<void> {
    const body = { cashtag: cashapp, venmoUsername: venmo };
    const done = await submission.submit(errorsIn(chooseHandlesRequest, body), { uid, body });
    if (done !== undefined) {
      showToast("Payout handles saved");
    }
  }

  return (
    <Form onSubmit={() => void save()} errors={errors} className="flex flex-col gap-3">
      {fields.map(({ method, label, name, typed, type }) => (
        <Field key={method} label={label} isOptional error={errors[name]}>
          {(control) => (
            <TextInput
              {...control}
              className="font-mono"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed}
              onValue={(text) => {
                type(forcePrefix(method, text));
                submission.clear();
              }}
            />
          )}
        </Field>
      ))}
      <ErrorLine>{error === undefined ? undefined : `Error saving: ${error.message}`}</ErrorLine>
      <span className="flex flex-col sm:items-start">
        <Button type="submit" isBusy={isBusy} busyLabel="Saving..." disabled={isSame}>
          Save payout handles
        </Button>
      </span>
      {question}
    </Form>
  );
}

export function HandlesSection() {
  const { uid } = useProfile();
  const { data, error, refresh } = usePaymentHandles(uid);
  return (
    <Section
      title="Payout handles"
      description="A payout request fills them in. Another handle that you use there replaces the one here."
    >
      {data !== undefined ? (
        <HandlesForm saved={data} />
      ) : error === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <ErrorState
          title="Your payout handles could not be loaded"
          error={error}
          onRetry={refresh}
        />
      )}
    </Section>
  );
}

// The handles that a payout request suggests: those used last, or what is saved here.
import { useState } from "react";
import {
  chooseHandlesRequest,
  HANDLE_PREFIX,
  type PaymentInfoResponse,
  type PayoutMethodName,
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

type Typed = Readonly<Record<PayoutMethodName, string>>;

const fields = [
  { method: "cashapp", label: "CashApp", name: "cashtag" },
  { method: "venmo", label: "Venmo", name: "venmoUsername" },
] as const;

function HandlesForm({ saved }: { readonly saved: PaymentInfoResponse }) {
  const { uid } = useProfile();
  const [start] = useState<Typed>({
    cashapp: saved.cashtag ?? HANDLE_PREFIX.cashapp,
    venmo: saved.venmoUsername ?? HANDLE_PREFIX.venmo,
  });
  const [typed, setTyped] = useState(start);
  const submission = useSubmission(chooseHandles);
  const { errors, error, isBusy } = submission;
  const isSame = typed.cashapp.trim() === start.cashapp && typed.venmo.trim() === start.venmo;
  // Nothing closes here: discarding only leaves the screen.
  const { question } = useClosing(!isSame, isBusy, () => setTyped(start));

  async function save(): Promise<void> {
    const body = { cashtag: typed.cashapp, venmoUsername: typed.venmo };
    const done = await submission.submit(errorsIn(chooseHandlesRequest, body), { uid, body });
    if (done !== undefined) {
      showToast("Payout handles saved");
    }
  }

  return (
    <Form onSubmit={() => void save()} errors={errors} className="flex flex-col gap-3">
      {fields.map(({ method, label, name }) => (
        <Field key={method} label={label} isOptional error={errors[name]}>
          {(control) => (
            <TextInput
              {...control}
              className="font-mono"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed[method]}
              onValue={(text) => {
                setTyped({ ...typed, [method]: forcePrefix(method, text) });
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
        <HandlesForm key={`${data.cashtag} ${data.venmoUsername}`} saved={data} />
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

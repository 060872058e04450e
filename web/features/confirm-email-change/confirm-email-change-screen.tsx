// /confirm-email-change, opened from a letter: agree to another email for an admin's account, or stop the change. Needs no sign-in.
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import type { EmailChangeAgreedResponse } from "#features/users/contract-email-change.ts";
import { useAction } from "#web/lib/action.ts";
import { useLinkToken } from "#web/lib/link-token.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { EntryPage } from "#web/ui/entry-page.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { agreeToEmailChange, stopEmailChange } from "./confirm-email-change-api.ts";

type Answer = EmailChangeAgreedResponse | "stopped";

function sentenceOf(answer: Answer): string {
  if (answer === "stopped") {
    return "The change was stopped. The email stays as it is.";
  }
  if (answer.changed) {
    return `The email is ${answer.email} from now on. Sign in with it.`;
  }
  return answer.waitsFor === "new"
    ? `Agreed. The email changes when ${answer.email} has agreed too.`
    : "Agreed. The email changes when the current address has agreed too.";
}

function Answered({ answer }: { readonly answer: Answer }) {
  return (
    <>
      <output className="flex items-start gap-2 rounded-control bg-credit-tint px-3 py-2 text-credit">
        <Icon of={CircleCheck} className="mt-0.5" />
        <span className="min-w-0 wrap-anywhere">{sentenceOf(answer)}</span>
      </output>
      <ToSignIn />
    </>
  );
}

function ToSignIn() {
  return (
    <ButtonLink to={paths.login} variant="quiet">
      Go to sign-in
    </ButtonLink>
  );
}

type DecideProps = { readonly token: string; readonly onAnswer: (answer: Answer) => void };

function Decide({ token, onAnswer }: DecideProps) {
  const agreeing = useAction(async (input: string, key: string) => {
    onAnswer(await agreeToEmailChange(input, key));
  });
  const stopping = useAction(async (input: string, key: string) => {
    await stopEmailChange(input, key);
    onAnswer("stopped");
  });
  const error = agreeing.error ?? stopping.error;
  if (error?.code === "email_change_invalid") {
    return (
      <>
        <ErrorLine>{error.message}</ErrorLine>
        <ToSignIn />
      </>
    );
  }
  return (
    <>
      <p className="text-muted">
        Another admin asked to change the email of an account. It changes only when both the new and
        the current address have agreed. If you did not expect this, stop the change.
      </p>
      <ErrorLine>{error?.message}</ErrorLine>
      <Button
        variant="primary"
        isBusy={agreeing.isBusy}
        busyLabel="Agreeing..."
        disabled={stopping.isBusy}
        onClick={() => void agreeing.run(token)}
      >
        Agree to the change
      </Button>
      <Button
        isBusy={stopping.isBusy}
        busyLabel="Stopping..."
        disabled={agreeing.isBusy}
        onClick={() => void stopping.run(token)}
      >
        Stop the change
      </Button>
    </>
  );
}

export function ConfirmEmailChangeScreen() {
  useTitle("Confirm another email");
  const link = useLinkToken("token", "email-change-token");
  const [answer, setAnswer] = useState<Answer>();
  return (
    <EntryPage>
      <div className="flex flex-col gap-4">
        <h1 className="text-24 font-semibold">Confirm another email</h1>
        {answer !== undefined ? (
          <Answered answer={answer} />
        ) : link.token === undefined ? (
          <>
            <p className="text-muted">Open this page with the link in the email.</p>
            <ToSignIn />
          </>
        ) : (
          <Decide
            key={link.token}
            token={link.token}
            onAnswer={(given) => {
              setAnswer(given);
              link.spend();
            }}
          />
        )}
      </div>
    </EntryPage>
  );
}

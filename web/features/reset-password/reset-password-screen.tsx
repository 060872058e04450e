// /reset-password, opened from an email's link: sets a new password, once, or the first one of somebody who was invited. It ends every session, so the person signs in again.
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import {
  passwordResetResponse,
  passwordResetConfirmRequest,
  type SignUpRequest,
} from "#features/sign-in/contract.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { postIdentity } from "#web/lib/id-token.ts";
import { useLinkToken, type LinkToken } from "#web/lib/link-token.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { useSubmission } from "#web/lib/submission.ts";
import { loginModePath, paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { EntryPage } from "#web/ui/entry-page.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Form } from "#web/ui/form.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { NewPasswordField } from "./new-password-field.tsx";

type Reset = { readonly token: string; readonly password: SignUpRequest["password"] };

async function confirmReset(body: Reset): Promise<true> {
  const response = await postIdentity("password-reset/confirm", body);
  return passwordResetResponse.parse(await response.json()).reset;
}

function NewPassword({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const [password, setPassword] = useState("");
  const submission = useSubmission(confirmReset);

  async function save(): Promise<void> {
    const body = { token, password };
    if ((await submission.submit(errorsIn(passwordResetConfirmRequest, body), body)) === true) {
      onDone();
    }
  }

  return (
    <Form onSubmit={() => void save()} errors={submission.errors} className="flex flex-col gap-4">
      <NewPasswordField
        label="New password"
        value={password}
        error={submission.errors["password"]}
        onValue={(typed) => {
          setPassword(typed);
          submission.clear();
        }}
      />
      <ErrorLine>{submission.error?.message ?? submission.errors["token"]}</ErrorLine>
      <Button type="submit" variant="primary" isBusy={submission.isBusy} busyLabel="Saving...">
        Set new password
      </Button>
      {submission.error?.code === "reset_link_invalid" ? (
        <ButtonLink to={loginModePath("reset")}>Ask for a new link</ButtonLink>
      ) : null}
    </Form>
  );
}

const AcceptInvitation = onDemand(
  () => import("./accept-invitation.tsx").then((file) => file.AcceptInvitation),
  { fallback: <Skeleton className="h-40" />, ifMissing: "throw" },
);

/** Both kinds of link lead here, so that the first script has one screen for them. The last one that was opened counts. */
export function ResetPasswordScreen() {
  const { token, spend } = useLinkToken("invitation", "invitation-token");
  const reset = useLinkToken("token", "reset-token");
  return token === undefined ? (
    <ResetPassword link={reset} />
  ) : (
    <EntryPage>
      <AcceptInvitation key={token} token={token} onDone={spend} />
    </EntryPage>
  );
}

function ResetPassword({ link }: { readonly link: LinkToken }) {
  useTitle("Set a new password");
  const { state, forget } = useSession();
  const [isDone, setDone] = useState(false);

  function finish(): void {
    setDone(true);
    link.forget();
    if (state.status === "signed-in") {
      // The server has ended this session with all the others.
      void forget();
    }
  }

  return (
    <EntryPage>
      <div className="flex flex-col gap-6">
        <h1 className="text-24 font-semibold">Set a new password</h1>
        {isDone ? (
          <>
            <output className="flex items-start gap-2 rounded-control bg-credit-tint px-3 py-2 text-credit">
              <Icon of={CircleCheck} className="mt-0.5" />
              Your password was changed, and every device was signed out.
            </output>
            <ButtonLink to={paths.login} variant="primary">
              Sign in
            </ButtonLink>
          </>
        ) : link.token === undefined ? (
          <>
            <p className="text-muted">
              This link is incomplete. Open it from the email again, or ask for a new one.
            </p>
            <ButtonLink to={loginModePath("reset")}>Ask for a new link</ButtonLink>
          </>
        ) : (
          <NewPassword token={link.token} onDone={finish} />
        )}
      </div>
    </EntryPage>
  );
}

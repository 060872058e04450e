// /verify-email, opened from the email's link: proves that the address belongs to the signed-in person. Without a link it sends one.
import { CircleCheck, MailCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Navigate } from "react-router-dom";
import { useAction } from "#web/lib/action.ts";
import { useLinkToken } from "#web/lib/link-token.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { loginPath, paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { EntryPage } from "#web/ui/entry-page.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { UnreachableScreen } from "#web/shared/account/unreachable-screen.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { confirmEmail, sendVerification, useAccount } from "#web/shared/account/account-api.ts";

function Verified({ email }: { readonly email: string }) {
  return (
    <>
      <output className="flex items-start gap-2 rounded-control bg-credit-tint px-3 py-2 text-credit">
        <Icon of={CircleCheck} className="mt-0.5" />
        <span className="min-w-0 wrap-anywhere">{email} is verified.</span>
      </output>
      <ButtonLink to={paths.dashboard} variant="primary">
        Go to the dashboard
      </ButtonLink>
    </>
  );
}

/** Sends a link, also to replace one that did not work. */
function SendLink() {
  const account = useAccount();
  const action = useAction(sendVerification);
  const [isSent, setSent] = useState(false);
  async function run(): Promise<void> {
    setSent((await action.run(undefined)) === true);
  }
  const email = account.data?.email;
  if (account.data?.emailVerified === true && email !== null && email !== undefined) {
    return <Verified email={email} />;
  }
  return (
    <>
      <p className="text-muted">
        {email === null
          ? "There is no email on your account."
          : `We send a link to ${email ?? "your email"}. It works for one day.`}
      </p>
      <ErrorLine>{action.error?.message}</ErrorLine>
      {isSent ? (
        <output className="flex items-start gap-2 rounded-control bg-credit-tint px-3 py-2 text-credit">
          <Icon of={MailCheck} className="mt-0.5" />
          Sent. Check your inbox.
        </output>
      ) : (
        <Button
          variant="primary"
          disabled={email === null || email === undefined}
          isBusy={action.isBusy}
          busyLabel="Sending email..."
          onClick={() => void run()}
        >
          Send verification email
        </Button>
      )}
      <ButtonLink to={paths.dashboard} variant="quiet">
        Go to the dashboard
      </ButtonLink>
    </>
  );
}

type ConfirmProps = {
  readonly token: string;
  readonly onVerified: (email: string) => void;
  readonly onForget: () => void;
};

function Confirm({ token, onVerified, onForget }: ConfirmProps) {
  const { signOut, reloadProfile } = useSession();
  const isSent = useRef(false);
  const action = useAction(async (input: string, key: string) => {
    const email = await confirmEmail(input, key);
    await reloadProfile();
    onVerified(email);
  });
  useEffect(() => {
    if (!isSent.current) {
      isSent.current = true;
      void action.run(token);
    }
  });
  const { error } = action;
  if (error === undefined) {
    return <output className="text-muted">Verifying...</output>;
  }
  return (
    <>
      <ErrorLine>{error.message}</ErrorLine>
      {error.code === "verification_link_foreign" ? (
        <Button onClick={() => void signOut()}>Use another account</Button>
      ) : error.isUncertain || error.status === 429 ? (
        <Button variant="primary" onClick={() => void action.run(token)}>
          Try again
        </Button>
      ) : (
        <Button onClick={onForget}>Ask for a new link</Button>
      )}
      <ButtonLink to={paths.dashboard} variant="quiet">
        Go to the dashboard
      </ButtonLink>
    </>
  );
}

export function VerifyEmailScreen() {
  useTitle("Verify your email");
  const { state } = useSession();
  const link = useLinkToken("token", "verify-token");
  const [verified, setVerified] = useState<string>();
  if (state.status === "unreachable") {
    return <UnreachableScreen />;
  }
  if (state.status === "signed-out" && !link.isInAddress) {
    // This tab keeps the link's secret. The address that the person returns to does not contain it.
    return <Navigate to={loginPath(paths.verifyEmail)} replace />;
  }
  return (
    <EntryPage isHidden={state.status !== "signed-in"}>
      <div className="flex flex-col gap-4">
        <h1 className="text-24 font-semibold">Verify your email</h1>
        {state.status !== "signed-in" ? null : verified !== undefined ? (
          <Verified email={verified} />
        ) : link.token === undefined ? (
          <SendLink />
        ) : (
          <Confirm
            key={link.token}
            token={link.token}
            onForget={link.forget}
            onVerified={(email) => {
              setVerified(email);
              link.forget();
            }}
          />
        )}
      </div>
    </EntryPage>
  );
}

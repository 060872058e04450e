// Opened from an invitation's letter: a username and a password make the account theirs, and they are signed in.
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import useSWR from "swr";
import {
  acceptInvitationRequest,
  invitationAcceptedResponse,
  invitedPersonResponse,
  type AcceptInvitationRequest,
  type InvitedPersonResponse,
} from "#features/users/contract-invitation.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { send } from "#web/lib/http.ts";
import { randomId } from "#web/lib/random-id.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { Form } from "#web/ui/form.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { NewPasswordField } from "./new-password-field.tsx";

function findInvited(token: string): Promise<InvitedPersonResponse> {
  const path = "/identity/invitation";
  const body = { token };
  return send({ method: "POST", path, body, answer: invitedPersonResponse, key: randomId() });
}

async function accept(body: AcceptInvitationRequest, key: string): Promise<string> {
  const path = "/identity/invitation/accept";
  return (await send({ method: "POST", path, body, answer: invitationAcceptedResponse, key }))
    .email;
}

type AcceptInvitationProps = {
  readonly token: string;
  /** The link was used, or does not work any more. */
  readonly onDone: () => void;
};

/** A link that ended must not open again when this tab comes back. */
function isEnded(error: unknown): boolean {
  return asApiError(error).code === "invitation_invalid";
}

export function AcceptInvitation({ token, onDone }: AcceptInvitationProps) {
  useTitle("Open your account");
  const { data, error } = useSWR<InvitedPersonResponse, unknown>(
    ["invitation", token],
    () => findInvited(token),
    {
      revalidateOnFocus: false,
      shouldRetryOnError: false,
      onError: (failure) => (isEnded(failure) ? onDone() : undefined),
    },
  );
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-24 font-semibold">Open your account</h1>
      {data !== undefined ? (
        <Choose token={token} invited={data} onDone={onDone} />
      ) : error === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <>
          <ErrorLine>{asApiError(error).message}</ErrorLine>
          <ButtonLink to={paths.login}>Sign in</ButtonLink>
        </>
      )}
    </div>
  );
}

type ChooseProps = AcceptInvitationProps & { readonly invited: InvitedPersonResponse };

function Choose({ token, invited, onDone }: ChooseProps) {
  const { signIn } = useSession();
  const navigate = useNavigate();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const submission = useSubmission(
    async (body: AcceptInvitationRequest, key: string) => {
      const email = await accept(body, key).catch((failure: unknown) => {
        if (isEnded(failure)) {
          onDone();
        }
        throw failure;
      });
      // The account is theirs now, even if this sign-in fails.
      onDone();
      await signIn({ email, password: body.password }).then(
        () => navigate(paths.dashboard, { replace: true }),
        () => navigate(paths.login, { replace: true }),
      );
    },
    { username_taken: "username" },
  );
  const { errors } = submission;

  function save(): void {
    const body = { token, password, ...(invited.username === null ? { username } : {}) };
    void submission.submit(errorsIn(acceptInvitationRequest, body), body);
  }

  return (
    <Form onSubmit={save} errors={errors} className="flex flex-col gap-4">
      <p className="wrap-anywhere text-muted">
        {invited.displayName === null ? "" : `Hello ${invited.displayName}. `}
        {`You sign in with ${invited.email}.`}
      </p>
      {invited.username === null ? (
        <Field
          label="Username"
          error={errors["username"]}
          help="3 to 20 lowercase letters, digits, hyphens or underscores"
        >
          {(control) => (
            <TextInput
              {...control}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              value={username}
              onValue={(typed) => {
                setUsername(typed.toLowerCase());
                submission.clear();
              }}
            />
          )}
        </Field>
      ) : null}
      <NewPasswordField
        label="Password"
        value={password}
        error={errors["password"]}
        onValue={(typed) => {
          setPassword(typed);
          submission.clear();
        }}
      />
      <ErrorLine>{submission.error?.message ?? errors["token"]}</ErrorLine>
      <Button type="submit" variant="primary" isBusy={submission.isBusy} busyLabel="Opening...">
        Open my account
      </Button>
    </Form>
  );
}

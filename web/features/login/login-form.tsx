// The login screen's form in its three modes. The specification fixes the texts.
import { CircleCheck } from "lucide-react";
import { messages } from "#features/sign-in/contract.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { Form } from "#web/ui/form.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { passwordHelp, type LoginMode } from "#web/shared/account/login-api.ts";
import type { Login } from "./use-login.ts";

type LoginFormProps = Pick<
  Login,
  "mode" | "draft" | "errors" | "failure" | "hasSent" | "isBusy" | "change" | "submit" | "switchTo"
>;

const submitLabels: Record<LoginMode, { readonly idle: string; readonly busy: string }> = {
  signin: { idle: "Sign in", busy: "Signing in..." },
  signup: { idle: "Create account", busy: "Creating account..." },
  reset: { idle: "Send reset email", busy: "Sending email..." },
};

const ways: Record<LoginMode, readonly { readonly to: LoginMode; readonly label: string }[]> = {
  signin: [{ to: "signup", label: "Don't have an account? Sign up" }],
  signup: [{ to: "signin", label: "Already have an account? Sign in" }],
  reset: [{ to: "signin", label: "Back to sign in" }],
};

function PasswordField({ mode, draft, errors, change, switchTo }: LoginFormProps) {
  const isNew = mode === "signup";
  return (
    <div className="flex flex-col gap-1">
      <Field label="Password" error={errors["password"]} {...(isNew ? { help: passwordHelp } : {})}>
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            autoComplete={isNew ? "new-password" : "current-password"}
            value={draft.password}
            onValue={(password) => change({ password })}
          />
        )}
      </Field>
      {isNew ? null : (
        <span className="self-end">
          <TextButton onClick={() => switchTo("reset")}>Forgot password?</TextButton>
        </span>
      )}
    </div>
  );
}

export function LoginForm(props: LoginFormProps) {
  const { mode, draft, errors, failure, hasSent, isBusy, change, submit, switchTo } = props;
  const { idle, busy } = submitLabels[mode];
  return (
    <Form onSubmit={submit} errors={errors} className="flex flex-col gap-4">
      {mode === "signup" ? (
        <Field label="Display name" isOptional error={errors["displayName"]}>
          {(control) => (
            <TextInput
              {...control}
              name="name"
              autoComplete="name"
              value={draft.displayName}
              onValue={(displayName) => change({ displayName })}
            />
          )}
        </Field>
      ) : null}
      <Field label="Email" error={errors["email"]}>
        {(control) => (
          <TextInput
            {...control}
            type="email"
            name="email"
            autoComplete={mode === "signup" ? "email" : "username"}
            autoCapitalize="none"
            spellCheck={false}
            value={draft.email}
            onValue={(email) => change({ email })}
          />
        )}
      </Field>
      {mode === "reset" ? null : <PasswordField {...props} />}
      <ErrorLine>{failure}</ErrorLine>
      <output className="empty:hidden">
        {hasSent ? (
          <span className="flex items-start gap-2 rounded-control bg-credit-tint px-3 py-2 text-credit">
            <Icon of={CircleCheck} className="mt-0.5" />
            {messages.resetSent}
          </span>
        ) : null}
      </output>
      <Button type="submit" variant="primary" isBusy={isBusy} busyLabel={busy}>
        {idle}
      </Button>
      <p className="flex flex-col items-center text-14">
        {ways[mode].map(({ to, label }) => (
          <TextButton key={to} onClick={() => switchTo(to)}>
            {label}
          </TextButton>
        ))}
      </p>
    </Form>
  );
}

// The login form's fixed texts in its three modes, idle and busy.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { LoginMode } from "#web/shared/account/login-api.ts";
import { LoginForm } from "./login-form.tsx";

function textsOf(mode: LoginMode, isBusy: boolean): string {
  const nothing = (): void => undefined;
  return renderToStaticMarkup(
    <LoginForm
      mode={mode}
      draft={{ email: "", password: "", displayName: "" }}
      errors={{}}
      failure={undefined}
      hasSent={false}
      isBusy={isBusy}
      change={nothing}
      submit={nothing}
      switchTo={nothing}
    />,
  ).replaceAll("&#x27;", "'");
}

it.each([
  ["signin", ["Forgot password?", "Don't have an account? Sign up"]],
  ["signup", ["Already have an account? Sign in", "Display name"]],
  ["reset", ["Back to sign in"]],
] as const)("leads from %s to the other modes", (mode, texts) => {
  expect(texts.filter((text) => !textsOf(mode, false).includes(text))).toEqual([]);
});

it.each([
  ["signin", "Signing in..."],
  ["signup", "Creating account..."],
  ["reset", "Sending email..."],
] as const)("says in %s what it is busy with", (mode, text) => {
  expect(textsOf(mode, true)).toContain(text);
});

it("asks for no password where one is reset", () => {
  expect(textsOf("reset", false)).not.toContain('type="password"');
  expect(textsOf("signin", false)).toContain('type="password"');
});

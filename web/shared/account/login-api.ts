// The login screen's requests in its three modes, checked by the contract before they are sent.
import {
  MIN_PASSWORD_LENGTH,
  passwordResetRequest,
  signInRequest,
  signUpRequest,
  type SignUpRequest,
} from "#features/sign-in/contract.ts";
import { setupResponse } from "#features/users/contract.ts";
import type { ApiError } from "#web/lib/api-error.ts";
import { errorsFrom, errorsIn, noErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { send } from "#web/lib/http.ts";
import { postIdentity } from "#web/lib/id-token.ts";

export const loginModes = ["signin", "signup", "reset"] as const;
export type LoginMode = (typeof loginModes)[number];

export type LoginDraft = {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
};

const requests = {
  signin: signInRequest,
  signup: signUpRequest,
  reset: passwordResetRequest,
} as const;

/** A sign-up's body. An empty display name is omitted. */
export function signUpOf({ email, password, displayName }: LoginDraft): SignUpRequest {
  const name = displayName.trim();
  return name === "" ? { email, password } : { email, password, displayName: name };
}

function bodyOf(mode: LoginMode, draft: LoginDraft): unknown {
  const { email, password } = draft;
  return { signin: { email, password }, signup: signUpOf(draft), reset: { email } }[mode];
}

/** Errors found before sending, by field. */
export function draftErrors(mode: LoginMode, draft: LoginDraft): FieldErrors {
  const missing = mode === "signin" && draft.password === "";
  return {
    ...(missing ? { password: "Please enter your password" } : noErrors),
    ...errorsIn(requests[mode], bodyOf(mode, draft)),
    ...(draft.email.trim() === "" ? { email: "Enter your email" } : noErrors),
  };
}

/** The field that a refusal belongs to. Refusals without a field are shown above the button. */
export function refusalErrors(error: ApiError | undefined): FieldErrors {
  return error?.code === "email_already_in_use" ? { email: error.message } : errorsFrom(error);
}

/** Throws ApiError. */
export async function requestPasswordReset(email: string): Promise<void> {
  await postIdentity("password-reset", { email });
}

/** Makes the signed-in person the first admin. Throws ApiError. */
export async function becomeAdmin(token: string, key: string): Promise<void> {
  await send({
    method: "POST",
    path: "/identity/setup",
    // The store starts with the time zone of the person who sets it up.
    body: { token, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    answer: setupResponse,
    key,
  });
}

export const passwordHelp = `At least ${MIN_PASSWORD_LENGTH} characters`;

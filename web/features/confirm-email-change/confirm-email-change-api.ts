// The calls behind the link of a letter about a change of email.
import {
  emailChangeAgreedResponse,
  emailChangeStoppedResponse,
  type EmailChangeAgreedResponse,
} from "#features/users/contract-email-change.ts";
import { send } from "#web/lib/http.ts";

/** Throws ApiError. */
export async function agreeToEmailChange(
  token: string,
  key: string,
): Promise<EmailChangeAgreedResponse> {
  return await send({
    method: "POST",
    path: "/identity/email-change/agree",
    body: { token },
    answer: emailChangeAgreedResponse,
    key,
  });
}

/** Throws ApiError. */
export async function stopEmailChange(token: string, key: string): Promise<void> {
  const path = "/identity/email-change/stop";
  await send({ method: "POST", path, body: { token }, answer: emailChangeStoppedResponse, key });
}

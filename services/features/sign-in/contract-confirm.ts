// The calls with which somebody who is signed in confirms who they are, before a sensitive call.
import * as z from "zod/mini";
import { code, passkeyAnswer } from "#features/sign-in/contract-passkeys.ts";

/**
 * `GET confirm` (signed in): with what one can confirm. Whoever has a second factor confirms with it. Empty: sign out
 * and in again instead.
 */
export const confirmWaysResponse = z.object({
  ways: z.array(z.enum(["passkey", "totp", "password"])),
});
export type ConfirmWaysResponse = z.infer<typeof confirmWaysResponse>;

/**
 * `POST confirm` (signed in): counts for this session, for ten minutes. A sign-in counts for as long. Calls that need
 * it answer 403 `confirmation_required`. `POST confirm/passkey {}` gives what the passkey signs.
 */
export const confirmRequest = z.union([
  z.strictObject({ password: z.string().check(z.maxLength(1_000)) }),
  z.strictObject({ code }),
  z.strictObject({ passkey: passkeyAnswer }),
]);
export type ConfirmRequest = z.infer<typeof confirmRequest>;

export const confirmedResponse = z.object({ confirmed: z.literal(true) });

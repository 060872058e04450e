// The calls for one's own passkeys, authenticator app and recovery codes, and for resetting somebody else's.
import * as z from "zod/mini";
import { text, uid } from "#ledger/fields.ts";
import { code, newPasskeyAnswer } from "#features/sign-in/contract-passkeys.ts";

/** `GET factors` (signed in). */
export const factorsResponse = z.object({
  factors: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["passkey", "totp"]),
      name: z.string(),
      /** ISO 8601. */
      addedAt: z.string(),
      lastUsedAt: z.nullable(z.string()),
    }),
  ),
  recoveryCodesLeft: z.int(),
  /** True for admins where `ADMIN_SECOND_FACTOR=required`: the last factor cannot be removed. */
  isRequired: z.boolean(),
  /** False where the app is opened by a number such as 127.0.0.1, which passkeys do not allow. */
  canHavePasskeys: z.boolean(),
});
export type FactorsResponse = z.infer<typeof factorsResponse>;

/** `POST factors/totp/start {}` (confirmed): `uri` is what the QR code says, `secret` the same to type. */
export const totpStartedResponse = z.object({ secret: z.string(), uri: z.string() });
export type TotpStarted = z.infer<typeof totpStartedResponse>;

/** `POST factors/totp` (confirmed): the first code of the app, within 15 minutes. */
export const addTotpRequest = z.strictObject({ code });

/** `POST factors/passkey` (confirmed): `POST factors/passkey/start {}` gives what the browser needs. */
export const addPasskeyRequest = z.strictObject({
  name: text(1, 60, "A passkey has a name"),
  passkey: newPasskeyAnswer,
});
export type AddPasskeyRequest = z.infer<typeof addPasskeyRequest>;

/** `recoveryCodes` come with the first factor and are never shown again; otherwise null. */
export const factorAddedResponse = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });
export type FactorAdded = z.infer<typeof factorAddedResponse>;

/** `POST factors/recovery-codes {}` (confirmed): replaces all codes. */
export const recoveryCodesResponse = z.object({ recoveryCodes: z.array(z.string()) });

/** `DELETE factors/{id}` (confirmed). */
export const factorParams = z.object({ id: z.uuid("This is not a factor's id") });
export const factorRemovedResponse = z.object({ removed: z.literal(true) });

export const userFactorsParams = z.strictObject({ uid });

/** `GET auth/users/{uid}/factors` (admin): how many second factors somebody has. */
export const userFactorsResponse = z.object({ factors: z.int() });
export type UserFactorsResponse = z.infer<typeof userFactorsResponse>;

/**
 * `DELETE auth/users/{uid}/factors` (admin, confirmed): for somebody who lost them. Ends every session of theirs and
 * writes to them. `letter`: whether it could be sent.
 */
export const factorsResetResponse = z.object({
  removed: z.int(),
  letter: z.enum(["sent", "not-sent", "no-email"]),
});
export type FactorsReset = z.infer<typeof factorsResetResponse>;

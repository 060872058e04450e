// What the security log notes: every kind with its words for people, and how it can end. Also read by the browser.

/** A new kind is a line here. Screens show its words, and the outcome next to them. */
export const securityKinds = {
  "sign-up": "Sign-up",
  "sign-in": "Sign-in",
  "sign-out": "Sign-out",
  "token-reuse": "Copied session used",
  "session-ended": "Session ended",
  "sessions-ended": "All sessions ended",
  "invitation-sent": "Invitation sent",
  "invitation-revoked": "Invitation revoked",
  "invitation-accepted": "Invitation accepted",
  "receipt-sent": "Receipt sent by email",
  "password-reset-asked": "Password reset requested",
  "password-reset": "Password reset",
  "password-set": "Password set",
  "provider-linked": "Google or Discord linked",
  "provider-unlinked": "Google or Discord unlinked",
  "provider-allowed": "Google or Discord allowed again",
  "password-changed": "Password changed",
  "email-verification-asked": "Email verification requested",
  "email-verified": "Email verification",
  "email-change-asked": "Email change requested",
  "email-changed": "Email change",
  "name-changed": "Name change",
  "payout-handle-chosen": "Payout handle change",
  "legacy-accounts-loaded": "Accounts of the old app loaded",
  "role-changed": "Role change",
  "first-admin": "Set-up link",
  "passkey-added": "Passkey added",
  "passkey-removed": "Passkey removed",
  "totp-added": "Authenticator app added",
  "totp-removed": "Authenticator app removed",
  "recovery-codes-made": "Recovery codes made",
  "recovery-code-used": "Recovery code",
  "second-factor": "Second factor",
  confirmation: "Confirmation",
  exported: "File saved",
  "access-refused": "Access refused",
  "too-many-requests": "Too many requests",
} as const;
export type SecurityKind = keyof typeof securityKinds;

/**
 * `ok`: it happened. `wrong`: a password, code, link or account that is not right. `limited`: too many attempts.
 * `refused`: not allowed. `cut-off`: it began, and ended before it was complete.
 */
export const securityOutcomes = ["ok", "wrong", "limited", "refused", "cut-off"] as const;
export type SecurityOutcome = (typeof securityOutcomes)[number];

export const outcomeWords: Readonly<Record<SecurityOutcome, string>> = {
  ok: "Done",
  wrong: "Wrong",
  limited: "Too often",
  refused: "Refused",
  "cut-off": "Cut off",
};

// The calls of accounts and sessions, for the test of who may make which call.
import type { Level } from "#testing/access/everybody.ts";

/**
 * Who may make the call, and the status of its answer to an empty request: `{}` as its body, and ids that do not
 * exist. `own` and `owner` calls are about the person "user", and no admin may make the latter. `private` calls about something that belongs to that person.
 */
export type Entry = readonly [Level, number];

export const identityCalls: Readonly<Record<string, Entry>> = {
  "POST /api/identity/sign-up": ["open", 400],
  "POST /api/identity/sign-in": ["open", 400],
  "POST /api/identity/refresh": ["open", 401],
  "POST /api/identity/sign-out": ["open", 200],
  "GET /api/identity/jwks": ["open", 200],
  "POST /api/identity/verify-email": ["signed-in", 200],
  "POST /api/identity/verify-email/confirm": ["signed-in", 400],
  "POST /api/identity/password-reset": ["open", 400],
  "POST /api/identity/password-reset/confirm": ["open", 400],
  "GET /api/identity/account": ["signed-in", 200],
  "POST /api/identity/link-password": ["signed-in", 400],
  "GET /api/identity/confirm": ["signed-in", 200],
  "POST /api/identity/confirm/passkey": ["signed-in", 200],
  "POST /api/identity/change-password": ["signed-in", 400],
  "GET /api/identity/factors": ["signed-in", 200],
  "POST /api/identity/factors/totp/start": ["signed-in", 200],
  "POST /api/identity/factors/totp": ["signed-in", 400],
  "POST /api/identity/factors/passkey/start": ["signed-in", 200],
  "POST /api/identity/factors/passkey": ["signed-in", 400],
  "DELETE /api/identity/factors/:id": ["signed-in", 404],
  "POST /api/identity/factors/recovery-codes": ["signed-in", 409],
  "POST /api/identity/providers/:provider": ["signed-in", 400],
  "DELETE /api/identity/providers/:provider": ["signed-in", 400],
  "POST /api/identity/second-step/passkey": ["open", 400],
  "POST /api/identity/second-step": ["open", 400],
  "POST /api/identity/passkey/start": ["open", 200],
  "POST /api/identity/passkey": ["open", 400],
  "POST /api/identity/confirm": ["signed-in", 400],
  "POST /api/identity/invitation": ["open", 400],
  "POST /api/identity/invitation/accept": ["open", 400],
  "POST /api/identity/email-change/agree": ["open", 400],
  "POST /api/identity/email-change/stop": ["open", 400],
  "GET /api/identity/sessions": ["signed-in", 200],
  "DELETE /api/identity/sessions": ["signed-in", 200],
  "DELETE /api/identity/sessions/:id": ["signed-in", 404],
  "POST /api/identity/google/start": ["open", 409],
  "POST /api/identity/google": ["open", 400],
  "POST /api/identity/setup": ["signed-in", 400],
  "POST /api/identity/custom-token": ["open", 400],
};

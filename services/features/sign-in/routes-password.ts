// Signing up, and signing in with email and password.
import { Hono } from "hono";
import type { Sql } from "#db/connect.ts";
import { open } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { refuseFalseName } from "#http/false-names.ts";
import { jsonBody } from "#http/validate.ts";
import { type Credentials, normalEmail } from "#identity/accounts.ts";
import { orNoteLimit } from "#features/sign-in/note-limit.ts";
import { browserOf } from "#features/sign-in/caller.ts";
import {
  enteredResponse,
  sessionResponse,
  signInRequest,
  signUpRequest,
} from "#features/sign-in/contract.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { refuseEasyPassword } from "#features/sign-in/password-check.ts";
import { takeFirstStep } from "#features/sign-in/routes-second-step.ts";
import { enterAs } from "#features/sign-in/routes-session.ts";

const tag = "identity";

/** Routes under `/identity` for passwords. */
export function passwordRoutes(parts: SignInParts): Hono<AppEnv> {
  const { accounts, attempts, origins, passwords, sessions, sql } = parts;
  const routes = new Hono<AppEnv>();

  routes.post(
    "/identity/sign-up",
    open,
    documented({ summary: "Create an account", tag, answer: sessionResponse }),
    sameOrigin(origins, "if-sent"),
    jsonBody(signUpRequest),
    async (c) => {
      const { email, password, displayName } = c.req.valid("json");
      const { security } = c.var;
      const attempt = { kind: "sign-up", about: { email } } as const;
      await orNoteLimit(security, attempt, () => attempts.signUpFrom(c.get("clientAddress")));
      // Before the email counts, so that nobody uses up somebody else's attempts with passwords that are refused.
      refuseEasyPassword(password, [email, displayName]);
      await refuseFalseName({ name: parts.storeName }, { displayName });
      await orNoteLimit(security, attempt, () => attempts.signUpAs(normalEmail(email)));
      if (await isTaken(sql, normalEmail(email))) {
        await security.note({ ...attempt, outcome: "refused" });
        throw refuse("email_already_in_use");
      }
      const uid = await accounts.signUp(
        email,
        password,
        displayName === "" ? undefined : displayName,
      );
      if (uid === undefined) {
        await security.note({ ...attempt, outcome: "refused" });
        throw refuse("email_already_in_use");
      }
      await security.note({ kind: "sign-up", outcome: "ok", about: { uid } });
      return c.json(await enterAs(parts, c, { uid, epoch: await sessions.epochOf(uid) }));
    },
  );

  routes.post(
    "/identity/sign-in",
    open,
    documented({ summary: "Sign in with email and password", tag, answer: enteredResponse }),
    sameOrigin(origins, "if-sent"),
    jsonBody(signInRequest),
    async (c) => {
      const { email, password } = c.req.valid("json");
      const { security } = c.var;
      const browser = await browserOf(parts, c, email);
      const succeeded = await orNoteLimit(security, { kind: "sign-in", about: { email } }, () =>
        attempts.signIn(normalEmail(email), c.get("clientAddress"), browser),
      );
      const account = await accounts.findCredentials(email);
      const turn =
        browser === undefined || account === undefined
          ? "in order"
          : await attempts.turnOf(account.uid);
      const check = await passwords.verify(password, account?.passwordHash, turn);
      if (account === undefined) {
        await security.note({ kind: "sign-in", outcome: "wrong", about: { email } });
        throw refuse("user_not_found", "email");
      }
      const about = { uid: account.uid };
      if (!check.matches) {
        await security.note({ kind: "sign-in", outcome: "wrong", about });
        throw refuse("wrong_password", "password");
      }
      if (account.isDeactivated) {
        await security.note({ kind: "sign-in", outcome: "refused", about });
        throw refuse("account_deactivated");
      }
      await succeeded();
      const passwordHash = check.outdated
        ? await renewHash(parts, account, password)
        : account.passwordHash;
      const { uid, sessionEpoch: epoch } = account;
      return c.json(await takeFirstStep(parts, c, { uid, epoch, passwordHash, by: "password" }));
    },
  );

  return routes;
}

/** Hashes a right password again with today's costs. Returns the stored hash that it was checked against. */
async function renewHash(
  { accounts, passwords }: SignInParts,
  { uid, passwordHash }: Credentials,
  password: string,
): Promise<string> {
  const renewed = await passwords.hash(password);
  if (await accounts.replaceHash(uid, passwordHash, renewed)) {
    return renewed;
  }
  // Another sign-in has renewed it, or the password has changed.
  const current = await accounts.findHash(uid);
  const { matches } = await passwords.verify(password, current);
  return matches && current !== undefined ? current : passwordHash;
}

/**
 * Whether an account signs in with this address, or signs in another way and has verified it, so that it cannot get a
 * password here.
 */
async function isTaken(sql: Sql, email: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from identity.credentials where email = ${email}) or exists (
      select from identity.profiles where lower(email) = ${email} and email_verified_at is not null
    ) as found`;
  return row?.found === true;
}

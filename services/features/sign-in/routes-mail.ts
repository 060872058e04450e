// Mails with links: to verify an email address, and to replace a forgotten password.
import { Hono } from "hono";
import { open, signedIn } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { jsonBody } from "#http/validate.ts";
import { normalEmail } from "#identity/accounts.ts";
import { browserOf, limitBySource, rememberBrowser, sourceOf } from "#features/sign-in/caller.ts";
import {
  emptyRequest,
  passwordResetResponse,
  passwordResetConfirmRequest,
  passwordResetRequest,
  verifyEmailConfirmRequest,
} from "#features/sign-in/contract.ts";
import { emailVerifiedResponse, mailSentResponse } from "#features/sign-in/contract-account.ts";
import { orNoteLimit } from "#features/sign-in/note-limit.ts";
import { resetPassword, verifyEmail } from "#identity/email-proof.ts";
import { noteSent } from "#identity/invitations.ts";
import { findInvited } from "#identity/invited.ts";
import { invitationLetter, resetLetter, verificationLetter } from "#identity/letters.ts";
import { createMailLink, findMailLink, lastLinkEnd } from "#identity/mail-links.ts";
import { readOwnAccount } from "#identity/own-account.ts";
import { findUser } from "#identity/users.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuseEasyPasswordOf } from "#features/sign-in/password-check.ts";
import { sendLetter, tellOwner } from "#http/send-letter.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import type { Letter } from "#mail/letter.ts";
import type { Context } from "hono";

const tag = "identity";

/** Routes under `/identity` that send mails, and those that their links use. */
export function mailRoutes(parts: SignInParts): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addVerification(routes, parts);
  addReset(routes, parts);
  return routes;
}

function addVerification(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { attempts, clock, sql } = parts;

  routes.post(
    "/identity/verify-email",
    signedIn,
    documented({
      summary: "Mail a link that verifies one's email",
      tag,
      answer: mailSentResponse,
    }),
    jsonBody(emptyRequest),
    async (c) => {
      const { uid } = c.get("person");
      await attempts.verifications.consume(uid);
      const account = await readOwnAccount(sql, uid);
      const email = normalEmail(account.email ?? "");
      if (email === "") {
        throw refuse("email_missing");
      }
      if (account.emailVerified) {
        throw refuse("email_already_verified");
      }
      const token = await createMailLink(sql, clock(), "verify-email", uid, email);
      await deliver(parts, c, verificationLetter(email, await parts.sender(), token));
      await c.var.security.note({
        kind: "email-verification-asked",
        outcome: "ok",
        about: { uid },
      });
      return c.json({ sent: true });
    },
  );

  routes.post(
    "/identity/verify-email/confirm",
    signedIn,
    documented({
      summary: "Verify one's email with the mailed link",
      tag,
      answer: emailVerifiedResponse,
    }),
    jsonBody(verifyEmailConfirmRequest),
    limitBySource(parts, attempts.tokens),
    async (c) => {
      const { token } = c.req.valid("json");
      const attempt = { kind: "email-verified", about: { uid: c.get("person").uid } } as const;
      const link = await findMailLink(sql, clock(), "verify-email", token);
      // If somebody signs up with another person's address, that person's click on the link must not verify it.
      if (link !== undefined && link.uid !== c.get("person").uid) {
        await c.var.security.note({ ...attempt, outcome: "refused" });
        throw refuse("verification_link_foreign");
      }
      const verification = await verifyEmail(sql, clock(), token);
      if (verification.kind !== "verified") {
        await c.var.security.note({ ...attempt, outcome: "wrong" });
        throw refuse(
          verification.kind === "taken" ? "email_verified_elsewhere" : "verification_link_invalid",
        );
      }
      await c.var.security.note({ ...attempt, outcome: "ok" });
      return c.json({ email: verification.email, emailVerified: true });
    },
  );
}

function addReset(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { accounts, attempts, clock, factors, origins, passwords, sql } = parts;

  routes.post(
    "/identity/password-reset",
    open,
    documented({ summary: "Mail a link for a new password", tag, answer: mailSentResponse }),
    sameOrigin(origins, "if-sent"),
    jsonBody(passwordResetRequest),
    async (c) => {
      const email = normalEmail(c.req.valid("json").email);
      const { security } = c.var;
      const attempt = { kind: "password-reset-asked", about: { email } } as const;
      const browser = await browserOf(parts, c, email);
      await orNoteLimit(security, attempt, () =>
        attempts.reset(email, c.get("clientAddress"), browser),
      );
      const account = await accounts.findCredentials(email);
      if (account === undefined && (await inviteAnew(parts, c, email))) {
        return c.json({ sent: true });
      }
      if (account === undefined || account.isDeactivated) {
        await security.note({ ...attempt, outcome: "wrong" });
        throw refuse("user_not_found", "email");
      }
      const token = await createMailLink(sql, clock(), "reset-password", account.uid, email);
      await deliver(parts, c, resetLetter(email, await parts.sender(), token));
      await security.note({ ...attempt, outcome: "ok", about: { uid: account.uid } });
      return c.json({ sent: true });
    },
  );

  routes.post(
    "/identity/password-reset/confirm",
    open,
    documented({
      summary: "Set a new password with the mailed link, and end every session",
      tag,
      answer: passwordResetResponse,
    }),
    sameOrigin(origins, "if-sent"),
    jsonBody(passwordResetConfirmRequest),
    async (c) => {
      const { token, password } = c.req.valid("json");
      // Checked first, so that made-up links cost no hash and cannot lock others out.
      const { security } = c.var;
      const link = await findMailLink(sql, clock(), "reset-password", token);
      if (link === undefined) {
        const attempt = { kind: "password-reset", about: "nobody" } as const;
        const source = await sourceOf(parts, c);
        await orNoteLimit(security, attempt, () => attempts.tokens.consume(source));
        security.count({ ...attempt, outcome: "wrong" });
        throw refuse("reset_link_invalid");
      }
      const attempt = { kind: "password-reset", about: { uid: link.uid } } as const;
      await orNoteLimit(security, attempt, () => attempts.newPasswords.consume(link.uid));
      await refuseEasyPasswordOf(sql, link.uid, password);
      const passwordHash = await passwords.hash(password, "first");
      const email = await resetPassword(sql, clock(), token, passwordHash);
      if (email === undefined) {
        await security.note({ ...attempt, outcome: "wrong" });
        throw refuse("reset_link_invalid");
      }
      await security.note({ ...attempt, outcome: "ok" });
      await tellOwner(parts, c, link.uid, "password-reset");
      await attempts.know(email, c.get("clientAddress"));
      // With a second factor, a browser is known only once the factor was used in it.
      if ((await factors.ways(link.uid)) === undefined) {
        await rememberBrowser(parts, c, link.uid, { kind: "entered", by: token });
      }
      return c.json({ reset: true });
    },
  );
}

/** Somebody who was invited and asks for a password gets another letter of the invitation. False if nobody was. */
async function inviteAnew(parts: SignInParts, c: Context<AppEnv>, email: string): Promise<boolean> {
  const { clock, sql } = parts;
  const uid = await findInvited(sql, email);
  if (uid === undefined) {
    return false;
  }
  const { displayName } = (await findUser(sql, uid)) ?? { displayName: null };
  // Asking again does not make the admin's invitation last longer.
  const until = await lastLinkEnd(sql, clock(), "invitation", uid);
  if (until === null) {
    await c.var.security.note({
      kind: "password-reset-asked",
      outcome: "refused",
      about: { uid },
    });
    throw refuse("invitation_ended");
  }
  const token = await createMailLink(sql, clock(), "invitation", uid, email, until);
  await deliver(
    parts,
    c,
    invitationLetter({ to: email, displayName }, await parts.sender(), token),
  );
  await noteSent(sql, clock(), uid);
  await c.var.security.note({ kind: "invitation-sent", outcome: "ok", about: { uid } });
  return true;
}

async function deliver(
  parts: SignInParts,
  c: Pick<Context<AppEnv>, "var">,
  letter: Letter,
): Promise<void> {
  if (!(await sendLetter(parts, c, letter))) {
    throw refuse("mail_unavailable");
  }
}

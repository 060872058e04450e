// The second step of a sign-in: the first gives only a token for it, and no session exists before a factor was given.
import { type Context, Hono } from "hono";
import { open } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { jsonBody } from "#http/validate.ts";
import { limitBySource } from "#features/sign-in/caller.ts";
import { readBrowserCookie } from "#features/sign-in/cookie.ts";
import { type EnteredResponse, sessionResponse } from "#features/sign-in/contract.ts";
import {
  passkeyOptionsResponse,
  secondStepPasskeyRequest,
  secondStepRequest,
  type SecondStepRequest,
} from "#features/sign-in/contract-passkeys.ts";
import { orNoteLimit } from "#features/sign-in/note-limit.ts";
import { passkeySiteOf, refusePasskey } from "#features/sign-in/passkey-site.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { enterAs } from "#features/sign-in/routes-session.ts";
import { spendRecoveryCode } from "#identity/recovery-codes.ts";
import type { SecondStep } from "#identity/second-steps.ts";
import type { SessionStart } from "#identity/sessions.ts";

const tag = "identity";

/** What the first step was, for the security log. */
export type FirstStep = "password" | "google" | "discord";

/**
 * After the first step, whatever it was: a session, or for somebody with a second factor only a token for the second
 * step. `epoch` was read before the credentials were checked; `passwordHash` is what a password was checked against.
 */
export async function takeFirstStep(
  parts: SignInParts,
  c: Context<AppEnv>,
  {
    uid,
    epoch,
    passwordHash,
    by,
  }: Omit<SessionStart, "userAgent" | "address"> & { readonly by: FirstStep },
): Promise<EnteredResponse> {
  const ways = await parts.factors.ways(uid);
  if (ways === undefined) {
    const session = await enterAs(parts, c, { uid, epoch, passwordHash, steps: "one" });
    await c.var.security.note({ kind: "sign-in", outcome: "ok", about: { uid }, detail: by });
    return session;
  }
  const token = await parts.secondSteps.begin({ uid, epoch, passwordHash });
  if (token === undefined) {
    throw refuse("no_session");
  }
  return { secondStep: { token, ways: [...ways] } };
}

/** Routes under `/identity/second-step`. */
export function secondStepRoutes(parts: SignInParts): Hono<AppEnv> {
  const { attempts, origins, passkeys, secondSteps } = parts;
  const routes = new Hono<AppEnv>();

  routes.post(
    "/identity/second-step/passkey",
    open,
    documented({
      summary: "Get what a passkey signs in the second step of a sign-in",
      tag,
      answer: passkeyOptionsResponse,
    }),
    sameOrigin(origins, "always"),
    jsonBody(secondStepPasskeyRequest),
    limitBySource(parts, attempts.tokens),
    async (c) => {
      const step = await findStep(parts, c.req.valid("json").token);
      const site = await passkeySiteOf(parts, c);
      const options = await passkeys.beginUse(site, { purpose: "second-step", uid: step.uid });
      return c.json({ options: { ...options } });
    },
  );

  routes.post(
    "/identity/second-step",
    open,
    documented({
      summary: "Finish a sign-in with a second factor",
      tag,
      answer: sessionResponse,
    }),
    sameOrigin(origins, "always"),
    jsonBody(secondStepRequest),
    limitBySource(parts, attempts.tokens),
    async (c) => {
      const request = c.req.valid("json");
      const { uid, epoch, passwordHash } = await findStep(parts, request.token);
      const used = await useFactor(parts, c, uid, request);
      // Two answers at once for one first step: one session.
      if (!(await secondSteps.finish(request.token))) {
        throw refuse("second_step_expired");
      }
      const session = await enterAs(parts, c, { uid, epoch, passwordHash });
      await c.var.security.note({ kind: "sign-in", outcome: "ok", about: { uid }, detail: used });
      return c.json(session);
    },
  );
  return routes;
}

async function findStep({ secondSteps }: SignInParts, token: string): Promise<SecondStep> {
  const step = await secondSteps.find(token);
  if (step === undefined) {
    throw refuse("second_step_expired");
  }
  return step;
}

/** With what the second step was taken. Throws HttpError 400 for a wrong one, and 429. */
async function useFactor(
  parts: SignInParts,
  c: Context<AppEnv>,
  uid: string,
  request: SecondStepRequest,
): Promise<string> {
  const noted = { kind: "second-factor", about: { uid } } as const;
  const { security } = c.var;
  if ("passkey" in request) {
    const site = await passkeySiteOf(parts, c);
    const use = { purpose: "second-step", uid } as const;
    const used = await parts.passkeys.finishUse(site, use, request.passkey);
    if (used.kind === "refused") {
      await security.note({ ...noted, outcome: "wrong", detail: "passkey" });
      throw refusePasskey(c, used.because);
    }
    return "second step: passkey";
  }
  const isKnown = await isKnownBrowser(parts, c, uid);
  const succeeded = await orNoteLimit(security, noted, () =>
    parts.attempts.factorCode(uid, isKnown ? "known" : "elsewhere"),
  );
  const isApp = "code" in request;
  const isRight = isApp
    ? await parts.factors.acceptTotp(uid, request.code)
    : await spendRecoveryCode(parts.sql, parts.clock(), uid, request.recoveryCode);
  if (!isRight) {
    await security.note({ ...noted, outcome: "wrong", detail: isApp ? "app" : "recovery code" });
    throw refuse("wrong_code", isApp ? "code" : "recoveryCode");
  }
  await succeeded();
  if (!isApp) {
    await security.note({ kind: "recovery-code-used", outcome: "ok", about: { uid } });
  }
  return isApp ? "second step: app" : "second step: recovery code";
}

/** Whether the person used this browser before: strangers who know the password have another count. */
async function isKnownBrowser(
  { browsers, cookies, sql }: SignInParts,
  c: Context<AppEnv>,
  uid: string,
): Promise<boolean> {
  const known = await browsers.read(readBrowserCookie(c, cookies));
  const [person] = await sql<{ browsers_known_from: Date | null }[]>`
    select browsers_known_from from identity.profiles where uid = ${uid}`;
  const one = await browsers.ofPerson(known, uid, person?.browsers_known_from ?? null);
  return one !== undefined;
}

// Confirming who one is, in a session that began a while ago. Sensitive calls ask for it with `confirmed`.
import { type Context, Hono } from "hono";
import { settingUp } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, SignedInEnv } from "#http/env.ts";
import { jsonBody } from "#http/validate.ts";
import {
  confirmedResponse,
  confirmRequest,
  type ConfirmRequest,
  type ConfirmWaysResponse,
  confirmWaysResponse,
} from "#features/sign-in/contract-confirm.ts";
import { emptyRequest } from "#features/sign-in/contract.ts";
import { passkeyOptionsResponse } from "#features/sign-in/contract-passkeys.ts";
import { orNoteLimit } from "#features/sign-in/note-limit.ts";
import { passkeySiteOf, refusePasskey } from "#features/sign-in/passkey-site.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";

const tag = "identity";
type Way = ConfirmWaysResponse["ways"][number];

/** Routes under `/identity/confirm`. */
export function confirmRoutes(parts: SignInParts): Hono<AppEnv> {
  const { attempts, confirmations, passkeys } = parts;
  const routes = new Hono<AppEnv>();
  routes.get(
    "/identity/confirm",
    settingUp,
    documented({
      summary: "Ask with what one can confirm who one is",
      tag,
      answer: confirmWaysResponse,
    }),
    async (c) => c.json({ ways: [...(await waysOf(parts, c.get("person").uid))] }),
  );
  routes.post(
    "/identity/confirm/passkey",
    settingUp,
    documented({
      summary: "Get what a passkey signs to confirm who one is",
      tag,
      answer: passkeyOptionsResponse,
    }),
    jsonBody(emptyRequest),
    async (c) => {
      const { uid } = c.get("person");
      await attempts.setups.consume(uid);
      const site = await passkeySiteOf(parts, c);
      const options = await passkeys.beginUse(site, { purpose: "confirm", uid });
      return c.json({ options: { ...options } });
    },
  );
  routes.post(
    "/identity/confirm",
    settingUp,
    documented({ summary: "Confirm who one is", tag, answer: confirmedResponse }),
    jsonBody(confirmRequest),
    async (c) => {
      const person = c.get("person");
      const { security } = c.var;
      const about = { uid: person.uid };
      const succeeded = await orNoteLimit(security, { kind: "confirmation", about }, () =>
        attempts.confirmation(person.uid),
      );
      const refusal = await check(parts, c, c.req.valid("json"));
      if (refusal !== undefined) {
        await security.note({ kind: "confirmation", outcome: "wrong", about });
        throw refusal;
      }
      await succeeded();
      await confirmations.confirm(person);
      await security.note({ kind: "confirmation", outcome: "ok", about });
      return c.json({ confirmed: true });
    },
  );
  return routes;
}

/** Whoever has a second factor uses it: somebody who learned the password must not get further with it here. */
async function waysOf({ accounts, factors }: SignInParts, uid: string): Promise<readonly Way[]> {
  const ways = await factors.ways(uid);
  if (ways !== undefined) {
    return ways.filter((way) => way !== "recovery-code");
  }
  return (await accounts.findHash(uid)) === undefined ? [] : ["password"];
}

/** What is wrong with it. */
async function check(
  parts: SignInParts,
  c: Context<SignedInEnv>,
  request: ConfirmRequest,
): Promise<Error | undefined> {
  const { uid } = c.var.person;
  const ways = await waysOf(parts, uid);
  const way = "password" in request ? "password" : "code" in request ? "totp" : "passkey";
  if (!ways.includes(way)) {
    return refuse(ways.length === 0 ? "nothing_to_confirm_with" : "confirm_otherwise");
  }
  if ("password" in request) {
    const hash = await parts.accounts.findHash(uid);
    const turn = await parts.attempts.turnOf(uid);
    const { matches } = await parts.passwords.verify(request.password, hash, turn);
    return matches ? undefined : refuse("wrong_password", "password");
  }
  if ("code" in request) {
    // A count of its own: a right password elsewhere gives no more guesses.
    const about = { kind: "confirmation", about: { uid } } as const;
    const succeeded = await orNoteLimit(c.var.security, about, () =>
      parts.attempts.factorCode(uid, "known"),
    );
    if (!(await parts.factors.acceptTotp(uid, request.code))) {
      return refuse("wrong_code", "code");
    }
    await succeeded();
    return undefined;
  }
  const site = await passkeySiteOf(parts, c);
  const used = await parts.passkeys.finishUse(site, { purpose: "confirm", uid }, request.passkey);
  return used.kind === "used" ? undefined : refusePasskey(c, used.because);
}

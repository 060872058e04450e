// Changing one's password: the old one is asked for, and every other session ends.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody } from "#http/validate.ts";
import { changePasswordRequest } from "#features/sign-in/contract.ts";
import { passwordChangedResponse } from "#features/sign-in/contract-account.ts";
import { orNoteLimit } from "#features/sign-in/note-limit.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuseEasyPasswordOf } from "#features/sign-in/password-check.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { tellOwner } from "#http/send-letter.ts";
import { changePassword } from "#identity/own-account.ts";

/** `POST /identity/change-password`. */
export function changePasswordRoutes(parts: SignInParts): Hono<AppEnv> {
  const { accounts, attempts, clock, passwords, sql } = parts;
  const routes = new Hono<AppEnv>();
  routes.post(
    "/identity/change-password",
    signedIn,
    documented({
      summary: "Change one's password, and end every other session",
      tag: "identity",
      answer: passwordChangedResponse,
    }),
    jsonBody(changePasswordRequest),
    async (c) => {
      const { uid, sessionId } = c.get("person");
      const { security } = c.var;
      const { oldPassword, newPassword } = c.req.valid("json");
      const noted = { kind: "password-changed", about: { uid } } as const;
      const succeeded = await orNoteLimit(security, noted, () => attempts.confirmation(uid));
      const oldHash = await accounts.findHash(uid);
      if (oldHash === undefined) {
        throw refuse("no_password");
      }
      const turn = await attempts.turnOf(uid);
      const { matches } = await passwords.verify(oldPassword, oldHash, turn);
      if (!matches) {
        await security.note({ ...noted, outcome: "wrong" });
        throw refuse("wrong_password", "oldPassword");
      }
      await refuseEasyPasswordOf(sql, uid, newPassword);
      const newHash = await passwords.hash(newPassword, turn);
      const ended = await changePassword(sql, clock(), { uid, sessionId, oldHash, newHash });
      if (ended === undefined) {
        // Somebody else changed it in between.
        throw refuse("wrong_password", "oldPassword");
      }
      await succeeded();
      await security.note({ ...noted, outcome: "ok" });
      await tellOwner(parts, c, uid, "password-changed");
      return c.json({ changed: true, ended });
    },
  );
  return routes;
}

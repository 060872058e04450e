// The calls behind an invitation's link: whose it is, and making the account theirs with a username and a password.
import { Hono } from "hono";
import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { open } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { createRateLimits, limitByAddress } from "#http/rate-limit.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { refuseFalseName } from "#http/false-names.ts";
import { jsonBody } from "#http/validate.ts";
import { acceptInvitation, findByInvitationLink } from "#identity/invitations.ts";
import type { InvitedPerson } from "#identity/invitations.ts";
import { isEasyToGuess } from "#identity/password-choice.ts";
import { writeTextChanges } from "#identity/users.ts";
import {
  acceptInvitationRequest,
  invitationAcceptedResponse,
  invitationLinkRequest,
  invitedPersonResponse,
} from "#features/users/contract-invitation.ts";
import { messages } from "#features/users/contract-names.ts";
import { userRefusals } from "#features/users/contract-refusals.ts";
import { changeUser } from "#features/users/decider.ts";
import { asTaken, refuse, userDepsOf, type UserDeps } from "#features/users/user-desk.ts";

const tag = "users";
const GUESSES = { attempts: 60, perSeconds: 900 };
/** Each costs a password's hash. */
const TRIES = { attempts: 10, perSeconds: 900 };

export function acceptInvitationRoutes(routeDeps: RouteDeps): Hono<AppEnv> {
  const deps = userDepsOf(routeDeps);
  const { sql, clock, site } = deps;
  const routes = new Hono<AppEnv>();
  const limits = createRateLimits(sql, clock);
  const guesses = limitByAddress(limits("invitation-address", GUESSES));
  const tries = limits("invitation-account", TRIES);
  routes.post(
    "/identity/invitation",
    open,
    documented({ summary: "Show whom an invitation is for", tag, answer: invitedPersonResponse }),
    sameOrigin(site.origins, "if-sent"),
    jsonBody(invitationLinkRequest),
    guesses,
    async (c) => {
      const invited = await findByInvitationLink(sql, clock(), c.req.valid("json").token);
      if (invited === undefined) {
        throw refuse("invitation_invalid");
      }
      const { email, displayName, username } = invited;
      return c.json({ email, displayName, username });
    },
  );
  routes.post(
    "/identity/invitation/accept",
    open,
    documented({ summary: "Accept an invitation", tag, answer: invitationAcceptedResponse }),
    sameOrigin(site.origins, "if-sent"),
    jsonBody(acceptInvitationRequest),
    guesses,
    async (c) => {
      const { token, username, password } = c.req.valid("json");
      const { security } = c.var;
      const invited = await findByInvitationLink(sql, clock(), token);
      if (invited === undefined) {
        security.count({ kind: "invitation-accepted", outcome: "wrong", about: "nobody" });
        throw refuse("invitation_invalid");
      }
      const { uid, email } = invited;
      await tries.consume(uid);
      const chosen = chosenName(invited, username);
      await refuseFalseName(deps.store, { username: chosen });
      refuseEasy(password, [email, invited.displayName, invited.username ?? username]);
      const passwordHash = await deps.identity.parts.passwords.hash(password, "first");
      await makeTheirs(deps, invited, chosen, (transaction) =>
        acceptInvitation(transaction, clock(), token, { uid, email, passwordHash }),
      );
      await security.note({ kind: "invitation-accepted", outcome: "ok", about: { uid } });
      return c.json({ email });
    },
  );
  return routes;
}

/** Null keeps the account's own. */
function chosenName(invited: InvitedPerson, username: string | undefined): string | null {
  if (invited.username !== null) {
    return null;
  }
  if (username === undefined) {
    const message = messages.usernameShape;
    throw new HttpError(400, "validation_failed", message, {
      details: [{ path: "username", message }],
    });
  }
  return username;
}

function refuseEasy(password: string, names: readonly (string | null | undefined)[]): void {
  if (isEasyToGuess(password, names)) {
    const { status, message } = userRefusals.password_too_common;
    throw new HttpError(status, "password_too_common", message, {
      details: [{ path: "password", message }],
    });
  }
}

/** Username and password in one transaction: with an event of the person for the name, or without one if they have it. */
async function makeTheirs(
  { sql, clock, keys, ledger, newId }: UserDeps,
  { uid }: InvitedPerson,
  username: string | null,
  accept: (transaction: TransactionSql) => Promise<boolean>,
): Promise<void> {
  const changeId = newId();
  const acceptOrEnd = async (transaction: TransactionSql): Promise<void> => {
    if (!(await accept(transaction))) {
      throw refuse("invitation_invalid");
    }
  };
  try {
    if (username === null) {
      await sql.begin(acceptOrEnd);
      return;
    }
    const outcome = await ledger.execute(
      changeUser,
      {
        uid,
        role: null,
        username: { reservation: await keys.keyOf("username", username), changeId },
        emailChangeId: null,
        displayNameChangeId: null,
        noteId: null,
        happenedAt: clock().toISOString(),
      },
      {
        actor: uid,
        scope: "system",
        key: `invitation:${uid}:${randomUUID()}`,
        requestHash: "",
        inSameTransaction: async (transaction) => {
          await acceptOrEnd(transaction);
          await writeTextChanges(transaction, uid, [
            { id: changeId, field: "username", after: username },
          ]);
        },
      },
    );
    if (outcome.kind === "rejected") {
      const { status, code, message } = outcome.rejection;
      throw new HttpError(status, code, message);
    }
    if (outcome.kind !== "accepted") {
      throw refuse("email_change_contended");
    }
  } catch (error) {
    throw asTaken(error) ?? error;
  }
}

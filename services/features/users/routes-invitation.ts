// The admins' calls for inviting a consignor: the account and its letter, another letter, and an end to the links.
import { type Context, Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, SignedInEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { letterParts, sendLetter } from "#http/send-letter.ts";
import { refuseFalseName } from "#http/false-names.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import { normalEmail } from "#identity/accounts.ts";
import {
  canSignIn,
  createInvited,
  findInvitation,
  inviteAgain,
  noteSent,
  revokeInvitation,
} from "#identity/invitations.ts";
import { invitationLetter } from "#identity/letters.ts";
import { createMailLink } from "#identity/mail-links.ts";
import { userParams } from "#features/users/contract.ts";
import {
  invitationResponse,
  inviteRequest,
  inviteResponse,
  type InvitationResponse,
} from "#features/users/contract-invitation.ts";
import { userRefusals } from "#features/users/contract-refusals.ts";
import { refuse, requireUser } from "#features/users/user-desk.ts";

const tag = "users";

const LETTERS_BY_ADMIN = { attempts: 120, perSeconds: 3_600 };
const LETTERS_TO_PERSON = { attempts: 5, perSeconds: 3_600 };

export function invitationRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const limits = createRateLimits(deps.sql, deps.clock);
  const byAdmin = limits("invitations-admin", LETTERS_BY_ADMIN);
  const toPerson = limits("invitations-person", LETTERS_TO_PERSON);
  addInvite(routes, deps, byAdmin);
  addOne(routes, deps);
  routes.post(
    "/auth/users/:uid/invitation",
    admin,
    documented({ summary: "Send an invitation again", tag, answer: invitationResponse }),
    pathParams(userParams),
    noBody,
    keepsAnswer,
    async (c) => {
      const user = await requireUser(deps.sql, c.req.valid("param").uid);
      const { uid, displayName } = user;
      if (user.deactivated) {
        throw refuse("user_deleted");
      }
      if (await canSignIn(deps.sql, uid)) {
        throw refuse("can_sign_in");
      }
      if (user.email === null) {
        throw refuse("no_email");
      }
      const email = normalEmail(user.email);
      await toPerson.consume(uid);
      await byAdmin.consume(c.var.person.uid);
      const invited = { email, invitedBy: c.var.person.uid };
      const outcome = await inviteAgain(deps.sql, deps.clock(), uid, invited);
      if (outcome !== "invited") {
        throw refuse(refusalOf[outcome]);
      }
      if (!(await sendInvitation(c, deps, { uid, email, displayName }))) {
        throw refuse("mail_unavailable");
      }
      return c.json(await standingOf(deps, uid));
    },
  );
  return routes;
}

const refusalOf = {
  taken: "email_already_in_use",
  changed: "email_changed",
  "is-admin": "admin_not_invited",
} as const;

type Limit = ReturnType<ReturnType<typeof createRateLimits>>;

function addInvite(routes: Hono<AppEnv>, deps: RouteDeps, byAdmin: Limit): void {
  routes.post(
    "/auth/invitations",
    admin,
    documented({ summary: "Invite a consignor", tag, answer: inviteResponse }),
    jsonBody(inviteRequest),
    keepsAnswer,
    async (c) => {
      const { email: typed, displayName: name = "" } = c.req.valid("json");
      await refuseFalseName(deps.store, { displayName: name });
      await byAdmin.consume(c.var.person.uid);
      const email = normalEmail(typed);
      const displayName = name === "" ? null : name;
      const invitedBy = c.var.person.uid;
      const made = await createInvited(deps.sql, deps.clock(), { email, invitedBy, displayName });
      const { uid } = made;
      if (made.kind === "taken") {
        const { status, message } = userRefusals.email_already_invited;
        throw new HttpError(status, "email_already_invited", message, { current: { uid } });
      }
      return c.json({ uid, sent: await sendInvitation(c, deps, { uid, email, displayName }) });
    },
  );
}

function addOne(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/auth/users/:uid/invitation",
    admin,
    documented({ summary: "Show a person's invitation", tag, answer: invitationResponse }),
    pathParams(userParams),
    async (c) => {
      const { uid } = await requireUser(deps.sql, c.req.valid("param").uid);
      return c.json(await standingOf(deps, uid));
    },
  );
  routes.delete(
    "/auth/users/:uid/invitation",
    admin,
    documented({ summary: "Revoke an invitation", tag, answer: invitationResponse }),
    pathParams(userParams),
    noBody,
    keepsAnswer,
    async (c) => {
      const { uid } = await requireUser(deps.sql, c.req.valid("param").uid);
      if (await revokeInvitation(deps.sql, uid)) {
        const byUid = c.var.person.uid;
        await c.var.security.note({
          kind: "invitation-revoked",
          outcome: "ok",
          about: { uid },
          byUid,
        });
      }
      return c.json(await standingOf(deps, uid));
    },
  );
}

async function standingOf(
  { sql, clock, profiles }: RouteDeps,
  uid: string,
): Promise<InvitationResponse> {
  const [can, found] = await Promise.all([canSignIn(sql, uid), findInvitation(sql, clock(), uid)]);
  if (found === undefined) {
    return { canSignIn: can, invitation: null };
  }
  const names = await profiles.displayNames([found.invitedBy]);
  return {
    canSignIn: can,
    invitation: {
      invitedBy: names.get(found.invitedBy) ?? found.invitedBy,
      invitedAt: found.invitedAt.toISOString(),
      sentAt: found.sentAt?.toISOString() ?? null,
      expiresAt: found.expiresAt?.toISOString() ?? null,
      mayBeRevoked: found.mayBeRevoked,
    },
  };
}

type Recipient = {
  readonly uid: string;
  readonly email: string;
  readonly displayName: string | null;
};

/** False if the letter could not be sent. */
async function sendInvitation(
  c: Context<SignedInEnv>,
  deps: RouteDeps,
  { uid, email, displayName }: Recipient,
): Promise<boolean> {
  const { sql, clock } = deps;
  const token = await createMailLink(sql, clock(), "invitation", uid, email);
  const parts = letterParts(deps);
  const letter = invitationLetter({ to: email, displayName }, await parts.sender(), token);
  if (!(await sendLetter(parts, c, letter))) {
    return false;
  }
  await noteSent(sql, clock(), uid);
  const byUid = c.var.person.uid;
  await c.var.security.note({ kind: "invitation-sent", outcome: "ok", about: { uid }, byUid });
  return true;
}

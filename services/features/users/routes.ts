// The calls about oneself and about finding people: one's profile, one's username, one's data, and the consignor field.
import { Hono } from "hono";
import { admin, anyToken, rehearsable, self, settingUp, signedIn } from "#http/access.ts";
import { answerPieces } from "#http/answer-pieces.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv, Caller } from "#http/env.ts";
import { attachment } from "#http/file.ts";
import { HttpError } from "#http/errors.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { letterParts, tellLinked } from "#http/send-letter.ts";
import { withoutFalseName } from "#http/false-names.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import { askForConfirmation, sendsByDiscord } from "#identity/discord-confirmations.ts";
import { isNewAndUnproved } from "#identity/discord-ids.ts";
import { EMBEDDED_ISSUER } from "#identity/id-tokens.ts";
import { createEntrance } from "#identity/provider-people.ts";
import type { Enter } from "#identity/provider-people.ts";
import { changeLanding, changeNotifications, searchUsers } from "#identity/users.ts";
import type { EventExplanations } from "#features/histories.ts";
import { userResponse, userParams } from "#features/users/contract.ts";
import { messages, username } from "#features/users/contract-names.ts";
import { userSearchResponse, userSearchQuery } from "#features/users/contract-people.ts";
import {
  checkUsernameResponse,
  checkUsernameQuery,
  createUserRequest,
  ownDataResponse,
  setUsernameResponse,
  setUsernameRequest,
  updateOwnProfileRequest,
} from "#features/users/contract-own.ts";
import { ownDataJson } from "#features/users/own-data.ts";
import { answerUser, change, refuse, requireUser, userDepsOf } from "#features/users/user-desk.ts";
import type { UserDeps } from "#features/users/user-desk.ts";

const tag = "users";

/** Few enough that nobody can use it to write to strangers. */
const NEW_DISCORD_IDS = { attempts: 3, perSeconds: 86_400 };

/** The check runs while somebody types: often, but not often enough to enumerate all names. */
const CHECKS_BY_PERSON = { attempts: 60, perSeconds: 60 };
const CHECKS_BY_ADDRESS = { attempts: 240, perSeconds: 60 };

/** Each successful one is an event that is kept forever. */
const CHANGES_BY_PERSON = { attempts: 30, perSeconds: 3_600 };

/** `explanations` say how the events of every feature read in one's own data. */
export function userRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const userDeps = userDepsOf(deps);
  addOwnProfile(routes, userDeps);
  addFirstProfile(routes, userDeps);
  addUsername(routes, userDeps);
  addOwnData(routes, userDeps, explanations);
  addOthers(routes, userDeps);
  return routes;
}

function addOwnProfile(routes: Hono<AppEnv>, deps: UserDeps): void {
  routes.get(
    "/auth/me",
    settingUp,
    documented({ summary: "Read one's own profile", tag, answer: userResponse }),
    readsFrom("balances"),
    async (c) => {
      const { uid, lacksFactor } = c.get("person");
      const user = await answerUser(deps, uid);
      return respondFresh(c, lacksFactor ? { ...user, lacksFactor } : user);
    },
  );
  const newDiscordIds = createRateLimits(deps.sql, deps.clock)("discord-ids", NEW_DISCORD_IDS);
  routes.put(
    "/auth/me",
    signedIn,
    documented({
      summary: "Say where one's notifications go, and where one starts",
      tag,
      answer: userResponse,
    }),
    jsonBody(updateOwnProfileRequest),
    keepsAnswer,
    readsFrom("balances"),
    async (c) => {
      const { uid } = c.get("person");
      const { discord, discordNotificationsEnabled, landsOn } = c.req.valid("json");
      const isNew = discord ? await isNewAndUnproved(deps.sql, uid, discord.id) : false;
      if (isNew) {
        await newDiscordIds.consume(uid);
      }
      await changeNotifications(deps.sql, deps.clock(), uid, {
        discord:
          discord === undefined || discord === null
            ? discord
            : { id: discord.id, username: discord.username ?? null },
        enabled: discordNotificationsEnabled,
      });
      if (isNew && (await sendsByDiscord(deps.sql))) {
        await deps.sql.begin((transaction) => askForConfirmation(transaction, deps.clock(), uid));
      }
      if (landsOn !== undefined) {
        await changeLanding(deps.sql, uid, landsOn);
      }
      return respondFresh(c, await answerUser(deps, uid));
    },
  );
}

function addFirstProfile(routes: Hono<AppEnv>, deps: UserDeps): void {
  const enter = createEntrance(deps.sql, deps.clock);
  routes.post(
    "/auth/users",
    anyToken,
    documented({
      summary: "Create one's own profile at the first sign-in",
      tag,
      answer: userResponse,
    }),
    jsonBody(createUserRequest),
    keepsAnswer,
    readsFrom("balances"),
    async (c) => {
      const caller = await c.get("caller")();
      const profile = c.req.valid("json");
      const { uid, isLinked } = await ownUidOf(deps, caller, profile, enter);
      if (isLinked) {
        await tellLinked(letterParts(deps), c, uid, "outside issuer");
      }
      return respondFresh(c, await answerUser(deps, uid));
    },
  );
}

type FirstProfile = {
  readonly uid?: string | undefined;
  readonly email?: string | null | undefined;
  readonly displayName?: string | null | undefined;
};

/** The caller's uid; a profile is made if there is none. It is always about the caller, whatever the body says. */
async function ownUidOf(
  { store }: Pick<UserDeps, "store">,
  caller: Caller,
  profile: FirstProfile,
  enter: Enter,
): Promise<{ readonly uid: string; readonly isLinked: boolean }> {
  if (caller.kind === "person") {
    if (
      profile.uid !== undefined &&
      profile.uid !== caller.person.uid &&
      profile.uid !== caller.subject
    ) {
      throw refuse("foreign_uid");
    }
    return { uid: caller.person.uid, isLinked: false };
  }
  // A token of our own without a profile is that of a deleted person.
  if (caller.kind !== "newcomer" || caller.token.issuer === EMBEDDED_ISSUER) {
    throw new HttpError(403, "no_profile", "This sign-in has no profile here");
  }
  const { issuer, subject, claims } = caller.token;
  if (profile.uid !== undefined && profile.uid !== subject) {
    throw refuse("foreign_uid");
  }
  const typed = profile.email === "" ? null : (profile.email ?? null);
  const described = {
    issuer,
    subject,
    email: claims.email ?? typed,
    // Only an address that the issuer itself has verified.
    emailVerified: claims.email !== null && claims.emailVerified,
    displayName: claims.name ?? profile.displayName ?? null,
  };
  const entry = await enter(await withoutFalseName(store, described));
  if (entry.kind === "deactivated") {
    throw new HttpError(403, "account_deactivated", "This account was deactivated");
  }
  if (entry.kind === "unlinked") {
    throw new HttpError(
      409,
      "provider_unlinked",
      "The account with this email unlinked this sign-in",
    );
  }
  if (entry.kind === "invitation-ended") {
    throw new HttpError(409, "invitation_ended", "The invitation of this email has ended");
  }
  return entry;
}

function addUsername(routes: Hono<AppEnv>, deps: UserDeps): void {
  const limits = createRateLimits(deps.sql, deps.clock);
  const byPerson = limits("username-person", CHECKS_BY_PERSON);
  const byAddress = limits("username-address", CHECKS_BY_ADDRESS);
  const changes = limits("username-change", CHANGES_BY_PERSON);
  routes.get(
    "/auth/check-username",
    signedIn,
    documented({ summary: "Ask whether a username is free", tag, answer: checkUsernameResponse }),
    queryString(checkUsernameQuery),
    async (c) => {
      const { uid } = c.get("person");
      await byPerson.consume(uid);
      await byAddress.consume(c.get("clientAddress"));
      const wanted = username.safeParse(c.req.valid("query").username);
      if (!wanted.success) {
        return c.json({ available: false, message: messages.usernameShape });
      }
      const [holder] = await deps.sql<{ uid: string }[]>`
        select uid from identity.profiles where username = ${wanted.data}`;
      const available = holder === undefined || holder.uid === uid;
      return c.json({ available, message: available ? null : messages.usernameTaken });
    },
  );
  routes.post(
    "/auth/set-username",
    rehearsable(signedIn),
    documented({ summary: "Set one's own username", tag, answer: setUsernameResponse }),
    jsonBody(setUsernameRequest),
    async (c) => {
      const { username: wanted } = c.req.valid("json");
      await changes.consume(c.get("person").uid);
      const user = await requireUser(deps.sql, c.get("person").uid);
      await change(c, deps, user, { username: wanted }, null);
      return c.json({ message: messages.usernameSet, username: wanted });
    },
  );
}

function addOwnData(routes: Hono<AppEnv>, deps: UserDeps, explanations: EventExplanations): void {
  routes.get(
    "/auth/me/export",
    signedIn,
    documented({ summary: "Download one's own data", tag, answer: ownDataResponse }),
    readsFrom("balances", "inventory", "sales", "payouts", "shipments"),
    expensiveFile,
    async (c) => {
      const pieces = ownDataJson({ ...deps, explanations }, c.get("person").uid, deps.clock());
      return answerPieces(c, pieces, attachment("application/json", "my-data.json"));
    },
  );
}

function addOthers(routes: Hono<AppEnv>, deps: UserDeps): void {
  routes.get(
    "/auth/search",
    admin,
    documented({
      summary: "Find consignors by name, username or email",
      tag,
      answer: userSearchResponse,
    }),
    queryString(userSearchQuery),
    expensiveSearch,
    async (c) => c.json({ users: await searchUsers(deps.sql, c.req.valid("query").q) }),
  );
  routes.get(
    "/auth/users/:uid",
    self("uid"),
    documented({ summary: "Read a user", tag, answer: userResponse }),
    pathParams(userParams),
    readsFrom("balances"),
    async (c) => respondFresh(c, await answerUser(deps, c.req.valid("param").uid)),
  );
}

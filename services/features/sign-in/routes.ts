// All calls for signing in and out and for one's own account.
import { Hono } from "hono";
import type { FeatureRoutes } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import type { AttemptRules } from "#features/sign-in/attempts.ts";
import { defaultAttemptRules } from "#features/sign-in/attempts.ts";
import { signInParts } from "#features/sign-in/parts.ts";
import { accountRoutes } from "#features/sign-in/routes-account.ts";
import { changePasswordRoutes } from "#features/sign-in/routes-change-password.ts";
import { confirmRoutes } from "#features/sign-in/routes-confirm.ts";
import { discordRoutes } from "#features/sign-in/routes-discord.ts";
import { factorRoutes } from "#features/sign-in/routes-factors.ts";
import { googleRoutes } from "#features/sign-in/routes-google.ts";
import { mailRoutes } from "#features/sign-in/routes-mail.ts";
import { passkeyRoutes } from "#features/sign-in/routes-passkey.ts";
import { passwordRoutes } from "#features/sign-in/routes-password.ts";
import { providerRoutes } from "#features/sign-in/routes-providers.ts";
import { userSessionRoutes } from "#features/sign-in/routes-user-sessions.ts";
import { resetFactorsRoutes } from "#features/sign-in/routes-reset-factors.ts";
import { secondStepRoutes } from "#features/sign-in/routes-second-step.ts";
import { sessionRoutes } from "#features/sign-in/routes-session.ts";

export const signInRoutes: FeatureRoutes = signInRoutesWith(defaultAttemptRules);

/** The same with other limits on attempts. */
export function signInRoutesWith(rules: AttemptRules): FeatureRoutes {
  return (deps) => {
    const parts = signInParts(deps, rules);
    const routes = new Hono<AppEnv>();
    routes.route("/", passwordRoutes(parts));
    routes.route("/", sessionRoutes(parts));
    routes.route("/", mailRoutes(parts));
    routes.route("/", accountRoutes(parts));
    routes.route("/", changePasswordRoutes(parts));
    routes.route("/", confirmRoutes(parts));
    routes.route("/", factorRoutes(parts));
    routes.route("/", providerRoutes(parts));
    routes.route("/", secondStepRoutes(parts));
    routes.route("/", passkeyRoutes(parts));
    routes.route("/", resetFactorsRoutes(parts));
    routes.route("/", userSessionRoutes(parts));
    routes.route("/", googleRoutes(parts));
    routes.route("/", discordRoutes(parts));
    return routes;
  };
}

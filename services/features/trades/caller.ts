// From a request to whoever asks the decider: the caller, and whether the caller is an admin.
import type { Context } from "hono";
import type { SignedInEnv } from "#http/env.ts";
import type { Actor } from "#features/trades/found-trade.ts";

export function actorOf(c: Pick<Context<SignedInEnv>, "var">): Actor {
  const { uid, role } = c.var.person;
  return { uid, isAdmin: role === "admin" };
}

// Tells the decider who is calling, and whether that is an admin.
import type { Context } from "hono";
import type { SignedInEnv } from "#http/env.ts";
import type { Actor } from "#features/trades/found-trade.ts";

export function actorOf(c: Pick<Context<SignedInEnv>, "var">): Actor {
  const { uid, role } = c.var.person;
  return { uid, isAdmin: role === "admin" };
}

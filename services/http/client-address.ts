// The trusted address that a request comes from, for counting attempts.
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import type { AppEnv } from "#http/env.ts";
import { cleanAddress } from "#identity/networks.ts";

/**
 * The address that connected to the outermost of our own proxies. `proxyCount` is the number of proxies in front of
 * this process: only their entries in X-Forwarded-For are trusted. If their entry is not an address, the peer of the
 * socket counts, so that everything a proxy cannot name counts as one.
 */
export function clientAddressBehind(proxyCount: number): (c: Context<AppEnv>) => string {
  return (c) => {
    const forwarded = proxyCount > 0 ? c.req.header("X-Forwarded-For")?.split(",") : undefined;
    const named = cleanAddress(forwarded?.at(-proxyCount) ?? "");
    const peer = socketAddress(c);
    return named ?? cleanAddress(peer) ?? peer;
  };
}

/** The peer of the socket; `none` if a test calls the app without one. */
export function socketAddress(c: Context<AppEnv>): string {
  const env: unknown = c.env;
  return env instanceof Object && "incoming" in env
    ? (getConnInfo(c).remote.address ?? "none")
    : "none";
}

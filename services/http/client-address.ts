// The trusted address that a request comes from, for counting attempts.
import { isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import type { AppEnv } from "#http/env.ts";

/**
 * The address that connected to the outermost of our own proxies. `proxyCount` is the number of proxies in front of
 * this process: only their entries in X-Forwarded-For are trusted. An IPv6 address counts as its /64, which belongs
 * to one household.
 */
export function clientAddressBehind(proxyCount: number): (c: Context<AppEnv>) => string {
  return (c) => {
    const forwarded = proxyCount > 0 ? c.req.header("X-Forwarded-For")?.split(",") : undefined;
    const address = forwarded?.at(-proxyCount)?.trim() ?? socketAddress(c);
    return isIPv6(address) ? networkOf(address) : address;
  };
}

/** The peer of the socket; `none` if a test calls the app without one. */
export function socketAddress(c: Context<AppEnv>): string {
  const env: unknown = c.env;
  return env instanceof Object && "incoming" in env
    ? (getConnInfo(c).remote.address ?? "none")
    : "none";
}

function networkOf(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) {
    return v4;
  }
  const [head = "", tail = ""] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? Array(8 - front.length - back.length).fill("0") : [];
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}

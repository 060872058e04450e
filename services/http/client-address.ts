// Where a request comes from, as far as that can be trusted: attempts are counted by it.
import { isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import type { AppEnv } from "#http/env.ts";

/**
 * The address that reached the outermost of our own proxies. `proxyCount` says how many stand in front of
 * this process: only what they wrote into X-Forwarded-For is believed. An IPv6 address counts as its /64,
 * which one household owns whole.
 */
export function clientAddressBehind(proxyCount: number): (c: Context<AppEnv>) => string {
  return (c) => {
    const forwarded = proxyCount > 0 ? c.req.header("X-Forwarded-For")?.split(",") : undefined;
    const address = forwarded?.at(-proxyCount)?.trim() ?? socketAddress(c);
    return isIPv6(address) ? networkOf(address) : address;
  };
}

/** The peer of the socket; `none` where a test calls the app without one. */
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

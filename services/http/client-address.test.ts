// Attempts are counted by an address that the sender cannot choose.
import { Hono } from "hono";
import { expect, test } from "vitest";
import { clientAddressBehind } from "#http/client-address.ts";
import type { AppEnv } from "#http/env.ts";

function addressBehind(
  proxyCount: number,
  peer: string | undefined,
  forwarded?: string,
): Promise<string> {
  const app = new Hono<AppEnv>();
  const find = clientAddressBehind(proxyCount);
  app.get("/", (c) => c.text(find(c)));
  const env =
    peer === undefined
      ? undefined
      : { incoming: { socket: { remoteAddress: peer, remotePort: 1, remoteFamily: "IPv4" } } };
  const response = app.request(
    "/",
    forwarded === undefined ? {} : { headers: { "X-Forwarded-For": forwarded } },
    env,
  );
  return Promise.resolve(response).then((answer) => answer.text());
}

test("without own proxies, no forwarded address is trusted", async () => {
  expect(await addressBehind(0, "203.0.113.9", "10.0.0.1")).toBe("203.0.113.9");
});

test("behind own proxies, the address is the one that connected to the outermost of them", async () => {
  expect(await addressBehind(1, "10.0.0.2", "6.6.6.6, 203.0.113.9")).toBe("203.0.113.9");
  expect(await addressBehind(2, "10.0.0.2", "6.6.6.6, 203.0.113.9, 10.0.0.1")).toBe("203.0.113.9");
  expect(await addressBehind(2, "10.0.0.2", "203.0.113.9")).toBe("10.0.0.2");
  expect(await addressBehind(1, "10.0.0.2")).toBe("10.0.0.2");
});

test("an IPv6 household counts as one, and a mapped IPv4 address as itself", async () => {
  expect(await addressBehind(0, "2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
  expect(await addressBehind(0, "2001:db8:1:2::9")).toBe("2001:db8:1:2");
  expect(await addressBehind(0, "2001:db8::9")).toBe("2001:db8:0:0");
  expect(await addressBehind(0, "::ffff:203.0.113.9")).toBe("203.0.113.9");
});

test("without a socket there is no address", async () => {
  expect(await addressBehind(0, undefined)).toBe("none");
});

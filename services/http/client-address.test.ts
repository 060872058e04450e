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

test("a forwarded address has one spelling, whatever the proxy adds to it", async () => {
  expect(await addressBehind(1, "10.0.0.2", "6.6.6.6, 203.0.113.9:5678")).toBe("203.0.113.9");
  expect(await addressBehind(1, "10.0.0.2", "[2001:DB8::1]:443")).toBe("2001:db8::1");
  expect(await addressBehind(1, "10.0.0.2", "fe80::1%eth0")).toBe("fe80::1");
  expect(await addressBehind(1, "10.0.0.2", "::ffff:203.0.113.9")).toBe("203.0.113.9");
});

test("everything that a proxy cannot name counts as the proxy itself", async () => {
  for (const garbage of ["unknown", "", "_hidden", "1.2.3", "a".repeat(5_000)]) {
    expect(await addressBehind(1, "::ffff:10.0.0.2", `6.6.6.6, ${garbage}`)).toBe("10.0.0.2");
  }
});

test("without a socket there is no address", async () => {
  expect(await addressBehind(0, undefined)).toBe("none");
});

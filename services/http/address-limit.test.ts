// What one address may ask for without signing in grows back evenly, and an IPv6 customer gets no more by changing addresses.
import { expect, it } from "vitest";
import { createAddressLimit } from "#http/address-limit.ts";

let now = 0;
const clock = () => new Date(now);
const rule = { most: 3, perMs: 60_000 };

it("refuses what is above the limit until enough has grown back, and refusals cost nothing", () => {
  const limit = createAddressLimit(clock, rule);
  expect([1, 2, 3].map(() => limit("192.0.2.1"))).toEqual([0, 0, 0]);
  expect([1, 2].map(() => limit("192.0.2.1"))).toEqual([20_000, 20_000]);
  expect(limit("192.0.2.2", 3)).toBe(0);
  now += 20_000;
  expect(limit("192.0.2.1", 2)).toBe(20_000);
  expect(limit("192.0.2.1")).toBe(0);
  // A clock that was set back gives nothing.
  now -= 60_000;
  expect(limit("192.0.2.1")).toBe(20_000);
});

it("counts an IPv6 household as one, and all of a /48 as four", () => {
  const limit = createAddressLimit(clock, rule);
  expect([1, 2, 3, 4].map((part) => limit(`2001:db8:1:1::${part}`))).toEqual([0, 0, 0, 20_000]);
  const others = Array.from({ length: 12 }, (_, part) => limit(`2001:db8:1:${part + 2}::1`));
  expect(others.map((wait) => wait === 0)).toEqual(others.map((_, index) => index < 9));
  expect(limit("2001:db8:2:1::1")).toBe(0);
});

it("remembers a bounded number of networks", () => {
  const limit = createAddressLimit(clock, { most: 1, perMs: 60_000 }, 2);
  expect(["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => limit(address))).toEqual([
    0, 0, 0,
  ]);
  expect(limit("192.0.2.3")).toBeGreaterThan(0);
  expect(limit("192.0.2.1")).toBe(0);
});

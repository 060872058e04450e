// One address has one spelling, and belongs to the networks that its owner can choose from.
import { expect, test } from "vitest";
import { cleanAddress, networkOf, wideNetworkOf } from "#identity/networks.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  [" 203.0.113.9:5678 ", "203.0.113.9"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["2001:db8::192.0.2.1", "2001:db8::c000:201"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]:80", "fe80::1"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:cb00:7109", "203.0.113.9"],
  ["0:0:0:0:0:ffff:203.0.113.9", "203.0.113.9"],
  ["[::ffff:203.0.113.9]:1", "203.0.113.9"],
  ["::", "::"],
])("%s is the address %s", (text, address) => {
  expect(cleanAddress(text)).toBe(address);
});

test.each([
  "",
  "unknown",
  "_hidden",
  "203.0.113",
  "203.0.113.999",
  "203.0.113.9:",
  "203.0.113.9:port",
  "010.0.0.1",
  "2001:db8::1::2",
  "2001:db8::1]:443",
  "[2001:db8::1",
  "[]:1",
  "<script>",
  "1.2.3.4\n5.6.7.8",
])("%j is not an address", (text) => {
  expect(cleanAddress(text)).toBeUndefined();
});

test("an IPv6 address belongs to its /64 and its /48, an IPv4 address only to itself", () => {
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:db8:1:2::9")).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:db8::9")).toBe("2001:db8:0:0::/64");
  expect(wideNetworkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1::/48");
  expect(networkOf("203.0.113.9")).toBe("203.0.113.9");
  expect(wideNetworkOf("203.0.113.9")).toBe("203.0.113.9");
  expect(networkOf("none")).toBe("none");
});

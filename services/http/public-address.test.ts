// Only addresses of the public internet are called, in whichever notation they come.
import { expect, it } from "vitest";
import { isPublicAddress } from "#http/public-address.ts";

it.each([
  "93.184.216.34",
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "100.128.0.1",
  "168.63.129.17",
  "2600:9000:2000::1",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ["this machine", "127.0.0.1"],
  ["this machine, another way", "127.8.9.10"],
  ["any address of this machine", "0.0.0.0"],
  ["a private network", "10.1.2.3"],
  ["a private network", "172.16.0.1"],
  ["a private network", "192.168.1.1"],
  ["a carrier's network", "100.64.0.1"],
  ["the metadata service of clouds", "169.254.169.254"],
  ["the metadata service of Azure", "168.63.129.16"],
  ["multicast", "224.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["this machine in IPv6", "::1"],
  ["no address in IPv6", "::"],
  ["a private network in IPv6", "fd00:ec2::254"],
  ["a link-local address", "fe80::1"],
  ["a link-local address with its zone", "fe80::1%eth0"],
  ["mapped IPv4", "::ffff:127.0.0.1"],
  ["mapped IPv4 in hexadecimal", "::ffff:a9fe:a9fe"],
  ["mapped IPv4 that is public", "::ffff:8.8.8.8"],
  ["translated IPv4", "64:ff9b::7f00:1"],
  ["6to4", "2002:7f00:1::"],
  ["Teredo", "2001:0:7f00:1::"],
  ["a number", "2130706433"],
  ["a short form", "127.1"],
  ["a name", "localhost"],
  ["nothing", ""],
])("%s (%s) is not public", (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

// Whether an address belongs to the public internet: the server never calls machines of its own network for somebody.
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 that is not public: this machine, private networks, carriers, link-local with metadata services, tests, multicast. */
const closed = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's own services for its machines, the metadata service among them.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  closed.addSubnet(network, prefix, "ipv4");
}

/** The only part of IPv6 that is public. Loopback, link-local, private, mapped and translated IPv4 are outside. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/** What is not public in it: tunnels that contain an IPv4 address, protocols, and examples. */
const closed6 = new BlockList();
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  closed6.addSubnet(network, prefix, "ipv6");
}

/** False for everything that is not a plain IPv4 or IPv6 address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    return !closed.check(address, "ipv4");
  }
  return (
    isIPv6(address) &&
    !address.includes("%") &&
    global6.check(address, "ipv6") &&
    !closed6.check(address, "ipv6")
  );
}

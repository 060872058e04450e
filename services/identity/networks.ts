// What an address belongs to: attempts from one network count together, because its owner can choose the address.
import { isIPv4, isIPv6, SocketAddress } from "node:net";

/** The address in one spelling, without port, brackets and zone; undefined if it is none. */
export function cleanAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bare =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1] ??
    /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ??
    trimmed;
  const address = bare.replace(/%.*$/s, "");
  if (isIPv4(address)) {
    return address;
  }
  if (!isIPv6(address)) {
    return undefined;
  }
  const groups = groupsOf(address);
  return isMapped(groups)
    ? mappedAddress(groups)
    : new SocketAddress({ address, family: "ipv6" }).address;
}

/** The /64 of an IPv6 address: one household. Anything else is a network of its own. */
export function networkOf(address: string): string {
  return isIPv6(address) ? prefixOf(address, 4) : address;
}

/** The /48 of an IPv6 address: the most that one customer usually gets. Anything else is a network of its own. */
export function wideNetworkOf(address: string): string {
  return isIPv6(address) ? prefixOf(address, 3) : address;
}

function prefixOf(address: string, groups: number): string {
  const prefix = groupsOf(address).slice(0, groups);
  return `${prefix.map((group) => group.toString(16)).join(":")}::/${groups * 16}`;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const front = partOf(head);
  const back = partOf(tail ?? "");
  const zeros = tail === undefined ? [] : Array<number>(8 - front.length - back.length).fill(0);
  return [...front, ...zeros, ...back];
}

function partOf(text: string): number[] {
  return text === ""
    ? []
    : text.split(":").flatMap((group) => {
        if (!group.includes(".")) {
          return [Number.parseInt(group, 16)];
        }
        const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
        return [a * 256 + b, c * 256 + d];
      });
}

/** An IPv4 address in IPv6 notation, `::ffff:1.2.3.4`. */
function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

function mappedAddress(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** A name or address of this machine, as it stands in a URL. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

// Opens the connections of safe-fetch: to a checked address, through a configured proxy, or to a stand-in of tests.
import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIPv4 } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { once } from "node:events";
import { isPublicAddress } from "#http/public-address.ts";

/** Opens a connection over which HTTP to this host may be spoken. Rejects with `RefusedAddress` where it must not. */
export type OpenConnection = (host: string, signal: AbortSignal) => Promise<Duplex>;

/** The host's name leads to a machine that may not be called. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

export type DirectParts = {
  /** All addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Opens TLS for `host` to exactly this address. */
  readonly dial: (address: string, host: string, signal: AbortSignal) => Promise<Duplex>;
};

/**
 * Looks the name up once, and connects to the address that was checked: a name that has another address a moment
 * later changes nothing. A name with any address that is not public is refused.
 */
export function directConnections({ resolve, dial }: DirectParts = realParts): OpenConnection {
  return async (host, signal) => {
    const addresses = await untilAborted(resolve(host), signal);
    if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
      throw new RefusedAddress(`${host} has an address that is not public`);
    }
    // Not every machine has a way to IPv6.
    const address = addresses.find(isIPv4) ?? addresses[0] ?? "";
    return dial(address, host, signal);
  };
}

const realParts: DirectParts = {
  async resolve(host) {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  },
  async dial(address, host, signal) {
    return secured(await plainConnection({ host: address, port: 443 }, signal), host, signal);
  },
};

/** Through an HTTP proxy, which looks names up itself: only the list of hosts limits what is called. */
export function proxyConnections(proxy: URL): OpenConnection {
  return async (host, signal) => secured(await openTunnel(proxy, host, signal), host, signal);
}

/** Every allowed host is this address, without TLS. For tests and development. */
export function standInConnections(standIn: URL): OpenConnection {
  return (_host, signal) => plainConnection(placeOf(standIn), signal);
}

const MAX_PROXY_ANSWER = 8_192;

/** Asks the proxy for a connection to port 443 of the host. */
export async function openTunnel(proxy: URL, host: string, signal: AbortSignal): Promise<Duplex> {
  const socket = await plainConnection(placeOf(proxy), signal);
  const login =
    proxy.username === ""
      ? ""
      : `Proxy-Authorization: Basic ${btoa(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`)}\r\n`;
  socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n${login}\r\n`);
  if (!/^HTTP\/1\.[01] 200[ \r]/u.test(await headOf(socket))) {
    socket.destroy();
    throw new Error("The outgoing proxy opened no connection");
  }
  return socket;
}

/** The proxy's answer, which ends with an empty line. Empty if none comes, or if more comes: the host does not speak first. */
async function headOf(socket: Duplex): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let seen = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    seen = Buffer.concat([seen, chunk]);
    const end = seen.indexOf("\r\n\r\n");
    if (end !== -1) {
      resolve(end + 4 === seen.byteLength ? seen.toString("latin1") : "");
    } else if (seen.byteLength > MAX_PROXY_ANSWER) {
      resolve("");
    }
  };
  const stop = (): void => resolve("");
  socket.on("data", take).once("end", stop).once("close", stop);
  const head = await promise;
  socket.off("data", take).off("end", stop).off("close", stop);
  socket.pause();
  return head;
}

type Place = { readonly host: string; readonly port: number };

function placeOf({ hostname, port, protocol }: URL): Place {
  const usual = protocol === "https:" ? 443 : 80;
  return { host: hostname.replaceAll(/[[\]]/g, ""), port: port === "" ? usual : Number(port) };
}

async function plainConnection(place: Place, signal: AbortSignal): Promise<Duplex> {
  const socket = connectTcp({ ...place });
  endsWith(socket, signal);
  await once(socket, "connect", { signal });
  return socket;
}

/** TLS with the host's certificate verified. */
async function secured(socket: Duplex, host: string, signal: AbortSignal): Promise<Duplex> {
  const secure = connectTls({ socket, servername: host, ALPNProtocols: ["http/1.1"] });
  endsWith(secure, signal);
  await once(secure, "secureConnect", { signal });
  return secure;
}

/** Ends the connection at the latest when the time is over. Its errors reach the caller that waits for it. */
function endsWith(socket: Duplex, signal: AbortSignal): void {
  const end = (): void => void socket.destroy();
  socket.on("error", () => undefined);
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  if (signal.aborted) {
    end();
  }
}

/** Rejects when the time is over. The work itself may go on: looking a name up, for example, cannot be stopped. */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Error("Timed out", { cause: signal.reason }));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) {
    stop();
  }
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

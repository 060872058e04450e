// A shop's server that does whatever a spec wants, and connections that lead to it instead of to the internet.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { directConnections, type OpenConnection } from "#http/outgoing.ts";

export type HostileServer = {
  /** Of the allowed host, which has this public address unless a spec says otherwise. */
  readonly open: OpenConnection;
  /** What was asked for, in order: "host path". */
  readonly asked: string[];
  /** The headers of the last request. */
  readonly headers: () => IncomingMessage["headers"];
  /** The addresses that were connected to. */
  readonly dialed: string[];
  /** How often each name was looked up. */
  readonly lookedUp: string[];
  /** The addresses that each look-up answers, the last one again and again. */
  addresses: readonly (readonly string[])[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Of the server itself, for a stand-in. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

export const PUBLIC_ADDRESS = "93.184.216.34";

export async function startHostileServer(): Promise<HostileServer> {
  const asked: string[] = [];
  const dialed: string[] = [];
  const lookedUp: string[] = [];
  let headers: IncomingMessage["headers"] = {};
  const server = createServer({ maxHeaderSize: 1_048_576 }, (request, response) => {
    ({ headers } = request);
    asked.push(`${request.headers.host ?? ""} ${request.url ?? ""}`);
    hostile.answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = server.address();
  if (place === null || typeof place === "string") {
    throw new Error("The hostile server listens on no port");
  }
  const { port } = place;
  const open = directConnections({
    resolve: (host) => {
      lookedUp.push(host);
      const at = Math.min(lookedUp.length, hostile.addresses.length) - 1;
      return Promise.resolve(hostile.addresses[at] ?? []);
    },
    dial: async (address, _host, signal) => {
      dialed.push(address);
      const socket = connect({ host: "127.0.0.1", port });
      socket.on("error", () => undefined);
      signal.addEventListener("abort", () => socket.destroy(), { once: true });
      await once(socket, "connect", { signal });
      return socket;
    },
  });
  const hostile: HostileServer = {
    open,
    asked,
    dialed,
    lookedUp,
    headers: () => headers,
    addresses: [[PUBLIC_ADDRESS]],
    answer: (_request, response) => void response.end(),
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return hostile;
}

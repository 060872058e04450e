// Runs the app as an HTTP server and shuts it down: no new requests, streams closed, the rest finished in time.
import type { EventEmitter } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import type { AppEnv } from "#http/env.ts";

export type HttpServerOptions = {
  readonly app: Hono<AppEnv>;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Ends connections that would stay open: live streams. */
  readonly closeStreams: () => void;
};

export type HttpServer = {
  /** As in `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** Resolves when all requests are answered or were cut off after the grace period. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/** The connections that have sent nothing yet: browsers open some in advance, and to Node they are not idle. */
function silentConnections(server: EventEmitter): { readonly close: () => void } {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return {
    close: () =>
      open.forEach((socket) => {
        if (socket.bytesRead === 0) {
          socket.destroy();
        }
      }),
  };
}

/** Starts listening. Rejects if the port is in use. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = createAdaptorServer({
    fetch: options.app.fetch,
    createServer,
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      // Longer than a proxy keeps its connections, so that it never uses one that is closing.
      keepAliveTimeout: 65_000,
    },
  });
  const silent = silentConnections(server);
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(options.port, options.host, listening.resolve);
  await listening.promise;
  server.off("error", listening.reject);
  const address = server.address();
  if (address === null || typeof address === "string" || !("closeAllConnections" in server)) {
    throw new Error("The server is not listening on a port");
  }
  const { port } = address;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    port,
    async close(graceMs = 10_000) {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      options.closeStreams();
      server.closeIdleConnections();
      const sweep = setInterval(() => {
        // Otherwise, an answered connection would stay open until its keep-alive ends.
        server.closeIdleConnections();
        // Not at once: a request may have arrived that was not read yet.
        silent.close();
      }, 50);
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed.promise;
      clearInterval(sweep);
      clearTimeout(cutOff);
    },
  };
}

// Sales over HTTP with as little work per request as possible: one keep-alive connection, and the text of a request.
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import type { Socket } from "node:net";
import type { ShopItem } from "./shop.ts";

/** Where the service listens, and an admin's ID token. */
export type HttpTarget = { readonly host: string; readonly port: number; readonly token: string };

/** `head`: status line and headers. */
export type HttpAnswer = { readonly status: number; readonly head: string };

export type Connection = {
  readonly send: (request: string) => Promise<HttpAnswer>;
  readonly close: () => void;
};

const STATUS_AT = "HTTP/1.1 ".length;

/** One keep-alive connection; `send` resolves when the whole answer is there. */
export async function openConnection({ host, port }: HttpTarget): Promise<Connection> {
  const socket: Socket = connect({ host, port, noDelay: true });
  let waiting: PromiseWithResolvers<HttpAnswer> | undefined;
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) {
      return;
    }
    const head = received.slice(0, headEnd + 2);
    const end = headEnd + 4 + bodyLength(head);
    if (received.length >= end) {
      received = received.slice(end);
      waiting?.resolve({ status: Number(head.slice(STATUS_AT, STATUS_AT + 3)), head });
    }
  });
  const fail = (error: Error) => waiting?.reject(error);
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("The server closed the connection")));
  await new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return {
    send(request) {
      waiting = Promise.withResolvers();
      socket.write(request, "latin1");
      return waiting.promise;
    },
    close: () => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

function bodyLength(head: string): number {
  const length = /\r\ncontent-length: (\d+)\r\n/iu.exec(head)?.[1];
  if (length === undefined) {
    throw new Error(`An answer has no Content-Length: ${head.slice(0, 200)}`);
  }
  return Number(length);
}

/** The text of a request that sells one unit of an item, under a new key each time. */
export function saleRequests({ host, port, token }: HttpTarget): (item: ShopItem) => string {
  const head = `POST /api/sales/record HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const textOf = ({ itemId, consignorId }: ShopItem): readonly [before: string, after: string] => {
    const body = JSON.stringify({
      consignorID: consignorId,
      itemUID: itemId,
      salePrice: 40,
      shippingCost: 5,
      quantitySold: 1,
      consignorPercentage: 50,
      channel: "online",
    });
    return [`${head}Content-Length: ${body.length}\r\nIdempotency-Key: `, `\r\n\r\n${body}`];
  };
  // Made once for each item: the generator shares the machine with what it measures.
  const known = new Map<ShopItem, ReturnType<typeof textOf>>();
  return (item) => {
    const text = known.get(item) ?? textOf(item);
    known.set(item, text);
    const [before, after] = text;
    return `${before}${randomUUID()}${after}`;
  };
}

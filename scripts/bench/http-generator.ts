// Sends sales over HTTP from a process of its own, with as little work per request as possible, and reports as JSON.
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { ShopItem } from "./shop.ts";
import { percentile } from "./load.ts";

/** What it reads from standard input. */
export type GeneratorInput = {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly items: readonly ShopItem[];
  readonly connections: number;
  /** Not counted. */
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** Sales per second, sent by the clock; 0 sends each connection's next sale as soon as its last one is answered. */
  readonly perSecond: number;
};

/** What it writes to standard output. Times run from when a request was due until its answer was complete. */
export type GeneratorReport = {
  readonly answered: number;
  /** Answers other than 200, by status. */
  readonly refused: Readonly<Record<string, number>>;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** CPU of this process for one request, in microseconds. */
  readonly cpuMicros: number;
};

type Connection = {
  readonly send: (request: string) => Promise<number>;
  readonly close: () => void;
};

const STATUS_AT = "HTTP/1.1 ".length;

/** One keep-alive connection; `send` resolves with the status when the whole answer is there. */
async function openConnection(host: string, port: number): Promise<Connection> {
  const socket: Socket = connect({ host, port, noDelay: true });
  let waiting: PromiseWithResolvers<number> | undefined;
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
    const end = lengthOfAnswer(received);
    if (end !== undefined && received.length >= end) {
      const status = Number(received.slice(STATUS_AT, STATUS_AT + 3));
      received = received.slice(end);
      waiting?.resolve(status);
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

/** Length of the first answer in a text, once its head is there. */
function lengthOfAnswer(received: string): number | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) {
    return undefined;
  }
  const length = /\r\ncontent-length: (\d+)\r\n/iu.exec(received.slice(0, headEnd + 2))?.[1];
  if (length === undefined) {
    throw new Error(`An answer has no Content-Length: ${received.slice(0, 200)}`);
  }
  return headEnd + 4 + Number(length);
}

function requestTexts({ host, port, token, items }: GeneratorInput): () => string {
  const head = `POST /api/sales/record HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const requests = items.map(({ itemId, consignorId }) => {
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
  });
  return () => {
    const [before, after] = requests[Math.floor(Math.random() * requests.length)] ?? [];
    return `${before}${randomUUID()}${after}`;
  };
}

type Tally = { readonly times: number[]; readonly refused: Record<string, number> };

async function run(input: GeneratorInput): Promise<GeneratorReport> {
  const nextRequest = requestTexts(input);
  const connections = await Promise.all(
    Array.from({ length: input.connections }, () => openConnection(input.host, input.port)),
  );
  const startedAt = performance.now();
  const countFrom = startedAt + input.warmupSeconds * 1000;
  const endAt = countFrom + input.seconds * 1000;
  let cpuBefore = process.cpuUsage();
  setTimeout(() => {
    cpuBefore = process.cpuUsage();
  }, input.warmupSeconds * 1000);
  const tally: Tally = { times: [], refused: {} };
  const sendOne = async (connection: Connection, dueAt: number) => {
    const status = await connection.send(nextRequest());
    if (dueAt >= countFrom) {
      tally.times.push(performance.now() - dueAt);
      if (status !== 200) {
        tally.refused[status] = (tally.refused[status] ?? 0) + 1;
      }
    }
  };
  if (input.perSecond === 0) {
    await Promise.all(
      connections.map(async (connection) => {
        for (let now = performance.now(); now < endAt; now = performance.now()) {
          await sendOne(connection, now);
        }
      }),
    );
  } else {
    await sendByTheClock(connections, input.perSecond, { startedAt, endAt }, sendOne);
  }
  const seconds = (performance.now() - countFrom) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) {
    connection.close();
  }
  return {
    answered: tally.times.length,
    refused: tally.refused,
    perSecond: tally.times.length / seconds,
    p50Ms: percentile(tally.times, 0.5),
    p90Ms: percentile(tally.times, 0.9),
    p99Ms: percentile(tally.times, 0.99),
    maxMs: percentile(tally.times, 1),
    cpuMicros: (user + system) / Math.max(1, tally.times.length),
  };
}

/** Requests are due by the clock; one that finds no free connection waits, and the wait counts. */
async function sendByTheClock(
  connections: readonly Connection[],
  perSecond: number,
  span: { readonly startedAt: number; readonly endAt: number },
  sendOne: (connection: Connection, dueAt: number) => Promise<void>,
): Promise<void> {
  const free = [...connections];
  const due: number[] = [];
  const sent = new Set<Promise<void>>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const carry = async (connection: Connection, dueAt: number): Promise<void> => {
    try {
      await sendOne(connection, dueAt);
      free.push(connection);
      dispatch();
    } catch (error) {
      failed.reject(error);
    }
  };
  const dispatch = () => {
    while (due.length > 0 && free.length > 0) {
      const dueAt = due.shift() ?? 0;
      const connection = free.pop();
      if (connection !== undefined) {
        const sending = carry(connection, dueAt).finally(() => sent.delete(sending));
        sent.add(sending);
      }
    }
  };
  for (let index = 0; ;) {
    const now = performance.now();
    for (; span.startedAt + (index * 1000) / perSecond <= Math.min(now, span.endAt); index += 1) {
      due.push(span.startedAt + (index * 1000) / perSecond);
    }
    dispatch();
    if (now >= span.endAt && due.length === 0 && sent.size === 0) {
      return;
    }
    await Promise.race([delay(1), failed.promise]);
  }
}

if (import.meta.main) {
  // Written by the benchmark, which knows this type.
  const input = JSON.parse(await text(process.stdin)) as GeneratorInput;
  process.stdout.write(JSON.stringify(await run(input)));
}

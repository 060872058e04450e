// The rush itself: callers use several API processes, send the same keys twice, and keep every answer for the judge.
import { setTimeout as delay } from "node:timers/promises";
import type { RushPeople } from "#testing/rush/ground.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import type { RushGround, RushRequest } from "#testing/rush/request.ts";
import { nextRequest } from "#testing/rush/request.ts";
import { seededNumbers } from "#testing/jar/jar-rush.ts";

export type RushOptions = {
  /** Base addresses of the API processes. */
  readonly urls: readonly string[];
  readonly people: RushPeople;
  readonly ground: RushGround;
  readonly commands: number;
  readonly callers: number;
  readonly seed: number;
  /** Ends the rush early: callers send nothing new once it returns true. */
  readonly isOver?: () => boolean;
  /** Called after each answered command. */
  readonly onAnswered?: (done: number) => void;
  /**
   * How long a caller keeps resending a command with its key if there is no answer or a 5xx. In a rush without kills it
   * is 0, and such an answer counts as broken.
   */
  readonly retryForMs?: number;
  /** Called with each answer, including those after which the same key is sent again. */
  readonly onAnswer?: (answer: RushAnswer) => void;
  /** A caller's pause between two commands; by default 0. */
  readonly pauseMs?: number;
};

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

/** Sends a request once. Throws if there is no complete answer. */
async function send(url: string, request: RushRequest, people: RushPeople): Promise<RushAnswer> {
  const answer = await fetch(`${url}${request.path}`, {
    method: request.method,
    headers: {
      authorization: `Bearer ${await people.tokenOf(request.caller)}`,
      "idempotency-key": request.key,
      ...(request.body === null ? {} : { "content-type": "application/json" }),
    },
    body: request.body === null ? null : JSON.stringify(request.body),
    signal: AbortSignal.timeout(30_000),
  });
  const body: unknown = await answer.json();
  const code = field(body, "error");
  const position = answer.headers.get("Ledger-Position");
  return {
    request,
    scope: request.caller === null ? "store" : `user:${request.caller}`,
    status: answer.status,
    position: position === null ? null : Number(position),
    code: typeof code === "string" ? code : null,
    body,
  };
}

/** Whether a caller can stop retrying: 5xx and "contended" are not definite. */
function isDefinite(answer: RushAnswer): boolean {
  return answer.status < 500 && answer.code !== "contended";
}

async function sendUntilAnswered(
  options: RushOptions,
  request: RushRequest,
  random: () => number,
): Promise<RushAnswer> {
  const deadline = performance.now() + (options.retryForMs ?? 0);
  for (;;) {
    const url = options.urls[Math.floor(random() * options.urls.length)] ?? "";
    try {
      const answer = await send(url, request, options.people);
      options.onAnswer?.(answer);
      if (isDefinite(answer) || performance.now() >= deadline) {
        return answer;
      }
    } catch (error) {
      // The process was killed before the answer arrived: the same key finds out the result.
      if (performance.now() >= deadline) {
        throw error;
      }
    }
    await delay(20 + random() * 80);
  }
}

function learn(ground: RushGround, answer: RushAnswer): void {
  const saleId = field(answer.body, "saleID");
  if (typeof saleId === "string" && answer.request.kind.startsWith("sell")) {
    ground.sales.push(saleId);
    if (ground.sales.length > 60) {
      ground.sales.shift();
    }
  }
  const payoutId = field(answer.body, "payoutId");
  if (typeof payoutId === "string" && answer.request.kind === "request-payout") {
    ground.payouts.push({ payoutId, uid: answer.request.subject });
    if (ground.payouts.length > 30) {
      ground.payouts.shift();
    }
  }
}

/** Runs the rush and returns every answer; every twentieth command is sent to two processes at once. */
export async function runRush(options: RushOptions): Promise<RushAnswer[]> {
  const answers: RushAnswer[] = [];
  let asked = 0;
  const caller = async (number: number) => {
    const random = seededNumbers(options.seed * 1_000 + number);
    while (asked < options.commands && options.isOver?.() !== true) {
      asked += 1;
      const request = nextRequest(
        random,
        options.ground,
        `rush-${options.seed}-${number}-${asked}`,
      );
      const copies = random() < 0.05 ? 2 : 1;
      const got = await Promise.all(
        Array.from({ length: copies }, () => sendUntilAnswered(options, request, random)),
      );
      for (const answer of got) {
        answers.push(answer);
      }
      const [first] = got;
      if (first !== undefined) {
        learn(options.ground, first);
      }
      options.onAnswered?.(answers.length);
      if (options.pauseMs !== undefined) {
        await delay(options.pauseMs);
      }
    }
  };
  await Promise.all(Array.from({ length: options.callers }, (_, number) => caller(number)));
  return answers;
}

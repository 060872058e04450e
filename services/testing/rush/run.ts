// The rush itself: callers over several API processes, the same keys sent twice, every answer kept for the judge.
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
  /** Ends the rush early: no caller asks anything new once it says true. */
  readonly isOver?: () => boolean;
  /** Told after each answered command. */
  readonly onAnswered?: (done: number) => void;
  /**
   * How long a caller goes on resending one command with its key while nobody answers it, or it is answered
   * 5xx; a rush without kills leaves it at 0 and counts such an answer as broken.
   */
  readonly retryForMs?: number;
  /** Told of each answer as it comes, also of those after which the same key is sent again. */
  readonly onAnswer?: (answer: RushAnswer) => void;
  /** How long a caller rests between two commands; 0 unless said. */
  readonly pauseMs?: number;
};

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

/** Sends a request once. Throws when there is no whole answer. */
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

/** What the answer means for a caller that does not give up: 5xx and "contended" say nothing definite. */
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
      // The process was killed with the answer on its way: the same key finds out what became of it.
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

/** Runs the rush and gives every answer; every twentieth command is sent to two processes at once. */
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

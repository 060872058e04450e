// The rush itself: callers use several API processes, send the same keys twice, and keep every answer for the judge.
import { setTimeout as delay } from "node:timers/promises";
import type { RushPeople } from "#testing/rush/ground.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import type { RushGround, RushRequest } from "#testing/rush/draft.ts";
import { nextRequest } from "#testing/rush/request.ts";
import { OWN_KEYS } from "#testing/rush/trade-requests.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
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

/** The body as it is sent: JSON, or a form with the label. */
function bodyOf({ kind, body }: RushRequest): BodyInit | null {
  if (kind !== "upload-label") {
    return body === null ? null : JSON.stringify(body);
  }
  const form = new FormData();
  form.set("label", new File([labelPdf()], "label.pdf", { type: "application/pdf" }));
  for (const [name, value] of Object.entries(body ?? {})) {
    form.set(name, String(value));
  }
  return form;
}

/** Sends a request once. Throws if there is no complete answer. */
async function send(url: string, request: RushRequest, people: RushPeople): Promise<RushAnswer> {
  const sent = bodyOf(request);
  const answer = await fetch(`${url}${request.path}`, {
    method: request.method,
    headers: {
      authorization: `Bearer ${await people.tokenOf(request.caller)}`,
      "idempotency-key": request.key,
      ...(typeof sent === "string" ? { "content-type": "application/json" } : {}),
    },
    body: sent,
    signal: AbortSignal.timeout(30_000),
  });
  const body: unknown = await answer.json();
  const code = field(body, "error");
  const position = answer.headers.get("Ledger-Position");
  return {
    request,
    scope: OWN_KEYS.has(request.kind) ? `user:${request.caller ?? people.adminUid}` : "store",
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

/** Who the sellers of a new trade are; none where the process that is asked was killed. */
async function sellersOf(url: string, people: RushPeople, answer: RushAnswer): Promise<string[]> {
  const tradeId = field(answer.body, "tradeId");
  const found = await fetch(`${url}/api/trades/${String(tradeId)}`, {
    headers: {
      authorization: `Bearer ${await people.tokenOf(null)}`,
      "ledger-position": String(answer.position ?? 0),
    },
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null);
  const trade: unknown = found?.ok === true ? await found.json().catch(() => null) : null;
  const offers = field(trade, "offers");
  return Array.isArray(offers)
    ? offers.map((offer) => String(field(field(offer, "seller"), "uid")))
    : [];
}

async function learnTrade(url: string, options: RushOptions, answer: RushAnswer): Promise<void> {
  const tradeId = field(answer.body, "tradeId");
  if (answer.request.kind !== "request-trade" || typeof tradeId !== "string") {
    return;
  }
  const { trades } = options.ground;
  const sellerUids = await sellersOf(url, options.people, answer);
  trades.push({ tradeId, buyerUid: answer.request.subject, sellerUids });
  if (trades.length > 12) {
    trades.shift();
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
        await learnTrade(options.urls[0] ?? "", options, first);
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

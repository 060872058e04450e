// Attacks with the form of a request: too large, too deep, too slow, ambiguous, or with headers smuggled in.
import { gzipSync } from "node:zlib";
import { type Attack, judge, type Outcome } from "./attack.ts";
import type { Ground } from "./ground.ts";
import { done, openSocket, sendBytes, type Reply } from "./send.ts";

const SIGN_IN = "POST /api/identity/sign-in";

async function large({ send, attacker, url }: Ground): Promise<Outcome> {
  const raw = `{"email":"${"x".repeat(2_000_000)}"}`;
  const problems: string[] = [];
  const announced = await send(SIGN_IN, { raw }).catch(() => null);
  // A server may also hang up before everything was sent.
  if (announced !== null && announced.status !== 413) {
    problems.push(`two megabytes were answered ${announced.status}`);
  }
  const chunk = `20000\r\n${"x".repeat(0x20000)}\r\n`;
  const head = headOf(url, "POST /api/identity/sign-in", {
    "Content-Type": "application/json",
    "Transfer-Encoding": "chunked",
  });
  const chunked = await sendBytes(url, `${head}${chunk.repeat(16)}`, 5_000);
  if (!chunked.startsWith("HTTP/1.1 413")) {
    problems.push(`two megabytes without a length were answered ${firstLine(chunked)}`);
  }
  const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
  const headers = { "Content-Encoding": "gzip" };
  const packed = await send("PUT /api/auth/me", { as: attacker, raw: bomb, headers });
  if (packed.status < 400 || packed.status >= 500) {
    problems.push(`a packed body was answered ${packed.status}`);
  }
  return judge(problems, "413, and packed bodies are not unpacked");
}

async function deep({ send, attacker }: Ground): Promise<Outcome> {
  const problems: string[] = [];
  const depth = 200_000;
  const raws = [
    "[".repeat(depth) + "]".repeat(depth),
    '{"a":'.repeat(depth) + "1" + "}".repeat(depth),
    `{"discord":${'{"id":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
    `{${Array.from({ length: 60_000 }, (_, nth) => `"k${nth}":1`).join(",")}}`,
  ];
  const note = ({ status, ms }: Pick<Reply, "status" | "ms">, raw: string) => {
    if (status < 400 || status >= 500 || ms > 3_000) {
      problems.push(`${raw.slice(0, 12)}… was answered ${status} in ${Math.round(ms)} ms`);
    }
  };
  for (const raw of raws) {
    note(await send("PUT /api/auth/me", { as: attacker, raw }), raw);
  }
  const open = `${"[".repeat(500_000)}${String.raw`"\u0041"`}${"]".repeat(500_000)}`;
  note(await send(SIGN_IN, { raw: open }), open);
  return judge(problems, "400 at once");
}

/** Many connections that never finish their requests: the others must not notice, and they must be cut off. */
async function slow({ url, send, isThorough }: Ground): Promise<Outcome> {
  const sockets = Array.from({ length: isThorough ? 200 : 40 }, () => openSocket(url));
  const open = () => sockets.filter((socket) => !socket.closed).length;
  for (const [nth, socket] of sockets.entries()) {
    socket.on("error", () => undefined);
    // The end of a connection is only seen by who reads it.
    socket.resume();
    const unfinished =
      nth % 2 === 0
        ? "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "
        : headOf(url, SIGN_IN, { "Content-Type": "application/json", "Content-Length": "100" });
    socket.write(unfinished);
  }
  const { status, ms } = await send("GET /healthz");
  const problems = status === 200 && ms < 1_000 ? [] : [`others waited ${Math.round(ms)} ms`];
  // Headers may take 10 s, a request 60 s; Node looks every 30 s.
  const patienceMs = 100_000;
  const deadline = performance.now() + (isThorough ? patienceMs : 0);
  while (open() > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  if (isThorough && open() > 0) {
    problems.push(`${open()} unfinished requests are open after ${patienceMs / 1000} s`);
  }
  for (const socket of sockets) {
    socket.destroy();
  }
  const cut = isThorough ? ", and all were cut off" : "";
  return judge(problems, `others are answered in ${Math.round(ms)} ms${cut}`);
}

function headOf(url: string, call: string, headers: Readonly<Record<string, string>>): string {
  const { host, origin } = new URL(url);
  const lines = Object.entries({ Host: host, Origin: origin, ...headers });
  return `${call} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

const firstLine = (answer: string) => answer.split("\r\n")[0] ?? "nothing";

async function smuggled({ url }: Ground): Promise<Outcome> {
  const { host } = new URL(url);
  const tail = "GET /api/auth/me HTTP/1.1\r\nHost: x\r\n\r\n";
  const post = `POST /api/identity/sign-in HTTP/1.1\r\nHost: ${host}\r\n`;
  const tries: Readonly<Record<string, string>> = {
    "a length and chunks": `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${tail}`,
    "two lengths": `${post}Content-Length: 4\r\nContent-Length: 90\r\n\r\n{}{}${tail}`,
    "an odd encoding": `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${tail}`,
    "a header after a bare line feed": `GET /healthz HTTP/1.1\r\nHost: ${host}\nX-A: b\r\n\r\n`,
    "a folded header": `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-A: b\r\n c: d\r\n\r\n`,
    "headers of 100 kB": `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-A: ${"a".repeat(100_000)}\r\n\r\n`,
    "no host": "GET /healthz HTTP/1.1\r\n\r\n",
  };
  const problems: string[] = [];
  for (const [what, bytes] of Object.entries(tries)) {
    const answer = await sendBytes(url, bytes, 1_500);
    if (answer.startsWith("HTTP/1.1 2") || (answer.match(/HTTP\/1\.1 \d/g) ?? []).length > 1) {
      problems.push(`${what}: ${firstLine(answer)}`);
    }
  }
  return judge(problems, "400 or 431, and the connection ends");
}

async function splitAnswer({ url, send, attacker }: Ground): Promise<Outcome> {
  const problems: string[] = [];
  const paths = [
    "/api/auth/discord/callback?error=x%0d%0aSet-Cookie:%20a=b",
    "/%0d%0aSet-Cookie:%20a=b",
    "/api/sales%0d%0aX-Injected:%201",
  ];
  for (const path of paths) {
    const { headers } = await send(`GET ${path}`, { as: attacker });
    if (JSON.stringify(headers).includes("a=b") || headers["x-injected"] !== undefined) {
      problems.push(`GET ${path} set a header`);
    }
  }
  const answer = await sendBytes(
    url,
    headOf(url, "GET /healthz", { "X-Request-Id": "a\x0bb", Connection: "close" }),
    1_500,
  );
  if (answer.includes("a\x0bb")) {
    problems.push("a header of the request is repeated in the answer");
  }
  await done(send("GET /healthz"));
  return judge(problems, "no header comes from a request");
}

export const bodyAttacks: readonly Attack[] = [
  { name: "huge and packed bodies", expected: "413", run: large },
  { name: "deep JSON and thousands of fields", expected: "400, fast", run: deep },
  { name: "requests that never end", expected: "others are served; they are cut off", run: slow },
  { name: "ambiguous lengths, folded and huge headers", expected: "400 or 431", run: smuggled },
  { name: "line breaks for the answer's headers", expected: "nothing", run: splitAnswer },
];

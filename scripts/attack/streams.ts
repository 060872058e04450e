// Attacks on event streams and on what the store itself might fetch.
import { createServer } from "node:http";
import { once } from "node:events";
import { type Attack, judge, notTried, type Outcome } from "./attack.ts";
import type { Ground } from "./ground.ts";
import { done, openSocket } from "./send.ts";

async function withoutRight({ send, attacker, newPerson }: Ground): Promise<Outcome> {
  const left = await newPerson();
  await done(send("DELETE /api/identity/sessions", { as: left }));
  const tries = {
    nobody: await send("GET /api/live"),
    "a token in the query": await send(`GET /api/live?token=${attacker.token}`),
    "the session's cookie": await send("GET /api/live", {
      headers: { Cookie: attacker.cookie },
    }),
    "an ended session": await send("GET /api/live", { as: left }),
  };
  const problems = Object.entries(tries).flatMap(([what, { status }]) =>
    status === 401 ? [] : [`${what} was answered ${status}`],
  );
  return judge(problems, "401");
}

const MOST = 20;

async function tooMany({ url, send, newPerson }: Ground): Promise<Outcome> {
  const person = await newPerson();
  const { host } = new URL(url);
  const request = `GET /api/live HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${person.token}\r\n\r\n`;
  const sockets = Array.from({ length: MOST }, () => openSocket(url));
  try {
    for (const socket of sockets) {
      socket.on("error", () => undefined);
      socket.write(request);
    }
    await Promise.all(sockets.map((socket) => once(socket, "data")));
    const { status } = await send("GET /api/live", { as: person });
    return judge(status === 429 ? [] : [`the ${MOST + 1}st was answered ${status}`], "429");
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
  }
}

/** What a stream tells: positions, and nothing about anybody. */
async function contents({ url, attacker, things }: Ground): Promise<Outcome> {
  const { host } = new URL(url);
  const socket = openSocket(url);
  socket.on("error", () => undefined);
  socket.write(
    `GET /api/live HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${attacker.token}\r\n\r\n`,
  );
  let text = "";
  const patience = setTimeout(() => socket.destroy(new Error("it said nothing")), 5_000);
  while (!text.includes("progress") && text.length < 20_000) {
    text += String((await once(socket, "data"))[0]);
  }
  clearTimeout(patience);
  socket.destroy();
  const word = things?.words.find((each) => text.includes(each));
  return judge(word === undefined ? [] : [`it tells ${word}`], "only positions of tables");
}

/** Counts what the store asks of an address that only this program knows. */
async function fetches({ send, admin, attacker, victim }: Ground): Promise<Outcome> {
  if (admin === null) {
    return notTried("only an admin may give an item an address");
  }
  let asked = 0;
  const trap = createServer((_, answer) => {
    asked += 1;
    answer.end();
  });
  trap.listen(0, "127.0.0.1");
  await once(trap, "listening");
  const address = trap.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const at = `http://127.0.0.1:${port}/x.png`;
  try {
    const item = { consignorID: victim.uid, itemName: "x", barcode1: "TRAP", quantity: 1 };
    const body = { ...item, imageUrl: at, link: at };
    await done(send("POST /api/inventory/consignor", { as: admin, body }));
    await send("GET /api/inventory/search?searchTerm=TRAP", { as: admin });
    await send("GET /api/marketplace/items", { as: attacker });
    const [, payload = ""] = attacker.token.split(".");
    for (const name of ["jku", "x5u"]) {
      const header = Buffer.from(JSON.stringify({ alg: "ES256", kid: "x", [name]: at }));
      const token = `${header.toString("base64url")}.${payload}.AAAA`;
      await send("GET /api/auth/me", { as: { ...attacker, token } });
    }
    await send(`POST /api/statements/verify`, { body: { jws: at }, from: attacker.address });
    // A fetch in the background would come at once.
    await new Promise((resolve) => setTimeout(resolve, 200));
  } finally {
    trap.close();
  }
  return judge(asked === 0 ? [] : [`the store fetched it ${asked} times`], "nothing is fetched");
}

export const streamAttacks: readonly Attack[] = [
  { name: "an event stream without a right to it", expected: "401", run: withoutRight },
  { name: `more than ${MOST} event streams of one person`, expected: "429", run: tooMany },
  { name: "other people's data in an event stream", expected: "none", run: contents },
  { name: "addresses that the store might fetch", expected: "it fetches none", run: fetches },
];

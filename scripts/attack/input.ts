// Attacks with words: SQL, patterns, numbers, made-up cursors, and names that deceive whoever reads them.
import { type Attack, judge, type Outcome } from "./attack.ts";
import type { Ground } from "./ground.ts";
import { documentedCalls, filled } from "./other-people.ts";
import { signUp, textIn } from "./send.ts";

const SLOW_MS = 3_000;

const garbage = [
  "' or '1'='1' --",
  "1; drop table log.events; --",
  "%' union select uid from identity.profiles --",
  "\\",
  "%_%_%_%_%_%_%_%_%_%",
  "(a+)+$",
  "{{7*7}}${7*7}",
  "../../../../etc/passwd",
  "$(id)`id`|id",
  '{"$ne":null}',
  "\u0000",
  "\u202e\u2066gnp.exe",
  "1e309",
  "-9223372036854775809",
  "x".repeat(4_000),
];

/** The same garbage in every parameter of every read. */
async function inQueries(ground: Ground): Promise<Outcome> {
  const reads = (await documentedCalls(ground)).filter(
    ({ method, query, access }) => method === "GET" && query.length > 0 && access !== "admin",
  );
  const texts = ground.isThorough ? garbage : garbage.slice(0, 3);
  const problems: string[] = [];
  let count = 0;
  for (const { path, query } of reads) {
    const own = filled(path, { ...ground, victim: ground.attacker }, null);
    for (const text of texts) {
      for (const name of ground.isThorough ? query : [query.join("&")]) {
        const search = name
          .split("&")
          .map((each) => `${each}=${encodeURIComponent(text)}`)
          .join("&");
        const { status, ms } = await ground.send(`GET ${own}?${search}`, { as: ground.attacker });
        count += 1;
        if (status >= 500 || ms > SLOW_MS) {
          problems.push(
            `GET ${path}?${search.slice(0, 60)} answered ${status} in ${Math.round(ms)} ms`,
          );
        }
      }
    }
  }
  return judge(problems, `no failure and nothing slow in ${count} requests`);
}

/** A cursor says where a page begins, never whose it is. */
async function cursors(ground: Ground): Promise<Outcome> {
  const { attacker, victim, things, send } = ground;
  const reads = (await documentedCalls(ground)).filter(
    ({ method, query, access }) =>
      method === "GET" &&
      access !== "admin" &&
      query.some((name) => /^(?:cursor|before)$/.test(name)),
  );
  const forged = [
    "0",
    "1",
    "-1",
    "999999999999999",
    Buffer.from(JSON.stringify({ uid: victim.uid })).toString("base64url"),
    Buffer.from(JSON.stringify([victim.uid, 1])).toString("base64"),
    `${victim.uid}~1`,
  ];
  const words = things?.words ?? [victim.email];
  const problems: string[] = [];
  for (const { path, query } of reads) {
    const own = filled(path, { ...ground, victim: attacker }, null);
    const name = query.find((each) => /^(?:cursor|before)$/.test(each)) ?? "cursor";
    for (const cursor of forged) {
      const call = `GET ${own}?${name}=${encodeURIComponent(cursor)}`;
      const { status, text } = await send(call, { as: attacker });
      const word = words.find((each) => text.includes(each) && !cursor.includes(each));
      if (status >= 500 || word !== undefined) {
        problems.push(`GET ${path} with the cursor ${cursor} answered ${status} ${word ?? ""}`);
      }
    }
  }
  return judge(problems, `400, or a page of one's own, from ${reads.length} lists`);
}

async function numbers({ send, attacker }: Ground): Promise<Outcome> {
  const amounts = ["1e309", "-5", "0", "0.001", '"10"', "[10]", "{}", "null", "1e21", "NaN"];
  const problems: string[] = [];
  for (const amount of amounts) {
    const raw = `{"amount":${amount},"method":"cashapp","paymentUsername":"$A"}`;
    const call = `POST /api/payouts/${attacker.uid}/request`;
    const { status } = await send(call, { as: attacker, raw });
    if (status !== 400) {
      problems.push(`an amount of ${amount} was answered ${status}`);
    }
  }
  return judge(problems, `400, ${amounts.length} of ${amounts.length}`);
}

async function longTexts({ send, attacker }: Ground): Promise<Outcome> {
  const long = "a".repeat(900_000);
  const tries: readonly (readonly [string, object])[] = [
    ["POST /api/identity/sign-in", { email: `${long}@example.test`, password: "x" }],
    ["POST /api/identity/sign-in", { email: `a@${"a.".repeat(400_000)}`, password: "x" }],
    ["POST /api/identity/sign-in", { email: "a@example.test", password: long }],
    ["POST /api/auth/set-username", { username: long }],
    ["POST /api/statements/verify", { jws: long }],
    ["POST /api/identity/setup", { token: long }],
  ];
  const problems: string[] = [];
  for (const [call, body] of tries) {
    const { status, ms } = await send(call, { as: attacker, body });
    if (status < 400 || status >= 500 || ms > SLOW_MS) {
      problems.push(`${call} answered ${status} in ${Math.round(ms)} ms`);
    }
  }
  return judge(problems, "refused at once");
}

async function names({ send, attacker }: Ground): Promise<Outcome> {
  const problems: string[] = [];
  const hidden = [
    "Ann\u202egnp",
    "Ann\u2066x",
    "A\u200bnn",
    "A\u00adnn",
    "Ann\u0007",
    "A\nnn",
    "\u3164",
  ];
  for (const [nth, displayName] of hidden.entries()) {
    const body = { email: `n${nth}-${attacker.email}`, password: attacker.password, displayName };
    const { status } = await send("POST /api/identity/sign-up", { body, from: attacker.address });
    if (status !== 400) {
      problems.push(`the name ${JSON.stringify(displayName)} was answered ${status}`);
    }
  }
  for (const username of ["a b", "ADMIN<b>", "../x", "а-cyrillic", "user\u200bname", "%00"]) {
    const { status } = await send("POST /api/auth/set-username", {
      as: attacker,
      body: { username },
    });
    if (status !== 400) {
      problems.push(`the username ${JSON.stringify(username)} was answered ${status}`);
    }
  }
  return judge(problems, "400");
}

async function scripts({ send, newPerson, attacker, isThorough }: Ground): Promise<Outcome> {
  const script = '<img src=x onerror="alert(1)">';
  const body = { email: `s-${attacker.email}`, password: attacker.password, displayName: script };
  const from = isThorough ? (await newPerson()).address : attacker.address;
  const reply = await signUp(send, body, from);
  const as = { token: textIn(reply, "idToken"), address: from };
  const problems: string[] = [];
  for (const path of ["/api/auth/me", "/api/auth/me/export", "/api/identity/account"]) {
    const { headers } = await send(`GET ${path}`, { as });
    const type = headers["content-type"] ?? "";
    if (!type.startsWith("application/json") || headers["x-content-type-options"] !== "nosniff") {
      problems.push(`GET ${path} answers ${type} without nosniff`);
    }
  }
  const unknown = await send(`GET /api/${encodeURIComponent(script)}`, { as });
  if (unknown.text.includes("<img")) {
    problems.push("an error repeats the address as HTML");
  }
  return judge(
    problems,
    "only ever JSON that browsers do not sniff; the pages' policy runs no inline script",
  );
}

async function links({ send, admin, victim }: Ground): Promise<Outcome> {
  if (admin === null) {
    return { kind: "not tried", what: "only an admin may give an item a link" };
  }
  const problems: string[] = [];
  const bad = [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "JaVaScRiPt:x",
    "//x",
  ];
  for (const link of bad) {
    for (const field of ["link", "imageUrl"]) {
      const item = { consignorID: victim.uid, itemName: "x", barcode1: "x", quantity: 1 };
      const body = { ...item, [field]: link };
      const { status } = await send("POST /api/inventory/consignor", { as: admin, body });
      if (status !== 400) {
        problems.push(`the ${field} ${link} was answered ${status}`);
      }
    }
  }
  return judge(problems, "400");
}

async function pollution({ send, attacker, victim }: Ground): Promise<Outcome> {
  const { uid } = attacker;
  const problems: string[] = [];
  const calls = [
    `GET /api/sales/balance/${uid}?id=${victim.uid}`,
    `GET /api/sales/balance/${uid}%2f..%2f${victim.uid}`,
    `GET /api/sales/balance/${uid}/../${victim.uid}`,
    `GET /api/sales/balance/${uid};${victim.uid}`,
    `GET /api/audit/events?person=${uid}&person=${victim.uid}`,
    `GET /api/inventory/search?consignor=${uid}&consignor=${victim.email}`,
    `GET /api/inventory/search?limit=5&limit=1000000`,
  ];
  for (const call of calls) {
    const { status, text } = await send(call, { as: attacker });
    if (status >= 500 || (status === 200 && text.includes(victim.uid))) {
      problems.push(`${call} was answered ${status}`);
    }
  }
  return judge(problems, "one's own data, or refused");
}

export const inputAttacks: readonly Attack[] = [
  {
    name: "SQL, patterns and garbage in every query",
    expected: "no failure, fast",
    run: inQueries,
  },
  { name: "forged cursors", expected: "nothing of others'", run: cursors },
  { name: "values that are not amounts", expected: "400", run: numbers },
  { name: "texts of a megabyte against patterns", expected: "refused, fast", run: longTexts },
  { name: "parameters that come twice or climb", expected: "nothing of others'", run: pollution },
  { name: "names with invisible or reversing characters", expected: "400", run: names },
  { name: "names that are HTML", expected: "never answered as HTML", run: scripts },
  { name: "links that run or read files", expected: "400", run: links },
];

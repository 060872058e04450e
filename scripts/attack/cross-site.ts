// Attacks from another site's page in a signed-in browser: forged requests, and reading answers from elsewhere.
import { type Attack, judge } from "./attack.ts";
import type { Ground } from "./ground.ts";
import { done, type Sent } from "./send.ts";

const EVIL = "https://evil.example";

/** How another site's page can send a request; each must be refused. An empty value leaves the header out. */
const disguises: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a foreign Origin": { Origin: EVIL },
  "the Origin null": { Origin: "null" },
  "Sec-Fetch-Site cross-site": { "Sec-Fetch-Site": "cross-site" },
  "Sec-Fetch-Site same-site": { "Sec-Fetch-Site": "same-site" },
  "a form": { "Content-Type": "application/x-www-form-urlencoded" },
  "plain text": { "Content-Type": "text/plain" },
};

async function judgeCalls(
  { send }: Ground,
  calls: Readonly<Record<string, Sent>>,
  more: typeof disguises,
) {
  const problems: string[] = [];
  for (const [call, sent] of Object.entries(calls)) {
    for (const [what, headers] of Object.entries({ ...disguises, ...more })) {
      const { status } = await send(call, { ...sent, headers: { ...sent.headers, ...headers } });
      if (status !== 403 && status !== 400) {
        problems.push(`${call} with ${what} was answered ${status}`);
      }
    }
  }
  return judge(problems, "all refused");
}

async function withCookie(ground: Ground) {
  const person = await ground.newPerson();
  const sent: Sent = { body: {}, from: person.address, headers: { Cookie: person.cookie } };
  const outcome = await judgeCalls(
    ground,
    { "POST /api/identity/refresh": sent, "POST /api/identity/sign-out": sent },
    { "no Origin": { Origin: "" }, "an Origin that only begins like ours": similar(ground.url) },
  );
  // What was refused changed nothing.
  await done(ground.send("POST /api/identity/refresh", sent));
  return outcome;
}

function similar(url: string): Readonly<Record<string, string>> {
  const { protocol, host } = new URL(url);
  return { Origin: `${protocol}//${host}.evil.example` };
}

function intoAttackersAccount(ground: Ground) {
  const { email, password, address: from } = ground.attacker;
  const sent: Sent = { body: { email, password }, from };
  return judgeCalls(
    ground,
    {
      "POST /api/identity/sign-in": sent,
      "POST /api/identity/sign-up": { body: { email: `new-${email}`, password }, from },
      "POST /api/identity/password-reset": { body: { email }, from },
    },
    {},
  );
}

async function readingAnswers({ send, attacker }: Ground) {
  const headers = { Origin: EVIL };
  const problems: string[] = [];
  const asked = {
    "a read": await send("GET /api/auth/me", { as: attacker, headers }),
    "a preflight": await send("OPTIONS /api/auth/me", {
      headers: {
        ...headers,
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "authorization",
      },
    }),
    "the published keys": await send("GET /api/identity/jwks", { headers }),
  };
  for (const [what, reply] of Object.entries(asked)) {
    const allowed = reply.headers["access-control-allow-origin"];
    if (allowed !== undefined) {
      problems.push(`${what} allows ${allowed}`);
    }
  }
  return judge(problems, "no answer allows another origin");
}

async function changesByGet({ send, attacker }: Ground) {
  const problems: string[] = [];
  for (const path of [
    "/api/identity/sign-out",
    "/api/identity/sessions/x",
    "/api/auth/set-username",
  ]) {
    const { status } = await send(`GET ${path}`, { as: attacker });
    if (status < 400) {
      problems.push(`GET ${path} was answered ${status}`);
    }
  }
  const headers = { "X-HTTP-Method-Override": "DELETE", "X-Method-Override": "DELETE" };
  await send("GET /api/identity/sessions?_method=DELETE", { as: attacker, headers });
  const after = await send("GET /api/auth/me", { as: attacker });
  if (after.status !== 200) {
    problems.push("a GET ended the sessions");
  }
  return judge(problems, "no GET changes anything");
}

export const crossSiteAttacks: readonly Attack[] = [
  {
    name: "forged requests with the session's cookie",
    expected: "403 or 400, and the session stays",
    run: withCookie,
  },
  {
    name: "signing a browser in to the attacker's account",
    expected: "403 or 400",
    run: intoAttackersAccount,
  },
  {
    name: "reading answers from another origin",
    expected: "no Access-Control-Allow-Origin",
    run: readingAnswers,
  },
  { name: "changes by GET or an overridden method", expected: "nothing", run: changesByGet },
];

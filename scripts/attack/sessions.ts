// Attacks on sessions and letters: stolen and used-up cookies, cookies' flags, links that are opened twice or by others.
import { type Attack, judge, notTried, type Outcome } from "./attack.ts";
import { tokenIn } from "./letters.ts";
import { type Ground, type Person, sessionCookie } from "./ground.ts";
import { done, type Reply } from "./send.ts";

const refresh = ({ send }: Ground, person: Person, cookie: string): Promise<Reply> =>
  send("POST /api/identity/refresh", {
    body: {},
    from: person.address,
    headers: { Cookie: cookie },
  });

async function flags(ground: Ground): Promise<Outcome> {
  const { send, newPerson, url } = ground;
  const { email, password, address: from } = await newPerson();
  const reply = await done(send("POST /api/identity/sign-in", { body: { email, password }, from }));
  const lines = reply.headers["set-cookie"] ?? [];
  const isSecure = url.startsWith("https:");
  const problems = lines.flatMap((line) => {
    const name = line.split("=")[0] ?? "";
    return [
      ...(/; HttpOnly/i.test(line) ? [] : [`${name} is readable by scripts`]),
      ...(/; SameSite=(?:Lax|Strict)/i.test(line)
        ? []
        : [`${name} is sent to other sites' requests`]),
      ...(/; Domain=/i.test(line) ? [`${name} is for other hosts too`] : []),
      ...(isSecure && !/; Secure/i.test(line) ? [`${name} is sent over http`] : []),
      ...(isSecure && !/^__(?:Host|Secure)-/.test(name) ? [`${name} has no prefix`] : []),
    ];
  });
  const token = sessionCookie(reply)?.split("=")[1] ?? "none";
  const isTold = reply.text.includes(token);
  return judge(
    [
      ...problems,
      ...(lines.length === 0 ? ["there are no cookies"] : []),
      ...(isTold ? ["the session's secret is in the answer's body"] : []),
    ],
    `${lines.length} cookies: HttpOnly, SameSite, of this host only`,
  );
}

async function reuse(ground: Ground): Promise<Outcome> {
  const person = await ground.newPerson();
  const first = person.cookie;
  const second = sessionCookie(await done(refresh(ground, person, first))) ?? "";
  const third = sessionCookie(await done(refresh(ground, person, second))) ?? "";
  const thief = await refresh(ground, person, first);
  const owner = await refresh(ground, person, third);
  return judge(
    [
      ...(thief.status === 401 ? [] : [`the used cookie was answered ${thief.status}`]),
      ...(owner.status === 401 ? [] : [`the session goes on after that: ${owner.status}`]),
    ],
    "401, and the session ends for thief and owner",
  );
}

async function forgedCookies(ground: Ground): Promise<Outcome> {
  const person = await ground.newPerson();
  const [name = "", value = ""] = person.cookie.split("=");
  const [family = "", , secret = ""] = value.split(".");
  const problems: string[] = [];
  const values = {
    "another generation": `${family}.999999.${secret}`,
    "another family": `00000000-0000-4000-8000-000000000000.0.${secret}`,
    "another secret": `${family}.0.${"A".repeat(43)}`,
    SQL: "' or '1'='1",
    nothing: "",
  };
  for (const [what, forged] of Object.entries(values)) {
    const { status } = await refresh(ground, person, `${name}=${forged}`);
    if (status !== 401) {
      problems.push(`${what} was answered ${status}`);
    }
  }
  const after = await refresh(ground, person, person.cookie);
  if (after.status !== 200) {
    problems.push("guessing ended the owner's session");
  }
  return judge(problems, "401, and the owner's session goes on");
}

async function fixation({ send, newPerson }: Ground): Promise<Outcome> {
  const [{ email, password, address: from }, other] = [await newPerson(), await newPerson()];
  const reply = await done(
    send("POST /api/identity/sign-in", {
      body: { email, password },
      from,
      headers: { Cookie: other.cookie },
    }),
  );
  const cookie = sessionCookie(reply) ?? other.cookie;
  return judge(
    cookie === other.cookie ? ["the given session was taken over"] : [],
    "each sign-in starts a new session",
  );
}

async function letterTwice(ground: Ground): Promise<Outcome> {
  const { send, newPerson, lettersTo } = ground;
  if (lettersTo === null) {
    return notTried("letters cannot be read from here (--outbox)");
  }
  const person = await newPerson();
  const from = person.address;
  await done(send("POST /api/identity/password-reset", { body: { email: person.email }, from }));
  const token = tokenIn((await lettersTo(person.email)).at(-1));
  const confirm = (given: string, password: string) =>
    send("POST /api/identity/password-reset/confirm", { body: { token: given, password }, from });
  const cut = await confirm(token.slice(0, -1), "shortened link 1");
  const used = await confirm(token, "the owner's new one");
  const again = await confirm(token, "a thief's new one");
  const session = await refresh(ground, person, person.cookie);
  return judge(
    [
      ...(cut.status === 400 ? [] : [`a shortened link was answered ${cut.status}`]),
      ...(used.status === 200 ? [] : [`the link did not work: ${used.text.slice(0, 80)}`]),
      ...(again.status === 400 ? [] : [`the used link was answered ${again.status}`]),
      ...(session.status === 401 ? [] : ["the old session goes on after the reset"]),
    ],
    "works once, and ends the sessions",
  );
}

async function letterOfAnother(ground: Ground): Promise<Outcome> {
  const { send, newPerson, attacker, lettersTo } = ground;
  if (lettersTo === null) {
    return notTried("letters cannot be read from here (--outbox)");
  }
  const person = await newPerson();
  await done(send("POST /api/identity/verify-email", { as: person, body: {} }));
  const token = tokenIn((await lettersTo(person.email)).at(-1));
  const taken = await send("POST /api/identity/verify-email/confirm", {
    as: attacker,
    body: { token },
  });
  const asReset = await send("POST /api/identity/password-reset/confirm", {
    body: { token, password: "through the wrong door" },
    from: attacker.address,
  });
  return judge(
    [
      ...(taken.status === 403 ? [] : [`another account's link was answered ${taken.status}`]),
      ...(asReset.status === 400 ? [] : [`it opened the reset: ${asReset.status}`]),
    ],
    "403, and no other use",
  );
}

async function poisonedLetter({ send, newPerson, lettersTo }: Ground): Promise<Outcome> {
  if (lettersTo === null) {
    return notTried("letters cannot be read from here (--outbox)");
  }
  const { email, address: from } = await newPerson();
  await send("POST /api/identity/password-reset", {
    body: { email },
    from,
    headers: {
      Host: "evil.example",
      Origin: "",
      "X-Forwarded-Host": "evil.example",
      "X-Original-URL": "https://evil.example",
    },
  });
  const letters = await lettersTo(email);
  return judge(
    letters.some((letter) => letter.includes("evil.example")) ? ["the link leads to it"] : [],
    "links lead to the store's own address",
  );
}

async function manyRefreshes(ground: Ground): Promise<Outcome> {
  const person = await ground.newPerson();
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => refresh(ground, person, person.cookie)),
  );
  const cookies = new Set(replies.map((reply) => sessionCookie(reply)));
  return judge(
    cookies.size === 1 && replies.every(({ status }) => status === 200)
      ? []
      : [`${cookies.size} different successors`],
    "one successor for six tabs",
  );
}

export const sessionAttacks: readonly Attack[] = [
  { name: "cookies' flags", expected: "HttpOnly, SameSite, own host", run: flags },
  { name: "a stolen cookie that was used before", expected: "the session ends", run: reuse },
  { name: "forged cookies", expected: "401", run: forgedCookies },
  { name: "a session given before the sign-in", expected: "a new session", run: fixation },
  { name: "one cookie refreshed six times at once", expected: "one successor", run: manyRefreshes },
  { name: "a letter's link, shortened and used twice", expected: "works once", run: letterTwice },
  { name: "a letter's link of another account", expected: "403", run: letterOfAnother },
  {
    name: "another host in a letter's link",
    expected: "the store's own address",
    run: poisonedLetter,
  },
];

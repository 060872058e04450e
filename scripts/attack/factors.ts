// Attacks on second factors and confirmations: going around them, using a code twice, guessing, and other people's.
import { hotp, stepOf } from "#identity/totp.ts";
import { type Attack, judge, type Outcome } from "./attack.ts";
import { type Ground, type Person, sessionCookie } from "./ground.ts";
import { tokenIn } from "./letters.ts";
import { bodyOf, done, type Reply, textIn } from "./send.ts";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

/** The store's own time, by the token that it has just made: its clock need not be ours. */
function storeTime({ token }: Pick<Person, "token">): Date {
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
  const { iat } = Object(JSON.parse(payload)) as { iat?: unknown };
  return new Date(Number(iat) * 1000);
}

type Guarded = Person & { readonly codeAt: (off: number) => string; readonly recovery: string };

/** A new person with an authenticator app. Its codes are those of the steps around the store's time. */
async function withApp({ send, newPerson }: Ground): Promise<Guarded> {
  const person = await newPerson();
  const started = await done(
    send("POST /api/identity/factors/totp/start", { as: person, body: {} }),
  );
  const secret = fromBase32(textIn(started, "secret"));
  const now = stepOf(storeTime(person));
  const codeAt = (off: number) => hotp(secret, now + off);
  const body = { code: codeAt(-1) };
  const added = await done(send("POST /api/identity/factors/totp", { as: person, body }));
  const codes = bodyOf(added)["recoveryCodes"];
  return { ...person, codeAt, recovery: String(Array.isArray(codes) ? codes[0] : "") };
}

const firstStep = ({ send }: Ground, { email, password, address, browser }: Person) =>
  send("POST /api/identity/sign-in", {
    body: { email, password },
    from: address,
    headers: { Cookie: browser },
  });

/** The token of the second step; empty if there is none. */
function stepIn(reply: Reply): string {
  const step = Object(bodyOf(reply)["secondStep"]) as { token?: unknown };
  return typeof step.token === "string" ? step.token : "";
}

const secondStep = ({ send }: Ground, from: string, body: object) =>
  send("POST /api/identity/second-step", { body, from });

const hasSession = (reply: Reply) =>
  reply.text.includes("idToken") || sessionCookie(reply) !== undefined;

async function around(ground: Ground): Promise<Outcome> {
  const { send } = ground;
  const person = await withApp(ground);
  const first = await firstStep(ground, person);
  const token = stepIn(first);
  const asToken = await send("GET /api/auth/me", { as: { ...person, token } });
  const withoutCode = await secondStep(ground, person.address, { token });
  const withPassword = await secondStep(ground, person.address, {
    token,
    password: person.password,
  });
  const confirmed = await send("POST /api/identity/confirm", {
    as: person,
    body: { password: person.password },
  });
  return judge(
    [
      ...(hasSession(first) ? ["the password alone gives a session"] : []),
      ...(asToken.status === 401 ? [] : [`the step's token was answered ${asToken.status}`]),
      ...(withoutCode.status === 400 ? [] : [`no code was answered ${withoutCode.status}`]),
      ...(withPassword.status === 400 ? [] : [`the password was answered ${withPassword.status}`]),
      ...(confirmed.status === 200 ? ["the password alone confirms"] : []),
    ],
    "no session before the code, and no confirmation by the password",
  );
}

async function twice(ground: Ground): Promise<Outcome> {
  const person = await withApp(ground);
  const used = await secondStep(ground, person.address, {
    token: stepIn(await firstStep(ground, person)),
    code: person.codeAt(-1),
  });
  const token = stepIn(await firstStep(ground, person));
  const body = { token, code: person.codeAt(0) };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => secondStep(ground, person.address, body)),
  );
  const sessions = replies.filter(hasSession).length;
  const again = await secondStep(ground, person.address, {
    token: stepIn(await firstStep(ground, person)),
    code: person.codeAt(0),
  });
  return judge(
    [
      ...(hasSession(used) ? ["the code of the set-up works again"] : []),
      ...(sessions === 1 ? [] : [`one code gave ${sessions} sessions`]),
      ...(hasSession(again) ? ["the code works in another sign-in"] : []),
    ],
    "one session for five tries at once; then refused",
  );
}

async function recoveryTwice(ground: Ground): Promise<Outcome> {
  const person = await withApp(ground);
  const tryCode = async () =>
    secondStep(ground, person.address, {
      token: stepIn(await firstStep(ground, person)),
      recoveryCode: person.recovery,
    });
  const [first, second] = [await tryCode(), await tryCode()];
  return judge(
    [
      ...(hasSession(first) ? [] : [`it did not work: ${first.text.slice(0, 80)}`]),
      ...(hasSession(second) ? ["it worked twice"] : []),
    ],
    "works once",
  );
}

async function guesses(ground: Ground): Promise<Outcome> {
  const person = await withApp(ground);
  const stranger = { ...person, address: "198.51.100.250", browser: "" };
  let tries = 0;
  let limited = false;
  while (!limited && tries < 15) {
    const code = String(100_000 + tries);
    const token = stepIn(await firstStep(ground, stranger));
    const reply = await secondStep(ground, stranger.address, { token, code });
    limited = reply.status === 429;
    tries += limited ? 0 : 1;
  }
  // The owner's known browser has its own count.
  const owner = await ground.send("POST /api/identity/second-step", {
    body: { token: stepIn(await firstStep(ground, person)), code: person.codeAt(0) },
    from: person.address,
    headers: { Cookie: person.browser },
  });
  return judge(
    [
      ...(limited ? [] : [`${tries} guesses were answered`]),
      ...(owner.status === 200 ? [] : [`the owner is locked out: ${owner.status}`]),
    ],
    `429 after ${tries} guesses, and the owner gets in`,
  );
}

async function byReset(ground: Ground): Promise<Outcome> {
  const { send, lettersTo } = ground;
  if (lettersTo === null) {
    return { kind: "not tried", what: "letters cannot be read from here (--outbox)" };
  }
  const person = await withApp(ground);
  const from = person.address;
  // The reset that first verifies the address takes the factors away, so it has to be verified before.
  await done(send("POST /api/identity/verify-email", { as: person, body: {} }));
  const proof = tokenIn((await lettersTo(person.email)).at(-1));
  const verify = { as: person, body: { token: proof } };
  await done(send("POST /api/identity/verify-email/confirm", verify));
  await done(send("POST /api/identity/password-reset", { body: { email: person.email }, from }));
  const token = tokenIn((await lettersTo(person.email)).at(-1));
  const password = "set through the mailbox";
  const reset = await done(
    send("POST /api/identity/password-reset/confirm", { body: { token, password }, from }),
  );
  const entered = await firstStep(ground, { ...person, password });
  return judge(
    [
      ...(hasSession(reset) ? ["the reset gives a session"] : []),
      ...(hasSession(entered) ? ["the new password alone gives a session"] : []),
    ],
    "the second step is still asked for",
  );
}

async function others(ground: Ground): Promise<Outcome> {
  const { send, attacker } = ground;
  const person = await withApp(ground);
  const listed = await done(send("GET /api/identity/factors", { as: person }));
  const { factors } = bodyOf(listed);
  const [factor] = Array.isArray(factors) ? factors : [];
  const id = String((Object(factor) as { id?: unknown }).id);
  const tries = {
    "removing it": await send(`DELETE /api/identity/factors/${id}`, { as: attacker }),
    "resetting it": await send(`DELETE /api/auth/users/${person.uid}/factors`, { as: attacker }),
    "counting them": await send(`GET /api/auth/users/${person.uid}/factors`, { as: attacker }),
  };
  const own = await send("GET /api/identity/factors", { as: attacker });
  return judge(
    [
      ...Object.entries(tries).flatMap(([what, { status }]) =>
        status === 403 || status === 404 ? [] : [`${what} was answered ${status}`],
      ),
      ...(own.text.includes(id) ? ["the attacker's list has it"] : []),
      ...(/secret|otpauth/.test(listed.text) ? ["the list shows the secret"] : []),
    ],
    "403 or 404, and no list shows a secret",
  );
}

async function passwords({ send, newPerson }: Ground): Promise<Outcome> {
  const person = await newPerson();
  const change = (oldPassword: string, newPassword: string) =>
    send("POST /api/identity/change-password", { as: person, body: { oldPassword, newPassword } });
  const easy = await change(person.password, "123456");
  const noOld = await send("POST /api/identity/change-password", {
    as: person,
    body: { newPassword: "a new one without the old" },
  });
  let tries = 0;
  while (tries < 15 && (await change(`guess ${tries}`, "a thief's password")).status !== 429) {
    tries += 1;
  }
  return judge(
    [
      ...(easy.status === 400 ? [] : [`an easy password was answered ${easy.status}`]),
      ...(noOld.status === 400 ? [] : [`no old password was answered ${noOld.status}`]),
      ...(tries <= 10 ? [] : ["guesses of the old password are not limited"]),
    ],
    `easy ones refused; 429 after ${tries} guesses of the old one`,
  );
}

export const factorAttacks: readonly Attack[] = [
  { name: "around the second step", expected: "no session", run: around },
  { name: "a code of an app used twice", expected: "once", run: twice },
  { name: "a recovery code used twice", expected: "once", run: recoveryTwice },
  { name: "guessed codes of an app", expected: "429", run: guesses },
  { name: "a password reset instead of the second step", expected: "no session", run: byReset },
  { name: "somebody else's second factor", expected: "403 or 404", run: others },
  {
    name: "changing a password in a stolen session",
    expected: "asks for the old one",
    run: passwords,
  },
];

// Attacks by trying often: passwords from one or many addresses, who has an account, links, and expensive calls.
import { type Attack, judge, notTried, type Outcome } from "./attack.ts";
import { judgeTimes } from "./timing.ts";
import { addressOf, type Ground } from "./ground.ts";
import { done, type Reply, type Sent } from "./send.ts";

/** Tries until the store says 429; how often it answered something else. */
async function triesUntilLimited(
  most: number,
  ask: (nth: number) => Promise<Reply>,
): Promise<number> {
  for (let nth = 0; nth < most; nth += 1) {
    if ((await ask(nth)).status === 429) {
      return nth;
    }
  }
  return most;
}

function judgeTries(tries: number, allowed: number): Outcome {
  return judge(
    tries <= allowed ? [] : [`more than ${allowed} tries were answered`],
    `429 after ${tries} tries`,
  );
}

const guess = (email: string, nth: number, sent: Sent): Sent => ({
  ...sent,
  body: { email, password: `guess number ${nth}` },
});

async function fromOneAddress({ send, newPerson }: Ground): Promise<Outcome> {
  const { email } = await newPerson();
  const from = addressOf(4_001);
  const tries = await triesUntilLimited(12, (nth) =>
    send("POST /api/identity/sign-in", guess(email, nth, { from })),
  );
  return judgeTries(tries, 10);
}

/** Headers that programs behind a proxy may believe. With a proxy of its own, ours is the last entry. */
function spoofed(nth: number, from: string, hasProxy: boolean): Readonly<Record<string, string>> {
  const made = addressOf(5_000 + nth);
  return {
    "X-Forwarded-For": hasProxy ? `${made}, ${from}` : made,
    "X-Real-IP": made,
    "X-Client-IP": made,
    "True-Client-IP": made,
    "CF-Connecting-IP": made,
    Forwarded: `for=${made}`,
    "X-Forwarded-Host": made,
  };
}

async function withSpoofedAddresses({ send, newPerson, hasProxy }: Ground): Promise<Outcome> {
  const { email } = await newPerson();
  const from = addressOf(4_002);
  const tries = await triesUntilLimited(12, (nth) =>
    send(
      "POST /api/identity/sign-in",
      guess(email, nth, { from, headers: spoofed(nth, from, hasProxy) }),
    ),
  );
  return judgeTries(tries, 10);
}

/** Counting far enough takes longer than the rest together; the counters have specs of their own. */
const FULL_SIZE = notTried("only at full size (without --quick)");
const NO_PROXY = notTried("this program is not the store's proxy (--as-proxy)");

async function withinOneHousehold({ send, newPerson, hasProxy }: Ground): Promise<Outcome> {
  if (!hasProxy) {
    return NO_PROXY;
  }
  const { email } = await newPerson();
  const tries = await triesUntilLimited(12, (nth) =>
    send("POST /api/identity/sign-in", guess(email, nth, { from: `2001:db8:1:2::${nth + 1}` })),
  );
  return judgeTries(tries, 10);
}

/** Everything that a rented /48 can choose from: 65,536 networks. */
async function fromManyNetworks({ send, newPerson, hasProxy }: Ground): Promise<Outcome> {
  if (!hasProxy) {
    return NO_PROXY;
  }
  const { email, password, address, browser } = await newPerson();
  const tries = await triesUntilLimited(60, (nth) => {
    const from = `2001:db8:3:${nth.toString(16)}::1`;
    return send("POST /api/identity/sign-in", guess(email, nth, { from }));
  });
  // The owner's known browser has its own count.
  const owner = await send("POST /api/identity/sign-in", {
    body: { email, password },
    from: address,
    headers: { Cookie: browser },
  });
  return judge(
    [
      ...(tries <= 50 ? [] : [`more than 50 tries were answered`]),
      ...(owner.status === 200 ? [] : [`the owner is locked out: ${owner.status}`]),
    ],
    `429 after ${tries} tries, and the owner still gets in`,
  );
}

/** Letters that nobody gets, so that no try costs a hash: 20 an hour from a /64, and four times that from its /48. */
async function wideNetwork({ send, hasProxy, isThorough }: Ground): Promise<Outcome> {
  if (!hasProxy || !isThorough) {
    return hasProxy ? FULL_SIZE : NO_PROXY;
  }
  const tries = await triesUntilLimited(82, (nth) =>
    send("POST /api/identity/password-reset", {
      body: { email: `nobody-${nth}@example.test` },
      from: `2001:db8:4:${nth.toString(16)}::1`,
    }),
  );
  return judgeTries(tries, 80);
}

/** Ports, zones and words that a proxy reports must not make a new address each time. */
async function oddAddresses({ send, newPerson, hasProxy }: Ground): Promise<Outcome> {
  if (!hasProxy) {
    return NO_PROXY;
  }
  const spellings: Readonly<Record<string, (nth: number) => string>> = {
    "with ports": (nth) => `198.51.99.1:${2_000 + nth}`,
    "in IPv6 with ports": (nth) => `[2001:db8:5::1]:${2_000 + nth}`,
    "in IPv6 with zones": (nth) => `2001:db8:6::1%${nth}`,
    "that are words": (nth) => `unknown-${nth}`,
  };
  const problems: string[] = [];
  for (const [what, addressAt] of Object.entries(spellings)) {
    const { email } = await newPerson();
    const tries = await triesUntilLimited(12, (nth) =>
      send("POST /api/identity/sign-in", guess(email, nth, { from: addressAt(nth) })),
    );
    if (tries > 10) {
      problems.push(`addresses ${what} count as many`);
    }
  }
  return judge(problems, "429 after 10 for each spelling");
}

async function manyAccounts({ send, isThorough }: Ground): Promise<Outcome> {
  if (!isThorough) {
    return FULL_SIZE;
  }
  const from = addressOf(4_003);
  const tries = await triesUntilLimited(102, (nth) =>
    send("POST /api/identity/sign-in", {
      body: { email: `nobody-${nth}@example.test`, password: "Password1!" },
      from,
    }),
  );
  return judgeTries(tries, 100);
}

/** One fewer than an address may try on one account; the first pair only warms up. */
const TIMED_TRIES = 9;

async function byTiming({ send, newPerson, hasProxy }: Ground): Promise<Outcome> {
  const { email } = await newPerson();
  const from = (nth: number) => (hasProxy ? addressOf(4_100 + nth) : addressOf(4_100));
  const timeOf = async (address: string, nth: number) =>
    (await send("POST /api/identity/sign-in", guess(address, nth, { from: from(nth) }))).ms;
  const wrong: number[] = [];
  const unknown: number[] = [];
  // In turn, so that a machine that is busy for a while slows both.
  for (let nth = 0; nth < TIMED_TRIES; nth += 1) {
    wrong.push(await timeOf(email, nth));
    unknown.push(await timeOf(`no-${email}`, nth));
  }
  return judgeTimes(wrong.slice(1), unknown.slice(1));
}

async function byAnswer({ send, attacker, victim }: Ground): Promise<Outcome> {
  const from = attacker.address;
  const known = await send("POST /api/identity/sign-in", guess(victim.email, 1, { from }));
  const unknown = await send("POST /api/identity/sign-in", guess("no@example.test", 1, { from }));
  return known.text === unknown.text
    ? { kind: "held", what: "the same answer" }
    : { kind: "documented", what: "the specified messages differ; tries are limited" };
}

async function madeUpLinks({ send, isThorough }: Ground): Promise<Outcome> {
  const from = addressOf(4_004);
  const problems: string[] = [];
  const most = isThorough ? 305 : 10;
  const tries = await triesUntilLimited(most, async (nth) => {
    const token = Buffer.from(`link ${nth}`.padEnd(32, "x")).toString("base64url");
    const body = { token, password: "a password of attacks" };
    const reply = await send("POST /api/identity/password-reset/confirm", { body, from });
    if (reply.status < 400) {
      problems.push(`a made-up link was answered ${reply.status}`);
    }
    return reply;
  });
  const isLimited = !isThorough || tries <= 300;
  return judge(
    [...problems, ...(isLimited ? [] : ["made-up links are not limited"])],
    isThorough ? `400, and 429 after ${tries} tries` : "400",
  );
}

async function letters({ send, newPerson }: Ground): Promise<Outcome> {
  const person = await newPerson();
  const asked = await triesUntilLimited(7, () =>
    send("POST /api/identity/verify-email", { as: person, body: {} }),
  );
  const reset = await triesUntilLimited(7, () =>
    send("POST /api/identity/password-reset", {
      body: { email: person.email },
      from: addressOf(4_005),
    }),
  );
  return judge(
    [
      ...(asked <= 5 ? [] : ["more than 5 letters to verify an address"]),
      ...(reset <= 5 ? [] : ["more than 5 letters to reset a password"]),
    ],
    `429 after ${asked} and ${reset} letters`,
  );
}

async function signUps({ send, hasProxy, isThorough }: Ground): Promise<Outcome> {
  if (!hasProxy || !isThorough) {
    return hasProxy ? FULL_SIZE : NO_PROXY;
  }
  const from = addressOf(4_006);
  const tries = await triesUntilLimited(32, (nth) =>
    // An address that is taken counts too, and costs no hash.
    send("POST /api/identity/sign-up", {
      body: { email: `many-${nth}@example.test`, password: "short-lived-1" },
      from,
    }),
  );
  return judgeTries(tries, 30);
}

async function commands({ send, newPerson, isThorough }: Ground): Promise<Outcome> {
  if (!isThorough) {
    return FULL_SIZE;
  }
  const person = await newPerson();
  const name = `many-${person.uid.slice(0, 8).toLowerCase().replaceAll(/\W/g, "")}`;
  await done(send("POST /api/auth/set-username", { as: person, body: { username: name } }));
  const tries = await triesUntilLimited(65, () =>
    send("POST /api/auth/set-username", { as: person, body: { username: name } }),
  );
  return judgeTries(tries, 60);
}

/** A file is written as fast as its reader takes it, so a few at once would hold everybody up. */
async function manyFiles({ send, newPerson, isThorough }: Ground): Promise<Outcome> {
  const person = await newPerson();
  const call = `GET /api/sales/ledger/${person.uid}/export`;
  const atOnce = await Promise.all(Array.from({ length: 12 }, () => send(call, { as: person })));
  const answered = atOnce.filter(({ status }) => status === 200).length;
  const tries = isThorough ? await triesUntilLimited(60, () => send(call, { as: person })) : 0;
  return judge(
    [
      ...(answered < 12 ? [] : ["12 files at once were answered"]),
      ...(tries <= 41 ? [] : ["60 files a minute were answered"]),
    ],
    isThorough ? `${answered} of 12 at once; 429 after ${tries} more` : `${answered} of 12 at once`,
  );
}

export const guessingAttacks: readonly Attack[] = [
  { name: "guess a password from one address", expected: "429 after 10", run: fromOneAddress },
  {
    name: "the same with made-up addresses in headers",
    expected: "429 after 10",
    run: withSpoofedAddresses,
  },
  {
    name: "the same from all over one IPv6 /64",
    expected: "429 after 10",
    run: withinOneHousehold,
  },
  {
    name: "the same from the /64s of an IPv6 /48",
    expected: "429 after 50, the owner gets in",
    run: fromManyNetworks,
  },
  { name: "letters from the /64s of an IPv6 /48", expected: "429 after 80", run: wideNetwork },
  { name: "addresses with ports, zones or words", expected: "429 after 10", run: oddAddresses },
  { name: "one password for many accounts", expected: "429 after 100", run: manyAccounts },
  { name: "who has an account, by time", expected: "no difference", run: byTiming },
  { name: "who has an account, by answer", expected: "specified", run: byAnswer },
  { name: "made-up links of letters", expected: "400, then 429", run: madeUpLinks },
  { name: "flooding a mailbox with letters", expected: "429 after 5", run: letters },
  { name: "flooding the store with accounts", expected: "429 after 30", run: signUps },
  { name: "many files at once and one after the other", expected: "429", run: manyFiles },
  { name: "flooding the log with commands", expected: "429 after 60 a minute", run: commands },
];

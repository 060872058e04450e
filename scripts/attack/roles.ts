// Attacks that send more than a form has: a role, somebody else's id, a state, or a prototype.
import { type Attack, judge, type Outcome } from "./attack.ts";
import type { Ground } from "./ground.ts";
import { bodyOf, textIn } from "./send.ts";

const power = {
  role: "admin",
  isAdmin: true,
  admin: true,
  roles: ["admin"],
  emailVerified: true,
  balance: 1_000_000,
};

/** The attacker's own forms with fields that are not theirs to set. */
function forms({ attacker, victim }: Ground): Readonly<Record<string, string | object>> {
  const { uid } = victim;
  const more = { ...power, uid, consignorID: uid, userId: uid, actor: uid, paid: true };
  return {
    "PUT /api/auth/me": { discordNotificationsEnabled: false, ...more },
    "POST /api/auth/set-username": { username: "attacker-name", ...more },
    [`POST /api/payouts/${attacker.uid}/request`]: {
      amount: 1,
      method: "cashapp",
      paymentUsername: "$Attacker",
      ...more,
    },
    [`POST /api/shipments/${attacker.uid}`]: {
      carrier: "UPS",
      trackingNumber: "1Z1",
      delivered: "yes",
      processed: "yes",
      ...more,
    },
    "POST /api/identity/verify-email": more,
    "POST /api/identity/link-password": { password: "another password", ...more },
  };
}

async function extraFields(ground: Ground): Promise<Outcome> {
  const { send, attacker } = ground;
  const problems: string[] = [];
  for (const [call, body] of Object.entries(forms(ground))) {
    const { status } = await send(call, { as: attacker, body });
    if (status < 400) {
      problems.push(`${call} was answered ${status}`);
    }
  }
  return judge([...problems, ...(await powersOf(ground))], "400, and still a plain consignor");
}

/** What the attacker has become. */
async function powersOf({ send, attacker }: Ground): Promise<string[]> {
  const me = await send("GET /api/auth/me", { as: attacker });
  const users = await send("GET /api/auth/all-users", { as: attacker });
  return [
    ...(textIn(me, "role") === "user" ? [] : [`the attacker's role is ${textIn(me, "role")}`]),
    ...(textIn(me, "uid") === attacker.uid ? [] : ["the attacker is somebody else"]),
    ...(users.status === 403 ? [] : [`the list of users was answered ${users.status}`]),
  ];
}

async function ownProfile(ground: Ground): Promise<Outcome> {
  const { send, attacker, victim } = ground;
  // The specification's call has these fields; they must grant nothing.
  const body = { uid: victim.uid, email: victim.email, displayName: "Victim", role: "admin" };
  const reply = await send("POST /api/auth/users", { as: attacker, body });
  const uid = textIn(reply, "uid");
  const isOther = reply.status === 200 && uid !== attacker.uid;
  return judge(
    [...(isOther ? [`it answered as ${uid}`] : []), ...(await powersOf(ground))],
    `${reply.status}, and still a plain consignor`,
  );
}

async function prototypes(ground: Ground): Promise<Outcome> {
  const { send, attacker } = ground;
  const problems: string[] = [];
  const raws = [
    '{"__proto__":{"role":"admin","isAdmin":true},"discordNotificationsEnabled":false}',
    '{"constructor":{"prototype":{"role":"admin"}},"discordNotificationsEnabled":false}',
  ];
  for (const raw of raws) {
    await send("PUT /api/auth/me", { as: attacker, raw });
  }
  const doubled = '{"role":"user","role":"admin","discordNotificationsEnabled":false}';
  const { status } = await send("PUT /api/auth/me", { as: attacker, raw: doubled });
  if (status < 400) {
    problems.push(`a field that comes twice was answered ${status}`);
  }
  return judge([...problems, ...(await powersOf(ground))], "still a plain consignor");
}

async function signUpAsAdmin({ send, attacker, victim }: Ground): Promise<Outcome> {
  const body = { email: `x-${attacker.email}`, password: "a password of attacks" };
  const problems: string[] = [];
  for (const more of [power, { uid: victim.uid }, { role: "admin" }]) {
    const reply = await send("POST /api/identity/sign-up", {
      body: { ...body, ...more },
      from: attacker.address,
    });
    if (reply.status < 400) {
      problems.push(`${JSON.stringify(more)} was answered ${reply.status}`);
    }
  }
  return judge(problems, "400");
}

async function firstAdminAgain({ send, attacker }: Ground): Promise<Outcome> {
  const tokens = ["", "x", "0".repeat(43), attacker.token.slice(0, 43)];
  const problems: string[] = [];
  for (const token of tokens) {
    const reply = await send("POST /api/identity/setup", { as: attacker, body: { token } });
    if (reply.status < 400) {
      problems.push(`a made-up link was answered ${JSON.stringify(bodyOf(reply))}`);
    }
  }
  return judge(problems, "refused");
}

export const roleAttacks: readonly Attack[] = [
  { name: "a role, id or state in one's own forms", expected: "400", run: extraFields },
  { name: "a profile with another's id and the role admin", expected: "nothing", run: ownProfile },
  { name: "prototypes and fields that come twice", expected: "nothing", run: prototypes },
  { name: "signing up as an admin", expected: "400", run: signUpAsAdmin },
  { name: "a made-up link for the first admin", expected: "refused", run: firstAdminAgain },
];

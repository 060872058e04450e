// Attacks on ID tokens: made by hand, changed, signed with something else, sent in the wrong place, or outlived.
import { createHmac, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { JsonWebKey } from "node:crypto";
import { type Attack, judge } from "./attack.ts";
import type { Ground, Person } from "./ground.ts";
import { bodyOf, done, type Reply } from "./send.ts";

type Json = Readonly<Record<string, unknown>>;

const encoded = (value: Json | string): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

function partsOf(token: string): { header: Json; payload: Json; signature: string } {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const read = (part: string): Json =>
    Object.fromEntries(
      Object.entries(Object(JSON.parse(Buffer.from(part, "base64url").toString("utf8")))),
    );
  return { header: read(header), payload: read(payload), signature };
}

/** The attacker's token as the admin's, or as the victim's where no admin is known. */
function promoted(ground: Ground): { header: Json; payload: Json; signature: string } {
  const parts = partsOf(ground.attacker.token);
  const target = ground.admin === null ? ground.victim.token : ground.admin.token;
  const exp = Number(parts.payload["exp"]) + 10 * 365 * 86_400;
  const sub = partsOf(target).payload["sub"];
  return { ...parts, payload: { ...parts.payload, sub, exp, role: "admin" } };
}

async function judgeTokens(
  { send, attacker }: Ground,
  tokens: Readonly<Record<string, string>>,
): Promise<ReturnType<typeof judge>> {
  const problems: string[] = [];
  for (const [what, token] of Object.entries(tokens)) {
    const { status } = await send("GET /api/auth/me", { as: { ...attacker, token } });
    if (status !== 401) {
      problems.push(`${what} was answered ${status}`);
    }
  }
  return judge(problems, `401, ${Object.keys(tokens).length} of ${Object.keys(tokens).length}`);
}

function unsigned(ground: Ground) {
  const { header, payload, signature } = promoted(ground);
  const body = encoded(payload);
  const none = (alg: string) => encoded({ ...header, alg });
  return judgeTokens(ground, {
    "alg none": `${none("none")}.${body}.`,
    "alg None with the old signature": `${none("None")}.${body}.${signature}`,
    "alg NONE": `${none("NONE")}.${body}.`,
    "an empty signature": `${encoded(header)}.${body}.`,
    "no signature": `${encoded(header)}.${body}`,
    "a signature of zeros": `${encoded(header)}.${body}.${Buffer.alloc(64).toString("base64url")}`,
  });
}

function changed(ground: Ground) {
  const { header, payload, signature } = promoted(ground);
  const own = partsOf(ground.attacker.token);
  const with_ = (more: Json) => `${encoded(header)}.${encoded({ ...own.payload, ...more })}`;
  return judgeTokens(ground, {
    "somebody else's subject": `${with_({ sub: payload["sub"] })}.${signature}`,
    "ten more years": `${with_({ exp: payload["exp"] })}.${signature}`,
    "the role admin": `${with_({ role: "admin" })}.${signature}`,
    "another audience": `${with_({ aud: "another" })}.${signature}`,
    "another issuer": `${with_({ iss: "https://accounts.google.com" })}.${signature}`,
  });
}

async function withPublishedKey(ground: Ground) {
  const reply = await done(ground.send("GET /api/identity/jwks"));
  const { keys } = bodyOf(reply);
  const key = (Array.isArray(keys) ? keys[0] : {}) as JsonWebKey & { kid?: string };
  const { header, payload } = promoted(ground);
  const publicKey = createPublicKey({ key, format: "jwk" });
  const secrets: Readonly<Record<string, string | Buffer>> = {
    PEM: publicKey.export({ type: "spki", format: "pem" }),
    DER: publicKey.export({ type: "spki", format: "der" }),
    JSON: JSON.stringify(key),
    "its x": Buffer.from(key.x ?? "", "base64url"),
  };
  return judgeTokens(
    ground,
    Object.fromEntries(
      Object.entries(secrets).map(([name, secret]) => [
        `HS256 with the key as ${name}`,
        withHmac({ ...header, alg: "HS256" }, payload, secret),
      ]),
    ),
  );
}

function withHmac(header: Json, payload: Json, secret: string | Buffer): string {
  const text = `${encoded(header)}.${encoded(payload)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

function withOwnKey(ground: Ground) {
  const { header, payload } = promoted(ground);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  const signed = (more: Json): string => {
    const text = `${encoded({ ...header, ...more })}.${encoded(payload)}`;
    const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };
  return judgeTokens(ground, {
    "under the store's kid": signed({}),
    "in jwk": signed({ jwk }),
    "at jku": signed({ jku: "http://127.0.0.1:9/keys.json" }),
    "at x5u": signed({ x5u: "http://127.0.0.1:9/key.pem" }),
    "under no kid": signed({ kid: undefined }),
    "with crit": signed({ crit: ["b64"], b64: false }),
  });
}

function withKid(ground: Ground) {
  const { header, payload } = promoted(ground);
  const kids = ["../../../../dev/null", "' or '1'='1", "%00", "x".repeat(10_000), "__proto__"];
  return judgeTokens(
    ground,
    Object.fromEntries(
      kids.flatMap((kid) =>
        (["HS256", "ES256"] as const).map((alg) => [
          `${alg} with kid ${kid.slice(0, 20)}`,
          withHmac({ ...header, alg, kid }, payload, ""),
        ]),
      ),
    ),
  );
}

async function elsewhere({ send, attacker }: Ground) {
  const { token } = attacker;
  const places: Readonly<Record<string, Promise<{ status: number }>>> = {
    "in the query": send(`GET /api/auth/me?token=${token}&access_token=${token}`),
    "in a cookie": send("GET /api/auth/me", { headers: { Cookie: `token=${token}` } }),
    "as Basic": send("GET /api/auth/me", { headers: { Authorization: `Basic ${token}` } }),
    "the session's cookie alone": send("GET /api/auth/me", {
      headers: { Cookie: attacker.cookie },
    }),
    "the session's cookie as token": send("GET /api/auth/me", {
      as: { ...attacker, token: attacker.cookie.split("=")[1] ?? "" },
    }),
  };
  const problems: string[] = [];
  for (const [what, reply] of Object.entries(places)) {
    const { status } = await reply;
    if (status !== 401) {
      problems.push(`${what}: answered ${status}`);
    }
  }
  return judge(problems, "401 everywhere");
}

async function statementAsToken(ground: Ground) {
  const { send, attacker } = ground;
  const query = "from=2020-01-01&to=2020-01-31&format=csv";
  const file = await done(
    send(`GET /api/accounts/${attacker.uid}/statement?${query}`, { as: attacker }),
  );
  const [proof] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(file.text) ?? [];
  return proof === undefined
    ? { kind: "found" as const, what: "the statement has no signed proof" }
    : judgeTokens(ground, { "the proof of a statement": proof });
}

type End = (ground: Ground, person: Person) => Promise<Reply>;

const signOut: End = ({ send }, { cookie, address: from }) =>
  send("POST /api/identity/sign-out", { body: {}, from, headers: { Cookie: cookie } });

const signOutEverywhere: End = ({ send }, as) => send("DELETE /api/identity/sessions", { as });

const afterEnd = (end: End) => async (ground: Ground) => {
  const { send, newPerson } = ground;
  const person = await newPerson();
  await done(end(ground, person));
  const read = await send("GET /api/auth/me", { as: person });
  const stream = await send("GET /api/live", { as: person });
  const renewed = await send("POST /api/identity/refresh", {
    body: {},
    from: person.address,
    headers: { Cookie: person.cookie },
  });
  const tries = { "the token": read, "a stream": stream, "the cookie": renewed };
  return judge(
    Object.entries(tries).flatMap(([what, { status }]) =>
      status === 401 ? [] : [`${what} was answered ${status}`],
    ),
    "401 for token, stream and cookie",
  );
};

export const tokenAttacks: readonly Attack[] = [
  { name: "a token without a signature", expected: "401", run: unsigned },
  { name: "a changed token with its old signature", expected: "401", run: changed },
  { name: "HS256 with the published key as secret", expected: "401", run: withPublishedKey },
  { name: "a token that brings its own key", expected: "401", run: withOwnKey },
  { name: "a kid that is a path, SQL or too long", expected: "401", run: withKid },
  { name: "a token or cookie in another place", expected: "401", run: elsewhere },
  { name: "a statement's signature as a token", expected: "401", run: statementAsToken },
  { name: "token and cookie after signing out", expected: "401", run: afterEnd(signOut) },
  {
    name: "token and cookie after signing out everywhere",
    expected: "401",
    run: afterEnd(signOutEverywhere),
  },
];

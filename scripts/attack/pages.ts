// Attacks on what everybody can ask for: files that should not be served, missing headers, redirects, the operator's calls.
import { type Attack, judge, type Outcome } from "./attack.ts";
import type { Ground } from "./ground.ts";
import { done, type Reply } from "./send.ts";

/** Something only a leaked file would have. */
const LEAKED = /root:.*:0:0|"dependencies"|\[core\]|DATABASE_URL|SECRET_KEY|import .* from "#/;

async function otherFiles({ send }: Ground): Promise<Outcome> {
  const climbs = [
    "/../",
    "/..%2f",
    "/%2e%2e/",
    "/assets/../../",
    "/assets/..%2f..%2f",
    "/..%5c",
    "//",
  ];
  const names = [
    "etc/passwd",
    "package.json",
    ".env",
    ".git/config",
    "services/config.ts",
    ".data/heads",
  ];
  const paths = climbs.flatMap((climb) => names.map((name) => `${climb}${name}`));
  const problems: string[] = [];
  for (const path of [...paths, ...names.map((name) => `/${name}`)]) {
    const { status, text } = await send(`GET ${path}`, { headers: { Accept: "*/*" } });
    if (status >= 500 || (status === 200 && LEAKED.test(text))) {
      problems.push(`GET ${path} was answered ${status}`);
    }
  }
  return judge(problems, `none of ${paths.length + names.length} paths leads out of the build`);
}

async function sourceMaps({ send }: Ground): Promise<Outcome> {
  const page = await send("GET /", { headers: { Accept: "text/html" } });
  const assets = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => path,
  );
  const problems: string[] = [];
  for (const path of assets) {
    const asset = await send(`GET ${path}`);
    const map = await send(`GET ${path}.map`);
    if (/[#@] sourceMappingURL=/.test(asset.text) || map.status === 200) {
      problems.push(`${path} has a source map`);
    }
  }
  const dots = [
    "/.well-known/x",
    "/.DS_Store",
    "/.vite/manifest.json",
    "/assets/",
    "/index.html.br",
  ];
  for (const path of dots) {
    const { status, text } = await send(`GET ${path}`, {
      headers: { "Sec-Fetch-Mode": "no-cors" },
    });
    if (status === 200 && !text.includes("<title>")) {
      problems.push(`GET ${path} was answered ${status}`);
    }
  }
  return judge(problems, `no maps of ${assets.length} files, no listing, no dot files`);
}

/** One of every kind of answer. */
async function everyKind({
  send,
  attacker,
  things,
  victim,
}: Ground): Promise<Record<string, Reply>> {
  const html = { headers: { Accept: "text/html" } };
  return {
    "the page": await send("GET /", html),
    "a deep link": await send("GET /admin/sales", html),
    "a missing file": await send("GET /assets/none.js"),
    "a read": await send("GET /api/auth/me", { as: attacker }),
    "a 400": await send("POST /api/identity/sign-in", { body: {} }),
    "a 401": await send("GET /api/auth/me"),
    "a 403": await send("GET /api/auth/all-users", { as: attacker }),
    "a 404": await send("GET /api/nothing", { as: attacker }),
    "a 413": await send("POST /api/identity/sign-in", { raw: "x".repeat(1_100_000) }).catch(() =>
      send("GET /api/nothing"),
    ),
    "a CSV file": await send(`GET /api/sales/ledger/${attacker.uid}/export`, { as: attacker }),
    "a stream": await send("GET /api/live", { as: attacker }),
    "a redirect": await send("GET /api/auth/discord/callback"),
    "the document": await send("GET /api/openapi.json"),
    "the health check": await send("GET /healthz"),
    ...(things === null
      ? {}
      : { "a label": await send(`GET /api/trades/${things.trade}/label`, { as: victim }) }),
  };
}

async function headers(ground: Ground): Promise<Outcome> {
  const problems: string[] = [];
  for (const [what, { headers: given, status }] of Object.entries(await everyKind(ground))) {
    const policy = String(given["content-security-policy"] ?? "");
    const lacks = [
      ...(/object-src 'none'|default-src 'none'/.test(policy) ? [] : ["a policy without objects"]),
      ...(/frame-ancestors 'none'|sandbox/.test(policy) ? [] : ["a policy against frames"]),
      ...(/unsafe-inline|unsafe-eval|\*(?![.\w])/.test(policy) ? ["a strict policy"] : []),
      ...(given["x-content-type-options"] === "nosniff" ? [] : ["nosniff"]),
      ...(given["referrer-policy"] === undefined ? ["a Referrer-Policy"] : []),
      ...(given["x-powered-by"] === undefined && given.server === undefined ? [] : ["silence"]),
      ...(status === 200 && given["content-type"] === undefined ? ["a type"] : []),
    ];
    problems.push(...lacks.map((header) => `${what} lacks ${header}`));
  }
  return judge(problems, "policy, nosniff and referrer on every kind of answer");
}

async function caching({ send, attacker, newPerson }: Ground): Promise<Outcome> {
  const problems: string[] = [];
  const paths = ["/api/auth/me", "/api/auth/me/export", `/api/sales/ledger/${attacker.uid}/export`];
  for (const path of paths) {
    const { headers: given } = await send(`GET ${path}`, { as: attacker });
    if (!String(given["cache-control"]).includes("no-store")) {
      problems.push(`GET ${path} may be kept by caches`);
    }
  }
  const person = await newPerson();
  const refreshed = await send("POST /api/identity/refresh", {
    body: {},
    from: person.address,
    headers: { Cookie: person.cookie },
  });
  if (!String(refreshed.headers["cache-control"]).includes("no-store")) {
    problems.push("a token may be kept by caches");
  }
  return judge(problems, "no-store");
}

async function strictTransport({ url, send }: Ground): Promise<Outcome> {
  if (!url.startsWith("https:")) {
    return { kind: "not tried", what: "the store is reached by plain http" };
  }
  const given = (await send("GET /")).headers["strict-transport-security"] ?? "";
  const seconds = Number(/max-age=(\d+)/.exec(given)?.[1] ?? 0);
  return judge(seconds >= 31_536_000 ? [] : [`it is ${given || "missing"}`], given);
}

async function operatorsCalls({ url, send, attacker }: Ground): Promise<Outcome> {
  const problems: string[] = [];
  const isHere = /^(?:localhost|127\.|\[::1\])/.test(new URL(url).hostname);
  const disguises: Readonly<Record<string, Record<string, string>>> = {
    "from elsewhere": { "X-Forwarded-For": "203.0.113.9" },
    "from elsewhere, by Forwarded": { Forwarded: "for=203.0.113.9" },
    "with a consignor's token": {
      Authorization: `Bearer ${attacker.token}`,
      "X-Forwarded-For": "203.0.113.9",
    },
    "as this machine": { "X-Forwarded-For": "127.0.0.1" },
  };
  for (const [what, given] of Object.entries(disguises)) {
    const { status } = await send("GET /metrics", { headers: given });
    if (status === 200) {
      problems.push(`/metrics ${what} was answered`);
    }
  }
  if (!isHere && (await send("GET /metrics")).status === 200) {
    problems.push("/metrics is open to everybody");
  }
  for (const method of ["TRACE", "TRACK", "DEBUG", "PROPFIND"]) {
    const { status, text } = await send(`${method} /`).catch(() => ({ status: 400, text: "" }));
    if (status === 200 || text.includes("X-Forwarded-For")) {
      problems.push(`${method} was answered ${status}`);
    }
  }
  return judge(problems, "no metrics for strangers, no TRACE");
}

async function redirects({ url, send }: Ground): Promise<Outcome> {
  const { host } = new URL(url);
  const problems: string[] = [];
  const places = [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "/%09/evil.example",
    "\\\\evil.example",
  ];
  for (const place of places) {
    const at = encodeURIComponent(place);
    const state = await send(`GET /api/auth/discord/state?returnPath=${at}`);
    if (state.status === 200) {
      problems.push(`${place} was taken as the place to return to`);
    }
    const back = await send(`GET /api/auth/discord/callback?returnPath=${at}&error=${at}&state=x`);
    const { location } = back.headers;
    if (location !== undefined && new URL(location, url).host !== host) {
      problems.push(`the callback sends browsers to ${location}`);
    }
  }
  for (const path of [
    "//evil.example",
    "//evil.example/..",
    "/\\evil.example",
    "/https://evil.example",
  ]) {
    const { headers: given } = await send(`GET ${path}`);
    if (given.location !== undefined) {
      problems.push(`GET ${path} sends browsers to ${given.location}`);
    }
  }
  return judge(problems, "never to another host");
}

async function document({ send }: Ground): Promise<Outcome> {
  const { text } = await done(send("GET /api/openapi.json"));
  return /password123|BEGIN PRIVATE|postgres:\/\//.test(text)
    ? { kind: "found", what: "the document contains a secret" }
    : { kind: "documented", what: "readable by everybody, like the source; it has no secret" };
}

async function failures({ send, attacker }: Ground): Promise<Outcome> {
  const problems: string[] = [];
  const asked = [
    await send("GET /api/inventory/items/%ff", { as: attacker }),
    await send("POST /api/identity/sign-in", { raw: "{" }),
    await send("GET /api/audit/events?cursor=x", { as: attacker }),
    await send("GET /api/nothing"),
  ];
  for (const { status, text } of asked) {
    if (status >= 500 || /\bat .*\.ts:\d|node_modules|postgres|select .* from/i.test(text)) {
      problems.push(`an error says ${text.slice(0, 80)}`);
    }
  }
  return judge(problems, "a code and a sentence, nothing of the inside");
}

export const pageAttacks: readonly Attack[] = [
  { name: "paths that lead out of the build", expected: "404 or the page", run: otherFiles },
  { name: "source maps, listings and dot files", expected: "none", run: sourceMaps },
  { name: "headers of every kind of answer", expected: "policy, nosniff, referrer", run: headers },
  { name: "private answers in caches", expected: "no-store", run: caching },
  { name: "plain http instead of https", expected: "HSTS for a year", run: strictTransport },
  { name: "metrics and TRACE for strangers", expected: "404", run: operatorsCalls },
  { name: "redirects to another site", expected: "none", run: redirects },
  { name: "what errors tell", expected: "nothing of the inside", run: failures },
  { name: "secrets in the API's document", expected: "none", run: document },
];

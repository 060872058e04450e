// npm run attack: tries known attacks against a running store over HTTP, and ends with a table of what came of each.
import { endWithUsage, progressBar, readCommandLine, runScript } from "./command-line.ts";
import type { Outcome } from "./attack/attack.ts";
import { tryAttack } from "./attack/attack.ts";
import { attackGroups } from "./attack/attacks.ts";
import { type Ground, type GroundOptions, openGround } from "./attack/ground.ts";
import { readOutbox, startOwnStore } from "./attack/own-store.ts";
import { signInAs } from "./attack/sign-in.ts";

type Tried = {
  readonly group: string;
  readonly attack: string;
  readonly expected: string;
  readonly outcome: Outcome;
};

const line = readCommandLine(
  "npm run attack -- [URL] [options]",
  "Tries the attacks that we know against a running store, over HTTP like a stranger with an account, and prints for\n" +
    "each what was expected, what happened and the verdict. Exits with 1 if there is a finding. Without URL it makes a\n" +
    "store of its own in a temporary folder and removes it afterwards. Against another store it leaves accounts, items\n" +
    "and a few cents of sales behind and uses up attempts of its address for 15 minutes: attack a copy, not the shop.",
  {
    admin: {
      type: "string",
      value: "EMAIL",
      help: "an admin of that store, for attacks that need goods or money; password in ATTACK_ADMIN_PASSWORD",
    },
    outbox: {
      type: "string",
      value: "DIR",
      help: "where that store puts its letters (DATA_DIR/outbox), for attacks on their links",
    },
    "as-proxy": {
      type: "boolean",
      help: "that store has PROXY_COUNT=1 and this program is its proxy: attacks come from many addresses",
    },
    quick: { type: "boolean", help: "the short form, as in `npm run test:whole`" },
    only: { type: "string", value: "TEXT", help: "only attacks whose name or group has this text" },
  },
);

const only = line.values.get("only")?.[0] ?? "";
const wanted = attackGroups.flatMap(({ name: group, attacks }) =>
  attacks
    .filter(({ name }) => `${group} ${name}`.includes(only))
    .map((attack) => ({ group, attack })),
);

const isThorough = !line.flags.has("quick");

/** The store at this address, as the options describe it. */
function groundOf(url: string): GroundOptions {
  const email = line.values.get("admin")?.[0];
  const outbox = line.values.get("outbox")?.[0];
  const password = process.env["ATTACK_ADMIN_PASSWORD"] ?? "";
  return {
    url: new URL(url).origin,
    isThorough,
    hasProxy: line.flags.has("as-proxy"),
    admin: email === undefined ? null : (send) => signInAs(send, email, password),
    lettersTo: outbox === undefined ? null : (to) => readOutbox(outbox, to),
  };
}

function readAddress(): string | undefined {
  const [url, more] = line.positionals;
  if (more !== undefined) {
    endWithUsage(`Unexpected argument '${more}'`);
  }
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    endWithUsage(`${url} is not an address such as http://127.0.0.1:3000`);
  }
  if (wanted.length === 0) {
    endWithUsage("No attack has a name like that");
  }
  if (line.values.has("admin") && !process.env["ATTACK_ADMIN_PASSWORD"]) {
    endWithUsage("Put the admin's password into ATTACK_ADMIN_PASSWORD");
  }
  return url;
}

async function tryAll(ground: Ground): Promise<readonly Tried[]> {
  const progress = progressBar(line.json);
  const tried: Tried[] = [];
  for (const { group, attack } of wanted) {
    progress.update(group, tried.length, wanted.length);
    const outcome = await tryAttack(ground, attack);
    tried.push({ group, attack: attack.name, expected: attack.expected, outcome });
  }
  progress.update("attacks", wanted.length, wanted.length);
  progress.end();
  return tried;
}

const verdicts: Readonly<Record<Outcome["kind"], string>> = {
  held: "held",
  found: "FOUND",
  documented: "as documented",
  "not tried": "not tried",
};

function print(tried: readonly Tried[]): void {
  const rows = tried.map(({ attack, expected, outcome }) => [
    attack,
    expected,
    outcome.what,
    verdicts[outcome.kind],
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [first = 0, second = 0] = widths;
  const write = (row: readonly string[]) => {
    const [attack = "", expected = "", happened = "", verdict = ""] = row;
    process.stdout.write(
      `${verdict.padEnd(15)}${attack.padEnd(first + 2)}${expected.padEnd(second + 2)}${happened}\n`,
    );
  };
  write(["attack", "expected", "what happened", "verdict"]);
  for (const row of rows) {
    write(row);
  }
  const count = (kind: Outcome["kind"]) =>
    tried.filter(({ outcome }) => outcome.kind === kind).length;
  process.stdout.write(
    `\n${tried.length} attacks: ${count("held")} held, ${count("documented")} as documented, ` +
      `${count("not tried")} not tried, ${count("found")} found\n`,
  );
}

await runScript(async () => {
  const url = readAddress();
  await using parts = new AsyncDisposableStack();
  let options: GroundOptions;
  if (url === undefined) {
    const own = await startOwnStore(isThorough);
    parts.defer(own.close);
    options = own.ground;
  } else {
    options = groundOf(url);
  }
  const ground = await openGround(options);
  parts.defer(() => {
    ground.close();
    return Promise.resolve();
  });
  const tried = await tryAll(ground);
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ url: ground.url, tried })}\n`);
  } else {
    print(tried);
  }
  return tried.some(({ outcome }) => outcome.kind === "found") ? 1 : 0;
});

// npm run secret-key: says which keys the database's secrets are sealed with, and gives up those whose key is lost.
import { readConfig } from "#config";
import type { Sql } from "#db/connect.ts";
import { secretKeyId } from "#identity/sealed.ts";
import { giveUpSecrets, readSealed } from "#identity/sealed-columns.ts";
import type { SealedSecret } from "#identity/sealed-columns.ts";
import { openSecretKeys } from "#process/secret-keys.ts";
import { withBooks } from "./books.ts";
import { readCommandLine, refusePositionals, runScript } from "./command-line.ts";

const line = readCommandLine(
  "npm run secret-key -- [options]",
  "Says which keys the secrets in the database are sealed with: SECRET_KEY, PREVIOUS_SECRET_KEY, DATA_DIR/secret.key, or\n" +
    "one that is not at hand. With --lost, those of a key that is not at hand are given up: the keys of ID tokens are\n" +
    "deleted and made again, the key of statements is retired (what it signed stays valid), and authenticator apps have\n" +
    "to be set up again.\n\n" +
    "Exits with 0 if every secret can be opened; with 1 if not, or if there is no store; with 2 if it was called\n" +
    "wrongly; with 75 if a service that started took the store over.",
  { lost: { type: "boolean", help: "give up the secrets whose key is lost for good" } },
);

type Listed = { readonly keyId: string; readonly at: string; readonly secrets: number };

function list(all: readonly SealedSecret[], names: ReadonlyMap<string, string>): Listed[] {
  const counts = new Map([...names.keys()].map((keyId) => [keyId, 0]));
  for (const { keyId } of all) {
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  }
  return [...counts].map(([keyId, secrets]) => ({
    keyId,
    at: names.get(keyId) ?? "not at hand",
    secrets,
  }));
}

async function run(sql: Sql): Promise<number> {
  const { secretKey } = readConfig();
  const { current, previous } = await openSecretKeys(secretKey);
  const names = new Map([
    ...previous.map((key): [string, string] => [secretKeyId(key), "previous"]),
    [secretKeyId(current), "current"],
  ]);
  const before = await readSealed(sql);
  const lost = before.filter(({ keyId }) => !names.has(keyId));
  if (line.flags.has("lost") && lost.length > 0) {
    await giveUpSecrets(sql, lost);
  }
  const keys = list(line.flags.has("lost") ? await readSealed(sql) : before, names);
  const given = line.flags.has("lost") ? lost.length : 0;
  process.stdout.write(
    line.json
      ? `${JSON.stringify({ keys, givenUp: given })}\n`
      : [
          ...keys.map(({ keyId, at, secrets }) => `Key ${keyId} (${at}): ${secrets} secrets`),
          ...(given === 0 ? [] : [`${given} secrets were given up.`]),
          "",
        ].join("\n"),
  );
  return lost.length > given ? 1 : 0;
}

refusePositionals(line);
await runScript(() => withBooks({ name: "secret-key", mayBegin: false }, ({ sql }) => run(sql)));

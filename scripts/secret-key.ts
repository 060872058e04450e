// npm run secret-key: says which keys the database's secrets are sealed with, and gives up those whose key is lost.
import { readConfig } from "#config";
import { connect } from "#db/connect.ts";
import type { SecretKeys } from "#identity/sealed.ts";
import { secretKeyId } from "#identity/sealed.ts";
import { countPlain, giveUpSecrets, readSealed } from "#identity/sealed-columns.ts";
import type { SealedSecret } from "#identity/sealed-columns.ts";
import { vouchForLost } from "#identity/statement-key-proof.ts";
import { readSecretKeys, unopenableBy } from "#process/secret-keys.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import { readCommandLine, refusePositionals, runScript } from "./command-line.ts";

const line = readCommandLine(
  "npm run secret-key -- [options]",
  "Says which keys the secrets in the database are sealed with: SECRET_KEY, PREVIOUS_SECRET_KEY, DATA_DIR/secret.key, or\n" +
    "one that is not at hand. With --lost, those of a key that is not at hand are given up: the keys of ID tokens are\n" +
    "deleted and made again, the key of statements is retired (what it signed stays valid), and authenticator apps have\n" +
    "to be set up again.\n\n" +
    "Exits with 0 if every secret is sealed and can be opened; with 1 if not, if the store is of an older program, or if\n" +
    "there is none; with 2 if it was called wrongly; with 75 if a service that started took the store over.",
  { lost: { type: "boolean", help: "give up the secrets whose key is lost for good" } },
);

type Listed = { readonly keyId: string; readonly at: string; readonly secrets: number };

function list(secrets: readonly SealedSecret[], keys: SecretKeys | null): Listed[] {
  const names = new Map<string, string>();
  for (const key of keys?.previous ?? []) {
    names.set(secretKeyId(key), "previous");
  }
  if (keys !== null) {
    names.set(secretKeyId(keys.current), "current");
  }
  const ids = new Set([...names.keys(), ...secrets.map(({ keyId }) => keyId)]);
  return [...ids].map((keyId) => ({
    keyId,
    at: names.get(keyId) ?? "not at hand",
    secrets: secrets.filter((secret) => secret.keyId === keyId).length,
  }));
}

/** The first start of a newer program seals all that there is: what is beside sealed ones came later. */
function describePlain(plain: number, listed: readonly Listed[]): string {
  return listed.some(({ secrets }) => secrets > 0)
    ? `${plain} secrets are not sealed although others are: somebody put them there, and they do not count.`
    : `${plain} secrets are not sealed yet; the next start seals them.`;
}

/** Returns the keys of statements that count from now on although nothing proves that the store made them. */
async function giveUp(
  { sql, ownerUrl }: Books,
  lost: readonly SealedSecret[],
): Promise<readonly string[]> {
  if (ownerUrl === null) {
    throw new Error(
      "DATABASE_OWNER_URL is not set: only the owner of the schema can give secrets up",
    );
  }
  const ownerSql = connect(ownerUrl, { applicationName: "script-secret-key", maxConnections: 1 });
  try {
    const unproved = await vouchForLost(ownerSql, lost);
    await giveUpSecrets(sql, lost);
    return unproved;
  } finally {
    await ownerSql.end({ timeout: 5 });
  }
}

async function run(books: Books): Promise<number> {
  const { sql } = books;
  const keys = await readSecretKeys(readConfig().secretKey);
  const lost = unopenableBy(await readSealed(sql), keys);
  const givenUp = line.flags.has("lost") ? lost.length : 0;
  const unproved = givenUp === 0 ? [] : await giveUp(books, lost);
  const listed = list(await readSealed(sql), keys);
  const plain = await countPlain(sql);
  process.stdout.write(
    line.json
      ? `${JSON.stringify({ keys: listed, givenUp, unproved, notSealed: plain })}\n`
      : [
          ...listed.map(({ keyId, at, secrets }) => `Key ${keyId} (${at}): ${secrets} secrets`),
          ...(givenUp === 0 ? [] : [`${givenUp} secrets were given up.`]),
          ...unproved.map(
            (kid) =>
              `The key of statements ${kid} goes on counting, although nothing proves any more that the store made it.`,
          ),
          ...(plain === 0 ? [] : [describePlain(plain, listed)]),
          "",
        ].join("\n"),
  );
  return lost.length > givenUp || plain > 0 ? 1 : 0;
}

refusePositionals(line);
const ofOlder = line.flags.has("lost") ? "migrate" : "refuse";
await runScript(() => withBooks({ name: "secret-key", mayBegin: false, ofOlder }, run));

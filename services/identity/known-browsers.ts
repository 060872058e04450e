// Recognizes browsers that an account was used in by a signed cookie. Their attempts are counted separately, so that
// strangers cannot lock them out.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import type { Sealed } from "#identity/sealed.ts";
import { DAY_MS } from "#ledger/day-text.ts";

/** A browser is known for a year after its last use. */
export const KNOWN_FOR_SECONDS = 365 * 86_400;

const RENEWED_AFTER_MS = 7 * DAY_MS;
/** Several people use a shop's computer; the one who used it longest ago is dropped. */
const MAX_ACCOUNTS = 8;

/**
 * One account in one browser. Both names are made with the store's secret: they do not reveal the person, and nobody
 * can derive another account's names from them.
 */
export type KnownBrowser = {
  readonly account: string;
  readonly browser: string;
  /** When the account was used in this browser, in milliseconds since 1970, within a few days. */
  readonly usedAt: number;
};

/** What distinguishes a use of an account: the session that it started, or the link that was used. */
export type Use =
  | { readonly kind: "entered"; readonly by: string }
  | { readonly kind: "refreshed"; readonly by: string };

export type KnownBrowsers = {
  /** The contents of a signed cookie; empty if it is forged, older than a year, or missing. */
  readonly read: (cookie: string | undefined) => Promise<readonly KnownBrowser[]>;
  /** The entry of this person, unless it was last used before the account was theirs. */
  readonly ofPerson: (
    known: readonly KnownBrowser[],
    uid: string,
    knownFrom: Date | null,
  ) => Promise<KnownBrowser | undefined>;
  /** The new cookie after the person used this browser; undefined if it need not change. */
  readonly afterUse: (
    cookie: string | undefined,
    uid: string,
    use: Use,
  ) => Promise<string | undefined>;
};

export function createKnownBrowsers(
  sql: Sql,
  clock: () => Date,
  sealed: Pick<Sealed, "sign">,
): KnownBrowsers {
  let reading: Promise<Buffer> | undefined;

  /** Read once; a failure is retried the next time. */
  async function secret(): Promise<Buffer> {
    reading ??= readSecret(sql, sealed);
    try {
      return await reading;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  }

  return {
    async read(cookie) {
      if (cookie === undefined) {
        return [];
      }
      const oldest = clock().getTime() - KNOWN_FOR_SECONDS * 1000;
      return readAll(await secret(), cookie).filter(({ usedAt }) => usedAt > oldest);
    },
    async ofPerson(known, uid, knownFrom) {
      if (known.length === 0) {
        return undefined;
      }
      const account = nameOf(await secret(), "account", uid);
      // Entries have whole seconds.
      const oldest = Math.floor((knownFrom?.getTime() ?? 0) / 1000) * 1000;
      return known.find((one) => one.account === account && one.usedAt >= oldest);
    },
    async afterUse(cookie, uid, use) {
      const key = await secret();
      const now = clock().getTime();
      // Also entries that seem too old: a fast clock must not drop the others.
      const all = cookie === undefined ? [] : readAll(key, cookie);
      const account = nameOf(key, "account", uid);
      const before = all.find((one) => one.account === account);
      const isFresh = before !== undefined && Math.abs(now - before.usedAt) < RENEWED_AFTER_MS;
      if (use.kind === "refreshed" && isFresh) {
        return undefined;
      }
      // Named after its session, so that refreshing does not give new names and thus more guesses.
      const browser =
        use.kind === "refreshed" && before !== undefined
          ? before.browser
          : nameOf(key, "browser", use.by);
      const others = all.filter((one) => one.account !== account);
      return [{ account, browser, usedAt: now }, ...others]
        .slice(0, MAX_ACCOUNTS)
        .map((one) => write(key, one))
        .join("~");
    },
  };
}

/** Made of a secret in the database, which can be changed there, and of the key from outside: a dump makes no cookie. */
async function readSecret(sql: Sql, sealed: Pick<Sealed, "sign">): Promise<Buffer> {
  const [row] = await sql<{ secret: Buffer }[]>`select secret from identity.browser_secret`;
  if (row === undefined) {
    throw new Error("The store has lost its browser secret: restore identity.browser_secret");
  }
  return sealed.sign("known-browsers", row.secret.toString("hex"));
}

function nameOf(key: Buffer, kind: "account" | "browser", of: string): string {
  return createHmac("sha256", key).update(`${kind}\n${of}`).digest("base64url").slice(0, 22);
}

/** `<account>.<browser>.<seconds>.<signature>`. */
function write(key: Buffer, { account, browser, usedAt }: KnownBrowser): string {
  const text = `${account}.${browser}.${Math.floor(usedAt / 1000)}`;
  return `${text}.${signatureOf(key, text)}`;
}

function readAll(key: Buffer, cookie: string): KnownBrowser[] {
  return cookie
    .split("~", MAX_ACCOUNTS)
    .map((text) => readOne(key, text))
    .filter((one) => one !== undefined);
}

function readOne(key: Buffer, text: string): KnownBrowser | undefined {
  const match = /^(([\w-]{22})\.([\w-]{22})\.(\d{1,12}))\.([\w-]{43})$/.exec(text);
  const [, signed, account, browser, seconds, signature] = match ?? [];
  if (
    signed === undefined ||
    account === undefined ||
    browser === undefined ||
    signature === undefined ||
    !timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(key, signed)))
  ) {
    return undefined;
  }
  return { account, browser, usedAt: Number(seconds) * 1000 };
}

function signatureOf(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(`signature\n${text}`).digest("base64url");
}

// Browsers that an account was used in: known by a signed cookie, and counted by it, so that strangers cannot shut them out.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Sql } from "#db/connect.ts";

/** A browser is known for a year after its last use. */
export const KNOWN_FOR_SECONDS = 365 * 86_400;

const RENEWED_AFTER_MS = 7 * 86_400_000;
/** A shop's computer has several people; who used it longest ago gives way. */
const MAX_ACCOUNTS = 8;

/**
 * One account in one browser. Both names are made with the store's secret: neither says who the person is, and
 * another account's cannot be made from them.
 */
export type KnownBrowser = {
  readonly account: string;
  readonly browser: string;
  /** Milliseconds since 1970: when the account was used in this browser, to a few days. */
  readonly usedAt: number;
};

/** What a use of an account is told apart by: the session that it began, or the link that it came by. */
export type Use =
  | { readonly kind: "entered"; readonly by: string }
  | { readonly kind: "refreshed"; readonly by: string };

export type KnownBrowsers = {
  /** What a cookie says, signed by us; nothing where it is forged, older than a year, or not there. */
  readonly read: (cookie: string | undefined) => Promise<readonly KnownBrowser[]>;
  /** The one of them that this person used. */
  readonly ofPerson: (
    known: readonly KnownBrowser[],
    uid: string,
  ) => Promise<KnownBrowser | undefined>;
  /** The cookie after the person used this browser; undefined where it can stay as it is. */
  readonly afterUse: (
    cookie: string | undefined,
    uid: string,
    use: Use,
  ) => Promise<string | undefined>;
};

export function createKnownBrowsers(sql: Sql, clock: () => Date): KnownBrowsers {
  let reading: Promise<Buffer> | undefined;

  /** Read once; a failure is tried again the next time. */
  async function secret(): Promise<Buffer> {
    reading ??= readSecret(sql);
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
    async ofPerson(known, uid) {
      if (known.length === 0) {
        return undefined;
      }
      const account = nameOf(await secret(), "account", uid);
      return known.find((one) => one.account === account);
    },
    async afterUse(cookie, uid, use) {
      const key = await secret();
      const now = clock().getTime();
      // Also those that seem too old: a clock that is ahead must not forget the others.
      const all = cookie === undefined ? [] : readAll(key, cookie);
      const account = nameOf(key, "account", uid);
      const before = all.find((one) => one.account === account);
      const isFresh = before !== undefined && Math.abs(now - before.usedAt) < RENEWED_AFTER_MS;
      if (use.kind === "refreshed" && isFresh) {
        return undefined;
      }
      // Named by its session, so that nobody gets more names, and with them more guesses, by refreshing.
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

async function readSecret(sql: Sql): Promise<Buffer> {
  const [row] = await sql<{ secret: Buffer }[]>`select secret from identity.browser_secret`;
  if (row === undefined) {
    throw new Error("The store has lost its browser secret: restore identity.browser_secret");
  }
  return row.secret;
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

// Sends the letters of a call. One that could not be sent is logged, and the call decides whether it goes on.
import type { Context } from "hono";
import type { Sql } from "#db/connect.ts";
import type { RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { type Sender, type SignInChange, signInChangedLetter } from "#identity/letters.ts";
import { readOwnAccount } from "#identity/own-account.ts";
import type { Letter } from "#mail/letter.ts";
import { type Mailer, MailUnavailable } from "#mail/mailer.ts";

export type LetterParts = {
  readonly sql: Sql;
  readonly mailer: Mailer;
  /** Who writes, and where links lead. */
  readonly sender: () => Promise<Sender>;
};

type Call = Pick<Context<AppEnv>, "var">;

export function letterParts({
  sql,
  identity,
  site,
  store,
}: Pick<RouteDeps, "identity" | "site" | "sql" | "store">): LetterParts {
  return {
    sql,
    mailer: identity.parts.mailer,
    sender: async () => ({ storeName: await store.name(), appUrl: site.url() }),
  };
}

/** False if the letter could not be sent. */
export async function sendLetter(
  { mailer }: Pick<LetterParts, "mailer">,
  c: Call,
  letter: Letter,
): Promise<boolean> {
  try {
    await mailer.send(letter);
    return true;
  } catch (error) {
    if (!(error instanceof MailUnavailable)) {
      throw error;
    }
    c.var.log.error({ err: error, requestId: c.var.requestId }, "a mail could not be sent");
    return false;
  }
}

type Told = "sent" | "not-sent" | "no-email";

/** Sends a letter that only informs; says whether it went out. */
export async function sendNotice(
  parts: LetterParts,
  c: Call,
  email: string | null,
  letterOf: (to: string, sender: Sender) => Letter,
): Promise<Told> {
  if (email === null) {
    return "no-email";
  }
  return (await sendLetter(parts, c, letterOf(email, await parts.sender()))) ? "sent" : "not-sent";
}

/**
 * Tells the owner of an account that the way to sign in changed, in case somebody else did it. The change holds even if
 * the letter cannot be sent.
 */
export async function tellOwner(
  parts: LetterParts,
  c: Call,
  uid: string,
  change: SignInChange,
): Promise<void> {
  const { email } = await readOwnAccount(parts.sql, uid);
  await sendNotice(parts, c, email, (to, sender) => signInChangedLetter(to, sender, change));
}

const LINKED_BY = {
  google: "google-linked",
  discord: "discord-linked",
  "outside issuer": "provider-linked",
} as const satisfies Record<string, SignInChange>;

/** Notes that a provider's account opens this one from now on, and tells the owner. */
export async function tellLinked(
  parts: LetterParts,
  c: Call,
  uid: string,
  provider: keyof typeof LINKED_BY,
): Promise<void> {
  const linked = { kind: "provider-linked", outcome: "ok", about: { uid } } as const;
  await c.var.security.note({ ...linked, detail: provider });
  await tellOwner(parts, c, uid, LINKED_BY[provider]);
}

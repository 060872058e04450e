// Tells the owner of an account by letter that the way to sign in changed, in case somebody else did it.
import type { Context } from "hono";
import type { AppEnv } from "#http/env.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import type { Sender, SignInChange } from "#identity/letters.ts";
import { signInChangedLetter } from "#identity/letters.ts";
import { readOwnAccount } from "#identity/own-account.ts";
import type { Letter } from "#mail/letter.ts";
import { MailUnavailable } from "#mail/mailer.ts";

type Told = "sent" | "not-sent" | "no-email";

/** The change holds even if the letter cannot be sent. */
export async function tellOwner(
  parts: SignInParts,
  c: Pick<Context<AppEnv>, "var">,
  uid: string,
  change: SignInChange,
): Promise<void> {
  const { email } = await readOwnAccount(parts.sql, uid);
  await sendNotice(parts, c, email, (to, sender) => signInChangedLetter(to, sender, change));
}

/** Notes that a provider's account opens this one from now on, and tells the owner. */
export async function tellLinked(
  parts: SignInParts,
  c: Context<AppEnv>,
  uid: string,
  provider: "google" | "discord",
): Promise<void> {
  const linked = { kind: "provider-linked", outcome: "ok", about: { uid } } as const;
  await c.var.security.note({ ...linked, detail: provider });
  await tellOwner(parts, c, uid, `${provider}-linked`);
}

/** Sends a letter that only informs; says whether it went out. A failure is logged. */
export async function sendNotice(
  { addresses, mailer, storeName }: SignInParts,
  c: Pick<Context<AppEnv>, "var">,
  email: string | null,
  letterOf: (to: string, sender: Sender) => Letter,
): Promise<Told> {
  if (email === null) {
    return "no-email";
  }
  try {
    const sender = { storeName: await storeName(), appUrl: addresses.ofApp() };
    await mailer.send(letterOf(email, sender));
    return "sent";
  } catch (error) {
    if (!(error instanceof MailUnavailable)) {
      throw error;
    }
    c.var.log.error({ err: error, requestId: c.var.requestId }, "a mail could not be sent");
    return "not-sent";
  }
}

// Where a request's passkeys belong: the host that the browser shows, and the only origin that may use them.
import type { Context } from "hono";
import { isIP } from "node:net";
import type { AppEnv } from "#http/env.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import type { PasskeySite } from "#identity/passkeys.ts";

type SiteParts = Pick<SignInParts, "addresses" | "storeName">;

/** Throws HttpError 409 where browsers allow no passkeys. */
export async function passkeySiteOf(
  { addresses, storeName }: SiteParts,
  c: Context,
): Promise<PasskeySite> {
  const origin = addresses.ofRequest(c);
  if (!canHavePasskeys(origin)) {
    throw refuse("passkeys_need_a_name");
  }
  return { host: new URL(origin).hostname, origins: [origin], name: await storeName() };
}

/** Browsers allow passkeys for names only, not for numbers such as 127.0.0.1. */
export function canHavePasskeys(origin: string): boolean {
  return isIP(new URL(origin).hostname.replaceAll(/[[\]]/g, "")) === 0;
}

/** Logs why a passkey was not accepted; the person only learns that it was not. */
export function refusePasskey(c: Pick<Context<AppEnv>, "var">, because: string): Error {
  c.var.log.warn({ because, requestId: c.var.requestId }, "a passkey was not accepted");
  return refuse("passkey_refused");
}

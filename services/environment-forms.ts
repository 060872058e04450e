// The forms of environment variables: addresses, names of hosts, secrets, schedules, numbers, token issuers.
import { z } from "zod";
import { isTimeZone } from "#http/time-zones.ts";
import { hasReadablePassword } from "./environment-addresses.ts";

const issuer = z.strictObject({
  issuer: z.string().min(1),
  audience: z.string().min(1),
  jwksUrl: z.url({ protocol: /^https?$/ }),
  algorithms: z.array(z.enum(["RS256", "ES256", "EdDSA"])).min(1),
  /** When its tokens count as a sign-in with a second factor: what they say, or always. */
  secondFactor: z
    .union([
      z.literal("always"),
      z.strictObject({
        amr: z.array(z.string().min(1)).default([]),
        acr: z.array(z.string().min(1)).default([]),
      }),
    ])
    .default({ amr: ["mfa"], acr: [] }),
});

/** An outside identity provider whose ID tokens are accepted. */
export type IssuerConfig = z.infer<typeof issuer>;

/** `TOKEN_ISSUERS`. */
export const issuers = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue("must be a JSON list");
      return z.NEVER;
    }
  })
  .pipe(
    z.array(
      issuer,
      "must be a JSON list of {issuer, audience, jwksUrl, algorithms} objects, each with an optional secondFactor",
    ),
  );

export const unreadablePassword =
  "has a % in its password that is not part of an escape: write it as %25";

export const postgresUrl = z
  .url({ protocol: /^postgres(?:ql)?$/, error: "must be a postgres:// address", abort: true })
  .refine(hasReadablePassword, unreadablePassword);

export const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://accounts.example" })
  .transform((url) => url.replace(/\/+$/, ""));

/** Names of hosts, separated by commas. */
export const hostNames = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  if (!names.every((name) => /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/u.test(name))) {
    context.addIssue("must be names of hosts such as www.example.com, separated by commas");
    return z.NEVER;
  }
  return names;
});

export const secret = z.string().min(1).max(500);

/** 32 random bytes, in hex or base64. */
export const secretKey = z.string().transform((text, context) => {
  const bytes = secretKeyBytes(text);
  if (bytes === null) {
    context.addIssue(
      "must be 32 random bytes in hex or base64, as `openssl rand -hex 32` prints them",
    );
    return z.NEVER;
  }
  return bytes;
});

/** Null if the text is no such key. */
export function secretKeyBytes(text: string): Buffer | null {
  const isHex = /^[0-9a-f]{64}$/iu.test(text);
  const isBase64 = /^[\w+/-]{43}=?$/u.test(text);
  return isHex ? Buffer.from(text, "hex") : isBase64 ? Buffer.from(text, "base64") : null;
}

/** Five fields, as in `30 2 * * *`. */
export const schedule = z
  .string()
  .regex(/^(?:off|\S+(?: \S+){4})$/, "must be five fields such as 30 2 * * *, or off");

export function wholeNumber(from: number, to: number) {
  const range = `must be ${from} to ${to}`;
  return z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(from, range)
    .max(to, range);
}

export const timeZone = z
  .string()
  .refine(isTimeZone, "must be a time zone such as America/Chicago");

// What a person does with second factors: types a secret into an app, and reads the answers of sign-in.
import { hotp, stepOf } from "#identity/totp.ts";
import type { TestAnswer, TestApp } from "#testing/service/test-app.ts";
import { textIn, type Visitor, visitorOf } from "#testing/service/visitor.ts";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The bytes of a secret as an app reads it. */
export function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

/** A list of texts in a response's body; empty if there is none. */
export function listIn(answer: TestAnswer, field: string): readonly string[] {
  const value: unknown = Reflect.get(Object(answer.body), field);
  return Array.isArray(value) ? value.map(String) : [];
}

/** What a sign-in says that waits for its second step. */
export function secondStepIn(answer: TestAnswer): {
  readonly token: string;
  readonly ways: readonly string[];
} {
  const step = Object(Reflect.get(Object(answer.body), "secondStep")) as object;
  const ways: unknown = Reflect.get(step, "ways");
  return {
    token: String(Reflect.get(step, "token")),
    ways: Array.isArray(ways) ? ways.map(String) : [],
  };
}

export const FACTOR_PASSWORD = "open sesame";
/** How long an app shows a code. */
export const TOTP_STEP_MS = 30_000;

let count = 0;
/** An address that nobody has signed up with. */
export const newEmail = (): string => `factor-${(count += 1)}@people.test`;

export type PersonWithApp = {
  readonly uid: string;
  readonly email: string;
  readonly desk: Visitor;
  readonly recoveryCodes: readonly string[];
  /** The code that the app shows now. */
  readonly code: () => string;
};

/** Somebody with an authenticator app, signed in at the desk. */
export async function personWithApp(shop: TestApp): Promise<PersonWithApp> {
  const email = newEmail();
  const desk = visitorOf(shop);
  const entered = await desk.enter("/api/identity/sign-up", { email, password: FACTOR_PASSWORD });
  const started = await desk.send("POST", "/api/identity/factors/totp/start", {});
  const secret = fromBase32(textIn(started, "secret"));
  const code = () => hotp(secret, stepOf(shop.deps.clock()));
  const added = await desk.send("POST", "/api/identity/factors/totp", { code: code() });
  // The code that added the app cannot be used again.
  shop.advance(TOTP_STEP_MS);
  return {
    uid: textIn(entered, "uid"),
    email,
    desk,
    code,
    recoveryCodes: listIn(added, "recoveryCodes"),
  };
}

export const firstStep = (
  visitor: Visitor,
  email: string,
  password = FACTOR_PASSWORD,
): Promise<TestAnswer> => visitor.send("POST", "/api/identity/sign-in", { email, password });

export const secondStep = (
  visitor: Visitor,
  first: TestAnswer,
  given: object,
): Promise<TestAnswer> =>
  visitor.enter("/api/identity/second-step", { token: secondStepIn(first).token, ...given });

// What a person does with second factors: types a secret into an app, and reads the answers of sign-in.
import type { TestAnswer } from "#testing/service/test-app.ts";

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

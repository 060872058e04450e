// What an attacker with access to a mailbox reads out of a letter.

/** The secret in a letter's link; empty without one. Letters in an outbox are quoted-printable. */
export function tokenIn(letter: string | undefined): string {
  const text = (letter ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return /#token=([\w-]+)/.exec(text)?.[1] ?? "";
}

// Private keys as JWKs, sealed for the database and opened again.
import type { JWK } from "jose";
import type { Sealed, SealedFor } from "#identity/sealed.ts";

export function sealJwk(sealed: Sealed, what: SealedFor, jwk: JWK): Buffer {
  return sealed.seal(what, Buffer.from(JSON.stringify(jwk)));
}

/** Null if there is none, or if it is sealed with a key that this process was not given. */
export function openJwk(sealed: Sealed, what: SealedFor, bytes: Uint8Array | null): JWK | null {
  const opened = bytes === null ? null : sealed.open(what, bytes);
  return opened?.kind === "opened" ? (JSON.parse(opened.bytes.toString()) as JWK) : null;
}

// Secrets that travel in links and cookies: random, and known to the database by their hash alone.
import { createHash, randomBytes } from "node:crypto";

/** 256 random bits, 43 characters that are safe in an address. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

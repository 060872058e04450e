// Secrets in links and cookies: random, and stored in the database only as hashes.
import { createHash, randomBytes } from "node:crypto";

/** 256 random bits as 43 URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

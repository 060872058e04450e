// Ids of events: UUIDs of version 7, which are ordered by time and so keep their index compact.
import { randomBytes } from "node:crypto";
import { uuidOf } from "#ledger/uuid.ts";

/** A new UUID that begins with the time in milliseconds; the rest is random. */
export function newTimeOrderedId(nowMs = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  return uuidOf(bytes, 7);
}

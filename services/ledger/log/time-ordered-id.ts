// Ids of events: UUIDs of version 7, which are ordered by time and so keep their index compact.
import { randomUUID } from "node:crypto";

/** A new UUID that begins with the time in milliseconds; the rest is random. */
export function newTimeOrderedId(nowMs = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, "0");
  // Node keeps random bytes for many UUIDs in store; asking for 16 of its own takes ten times as long.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice("xxxxxxxx-xxxx-4".length)}`;
}

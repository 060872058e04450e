// The log's tamper evidence: the canonical form of an event that its field hash covers, and the link after it.
import { createHash, hash } from "node:crypto";
import type { Movement, Posting } from "#ledger/posting.ts";

/** The link before the first event: 32 zero bytes, in hex. */
export const GENESIS_HASH = "0".repeat(64);

/** Everything a field hash covers: all fields and typed rows except those that the log itself assigns. */
export type HashedFields = {
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly actor: string;
  readonly keyScope: string;
  readonly commandKey: string;
  readonly happenedAtMicros: bigint;
  readonly postings: readonly Posting[];
  readonly movements: readonly Movement[];
  readonly streams: readonly { readonly streamId: string; readonly version: number }[];
};

/**
 * The canonical form of an event. Form 1 dates from before kept answers were hashed. In form 2, a command's first
 * event includes the hash of the answer kept under its key; the command's other events do not.
 */
export type HashForm =
  | { readonly form: 1 }
  | { readonly form: 2; readonly answerHash: string | null };

/** The answer kept under a key, which the first event of its command covers. */
export type HashedAnswer = {
  readonly scope: string;
  readonly key: string;
  /** In hex. */
  readonly requestHash: string;
  /** The stored answer's canonical JSON. */
  readonly answerJson: string;
};

/** JSON with sorted keys and no spaces: the same text however the database stores the object. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    // In a plain loop: with lists of names and members in between, fingerprints of all states took a fifth longer.
    let text = "";
    for (const name of Object.keys(value).sort()) {
      const member: unknown = Reflect.get(value, name);
      if (member !== undefined) {
        text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(member)}`;
      }
    }
    return `{${text}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** Each part preceded by its length in UTF-8 bytes, so that two different lists of parts never give the same bytes. */
function lengthPrefixed(parts: readonly string[]): string {
  let text = "";
  for (const part of parts) {
    text += `${Buffer.byteLength(part)}:${part}`;
  }
  return text;
}

/** The hash of a kept answer with its key and request, in hex. */
export function answerHash({ scope, key, requestHash, answerJson }: HashedAnswer): string {
  const parts = ["consignment-ledger answer 1", scope, key, requestHash, answerJson];
  return hash("sha256", lengthPrefixed(parts), "hex");
}

/** The field hash of an event, in hex. `dataJson` is its data's canonical JSON, if the caller already has it. */
export function fieldHash(
  event: HashedFields,
  hashForm: HashForm,
  dataJson = canonicalJson(event.data),
): string {
  const parts = [
    `consignment-ledger event ${hashForm.form}`,
    event.id,
    event.type,
    String(event.schemaVersion),
    dataJson,
    event.actor,
    event.keyScope,
    event.commandKey,
    String(event.happenedAtMicros),
    String(event.postings.length),
  ];
  for (const posting of event.postings) {
    parts.push(posting.from, posting.to, String(posting.cents));
  }
  parts.push(String(event.movements.length));
  for (const movement of event.movements) {
    parts.push(movement.from, movement.to, String(movement.units));
  }
  // Sorted only here, so that no collation of the database can change the hash.
  const streams = [...event.streams].sort((a, b) => (a.streamId < b.streamId ? -1 : 1));
  parts.push(String(streams.length));
  for (const stream of streams) {
    parts.push(stream.streamId, String(stream.version));
  }
  if (hashForm.form === 2) {
    parts.push(hashForm.answerHash ?? "");
  }
  return hash("sha256", lengthPrefixed(parts), "hex");
}

/** The link after an event: sha256(previous link, position, recordedAt in microseconds, field hash), in hex. */
export function nextLink(
  previousHash: string,
  position: number,
  recordedAtMicros: bigint,
  fieldHashHex: string,
): string {
  const numbers = Buffer.alloc(16);
  numbers.writeBigInt64BE(BigInt(position), 0);
  numbers.writeBigInt64BE(recordedAtMicros, 8);
  return createHash("sha256")
    .update(previousHash, "hex")
    .update(numbers)
    .update(fieldHashHex, "hex")
    .digest("hex");
}

// The ids of imported things: made from the file and the line alone, so that a second run makes the same ids.
import { createHash } from "node:crypto";
import { uuidOf } from "#ledger/uuid.ts";

/** A UUID (version 8) that is the same for the same file, line and kind of thing. */
export function importedId(fileHash: string, line: number, what: "item" | "sale"): string {
  return uuidOf(createHash("sha256").update(`${fileHash}:${line}:${what}`).digest());
}

/**
 * The rule that assigns a code to one of the `consignors` if the file names nobody: the first four bytes of
 * sha256(code), read as a big-endian number, modulo the number of consignors, plus one.
 */
export function consignorNumberOf(code: string, consignors: number): number {
  return (createHash("sha256").update(code, "utf8").digest().readUInt32BE(0) % consignors) + 1;
}

/** The uid of the nth import consignor: `import-consignor-0001`. */
export function importConsignorUid(number: number): string {
  return `import-consignor-${String(number).padStart(4, "0")}`;
}

// The ids an import gives: made from the file and the line alone, so that a second run means the same things.
import { createHash } from "node:crypto";

/** A UUID (version 8) that is the same for the same file, line and kind of thing. */
export function importedId(fileHash: string, line: number, what: "item" | "sale"): string {
  const bytes = createHash("sha256").update(`${fileHash}:${line}:${what}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

/**
 * The rule that gives a code to one of `consignors` people where the file names nobody: the first four bytes
 * of sha256(code), read as a big-endian number, modulo the number of people, plus one.
 */
export function consignorNumberOf(code: string, consignors: number): number {
  return (createHash("sha256").update(code, "utf8").digest().readUInt32BE(0) % consignors) + 1;
}

/** The uid of the nth import consignor: `import-consignor-0001`. */
export function importConsignorUid(number: number): string {
  return `import-consignor-${String(number).padStart(4, "0")}`;
}

// Makes UUIDs from bytes, which come from a random generator or a hash; recognizes UUIDs, and finds those that begin as
// somebody typed it.

/** A UUID of version 8 (custom) made of the first 16 bytes, with six bits overwritten. */
export function uuidOf(bytes: Buffer): string {
  const id = Buffer.from(bytes.subarray(0, 16));
  id.writeUInt8((id.readUInt8(6) & 0x0f) | 0x80, 6);
  id.writeUInt8((id.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = id.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

/** Written as this program writes them: in lower case, with dashes. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(text);
}

export type IdRange = { readonly from: string; readonly to: string };

/** The beginning of an id that people know, or all of it. */
const ID_START = /^[0-9a-f]{8}(?:[0-9a-f]{24})?$/u;

/** All ids that begin with this text, with or without dashes, are from the first to the second; null if none can. */
export function idsOfStart(typed: string): IdRange | null {
  const hex = typed.trim().replaceAll("-", "").toLowerCase();
  return ID_START.test(hex)
    ? { from: asId(hex.padEnd(32, "0")), to: asId(hex.padEnd(32, "f")) }
    : null;
}

function asId(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
}

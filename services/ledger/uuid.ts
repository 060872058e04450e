// Makes UUIDs from bytes, whether the bytes come from the clock, a random generator or a hash.

/** A UUID of this version made of the first 16 bytes, with six bits overwritten. */
export function uuidOf(bytes: Buffer, version: 7 | 8): string {
  const id = Buffer.from(bytes.subarray(0, 16));
  id.writeUInt8((id.readUInt8(6) & 0x0f) | (version << 4), 6);
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

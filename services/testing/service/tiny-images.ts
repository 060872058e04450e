// Images for tests, made byte by byte: a complete PNG, and the frames of JPEG and WebP files.
import { crc32, deflateSync } from "node:zlib";

/** A PNG of one gray. Browsers can draw it. */
export function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits of gray a pixel.
  header.writeUInt8(8, 8);
  // Each line begins with its filter; 0 is none.
  const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(width, 0x60)]);
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  return joined([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", lines),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Marks and headers of a JPEG, without a picture inside. */
export function jpegOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const frame = Buffer.from("ffc0000b0800000000010111 00".replaceAll(" ", ""), "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return joined([
    Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
    frame,
    Buffer.from("ffd9", "hex"),
  ]);
}

/** The header of a WebP file of each kind, without a picture inside. */
export function webpOf(
  kind: "VP8 " | "VP8L" | "VP8X",
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(30);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(22, 4);
  bytes.write(`WEBP${kind}`, 8, "latin1");
  if (kind === "VP8 ") {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (kind === "VP8L") {
    bytes.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14, 21);
  } else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return joined([bytes]);
}

function joined(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

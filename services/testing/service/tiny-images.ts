// Images for tests, made byte by byte: a complete PNG, and the parts of PNG, JPEG and WebP files.
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

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Marks and headers of a JPEG, with a scan that draws nothing. */
export function jpegOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const frame = Buffer.from("080000000001011100", "hex");
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return joined([
    Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
    jpegSegment(0xc0, frame),
    jpegSegment(0xda, Buffer.from("010100003f00", "hex")),
    Buffer.from("ffd9", "hex"),
  ]);
}

export function jpegSegment(mark: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, mark, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A WebP file of each kind: the header of its frame, without a picture inside. */
export function webpOf(
  kind: "VP8 " | "VP8L" | "VP8X",
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  return kind === "VP8X"
    ? webpFile(webpCanvas(width, height), webpFrame("VP8 ", width, height))
    : webpFile(webpFrame(kind, width, height));
}

/** The RIFF file around these chunks. */
function webpFile(...chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return joined([Buffer.from("RIFF"), size, body]);
}

function webpFrame(kind: "VP8 " | "VP8L", width: number, height: number): Buffer {
  const data = Buffer.from(kind === "VP8 " ? "0000009d012a00000000" : "2f00000000", "hex");
  if (kind === "VP8 ") {
    data.writeUInt16LE(width, 6);
    data.writeUInt16LE(height, 8);
  } else {
    data.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14, 1);
  }
  return webpChunk(kind, data);
}

/** `flags`: 2 for an animated file, 4 and 8 for metadata. */
function webpCanvas(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk("VP8X", data);
}

function webpChunk(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** The parts of a WebP file. */
export const webp = { file: webpFile, frame: webpFrame, canvas: webpCanvas, chunk: webpChunk };

function joined(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

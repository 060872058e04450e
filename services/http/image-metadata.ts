// Removes what cameras and programs write into a picture beside the picture: where it was taken, by whom, with what.
import type { ImageType } from "#http/image-check.ts";

/** The picture alone; null if the file is damaged. */
export function withoutMetadata(type: ImageType, bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (type) {
      case "image/jpeg":
        return bareJpeg(file);
      case "image/png":
        return barePng(file);
      case "image/webp":
        return bareWebp(file);
      default:
        return type satisfies never;
    }
  } catch (error) {
    // A length that leads past the end of the file.
    if (error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}

/** Keeps APP0 (JFIF), color profiles in APP2 and Adobe's APP14; drops the other APPs and comments. */
function isJpegExtra(mark: number, payload: Buffer): boolean {
  if (mark === 0xe2) {
    return payload.toString("latin1", 0, 11) !== "ICC_PROFILE";
  }
  return mark === 0xfe || (mark > 0xe0 && mark <= 0xef && mark !== 0xee);
}

/** Ends at the first end mark: phones append whole other pictures behind it. */
function bareJpeg(file: Buffer): Uint8Array | null {
  const parts = [file.subarray(0, 2)];
  let at = 2;
  while (at < file.length) {
    const mark = file.readUInt8(at + 1);
    if (file.readUInt8(at) !== 0xff) {
      return null;
    }
    if (mark === 0xff) {
      at += 1;
    } else if (mark === 0xd9) {
      return joined([...parts, file.subarray(at, at + 2)]);
    } else {
      const end = at + 2 + file.readUInt16BE(at + 2);
      if (end > file.length) {
        return null;
      }
      if (!isJpegExtra(mark, file.subarray(at + 4, end))) {
        parts.push(file.subarray(at, end));
      }
      at = end;
      if (mark === 0xda) {
        const next = endOfScan(file, end);
        parts.push(file.subarray(end, next));
        at = next;
      }
    }
  }
  return null;
}

/** Where the next mark begins: in a scan, 0xff is followed by 0 or by a restart mark. */
function endOfScan(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at !== -1 && at + 1 < file.length) {
    const next = file.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) {
      return at;
    }
    at = file.indexOf(0xff, at + (next === 0xff ? 1 : 2));
  }
  return file.length;
}

const PNG_PARTS = new Set("IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs".split(" "));

function barePng(file: Buffer): Uint8Array | null {
  const parts = [file.subarray(0, 8)];
  for (let at = 8; at < file.length;) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) {
      return null;
    }
    const type = file.toString("latin1", at + 4, at + 8);
    if (PNG_PARTS.has(type)) {
      parts.push(file.subarray(at, end));
    }
    if (type === "IEND") {
      return joined(parts);
    }
    at = end;
  }
  return null;
}

const WEBP_PARTS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP", "ANIM", "ANMF"]);
/** Bits of VP8X that announce EXIF and XMP. */
const WEBP_METADATA = 0x08 | 0x04;

function bareWebp(file: Buffer): Uint8Array | null {
  const end = 8 + file.readUInt32LE(4);
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= Math.min(end, file.length);) {
    const size = file.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    if (at + 8 + size > file.length) {
      return null;
    }
    const type = file.toString("latin1", at, at + 4);
    if (WEBP_PARTS.has(type)) {
      const part = Buffer.from(file.subarray(at, next));
      if (type === "VP8X") {
        part.writeUInt8(part.readUInt8(8) & ~WEBP_METADATA, 8);
      }
      parts.push(part);
    }
    at = next;
  }
  if (parts.length === 0) {
    return null;
  }
  const body = Buffer.concat(parts);
  const head = Buffer.from(file.subarray(0, 12));
  head.writeUInt32LE(4 + body.length, 4);
  return joined([head, body]);
}

function joined(parts: readonly Buffer[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

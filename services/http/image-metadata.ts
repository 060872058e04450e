// Removes what cameras and programs write into a picture's file: where it was taken, by whom, with what.
import { crc32 } from "node:zlib";
import type { ImageType } from "#http/image-check.ts";
import {
  bufferOf,
  type Chunk,
  jpegSegments,
  pngChunks,
  PNG_SIGNATURE,
  type Segment,
  webpChunks,
} from "#http/image-parts.ts";

/** The picture alone; null if the file is damaged. For files that `checkImage` takes. */
export function withoutMetadata(type: ImageType, bytes: Uint8Array): Uint8Array | null {
  const file = bufferOf(bytes);
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
}

/** Ends at the first end mark. */
function bareJpeg(file: Buffer): Uint8Array | null {
  const segments = jpegSegments(file);
  return segments === null
    ? null
    : joined([Buffer.from([0xff, 0xd8]), ...segments.map(bareSegment), Buffer.from([0xff, 0xd9])]);
}

/** JFIF's header is this long without its thumbnail; Adobe's segment is never longer than this. */
const [JFIF_LENGTH, ADOBE_LENGTH] = [14, 12];
const NOTHING = Buffer.alloc(0);

/** Keeps JFIF's header, color profiles and Adobe's note on colors, and no other APP segments or comments. */
function bareSegment({ mark, bytes, data }: Segment): Buffer {
  const begins = (text: string): boolean => data.toString("latin1", 0, text.length) === text;
  switch (mark) {
    case 0xe0: {
      // The last two bytes are the size of the thumbnail. A segment JFXX is nothing but a thumbnail.
      return begins("JFIF\0") && data.length >= JFIF_LENGTH
        ? segmentOf(mark, Buffer.concat([data.subarray(0, JFIF_LENGTH - 2), Buffer.alloc(2)]))
        : NOTHING;
    }
    case 0xe2: {
      return begins("ICC_PROFILE\0") ? bytes : NOTHING;
    }
    case 0xee: {
      return begins("Adobe") && data.length >= ADOBE_LENGTH
        ? segmentOf(mark, data.subarray(0, ADOBE_LENGTH))
        : NOTHING;
    }
    default: {
      return mark === 0xfe || (mark >= 0xe0 && mark <= 0xef) ? NOTHING : bytes;
    }
  }
}

function segmentOf(mark: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, mark, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

const PNG_PARTS = new Set("IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs".split(" "));

function barePng(file: Buffer): Uint8Array | null {
  const chunks = pngChunks(file);
  return chunks === null
    ? null
    : joined([Buffer.from(PNG_SIGNATURE, "latin1"), ...chunks.map(barePngChunk)]);
}

function barePngChunk({ name, bytes, data }: Chunk): Buffer {
  if (name === "iCCP") {
    return profileOf(data);
  }
  return PNG_PARTS.has(name) ? bytes : NOTHING;
}

const MAX_PROFILE_NAME = 79;

/** The color profile with a name that says nothing: programs write free text there. */
function profileOf(data: Buffer): Buffer {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 1 || nameEnd > MAX_PROFILE_NAME) {
    return NOTHING;
  }
  const body = Buffer.concat([Buffer.from("iCCPprofile"), data.subarray(nameEnd)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Animated files, whose frames can have metadata of their own, never get here. */
const WEBP_PARTS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP"]);
/** Bits of VP8X that announce EXIF and XMP. */
const WEBP_METADATA = 0x08 | 0x04;

function bareWebp(file: Buffer): Uint8Array | null {
  const parts = webpChunks(file)?.filter(({ name }) => WEBP_PARTS.has(name)) ?? [];
  if (parts.length === 0) {
    return null;
  }
  const body = Buffer.concat(parts.map(bareWebpChunk));
  const head = Buffer.from(file.subarray(0, 12));
  head.writeUInt32LE(4 + body.length, 4);
  return joined([head, body]);
}

function bareWebpChunk({ name, bytes }: Chunk): Buffer {
  const part = Buffer.from(bytes);
  if (name === "VP8X") {
    part.writeUInt8(part.readUInt8(8) & ~WEBP_METADATA, 8);
  }
  return part;
}

function joined(parts: readonly Buffer[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

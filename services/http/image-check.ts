// Checks a picture by its content, never by its name, before anything is stored: uploaded ones, and those of the retailer.
import { bufferOf, type Chunk, jpegSegments, pngChunks, webpChunks } from "#http/image-parts.ts";

/** The types that browsers only draw. */
export type ImageType = "image/png" | "image/jpeg" | "image/webp";

export type ImageProblem = "empty_file" | "not_an_image" | "image_too_wide";

export const imageProblemTexts: Readonly<Record<ImageProblem, string>> = {
  empty_file: "This file is empty",
  not_an_image: "Choose a PNG, JPEG or WebP image that is not animated",
  image_too_wide: "A picture is at most 4,000 pixels wide and high",
};

/** A small file can decompress to a picture that is too large for a phone. */
const MAX_PIXELS = 4_000;

type Size = { readonly width: number; readonly height: number };
type Shape = Size & { readonly type: ImageType };

export type CheckedImage =
  | ({ readonly kind: "image" } & Shape)
  | { readonly kind: "refused"; readonly problem: ImageProblem };

/**
 * The type of an image according to its bytes. It is served with that type and `nosniff`, so browsers only draw it.
 * The whole file is looked at: decoders differ in which of several sizes they believe, so there may be one only.
 */
export function checkImage(bytes: Uint8Array): CheckedImage {
  if (bytes.byteLength === 0) {
    return { kind: "refused", problem: "empty_file" };
  }
  const file = bufferOf(bytes);
  const shape = pngShape(file) ?? jpegShape(file) ?? webpShape(file);
  if (shape === null || shape.width === 0 || shape.height === 0) {
    return { kind: "refused", problem: "not_an_image" };
  }
  return shape.width > MAX_PIXELS || shape.height > MAX_PIXELS
    ? { kind: "refused", problem: "image_too_wide" }
    : { kind: "image", ...shape };
}

/** One header at the beginning, something to draw, and nothing after the end. */
function pngShape(file: Buffer): Shape | null {
  const chunks = pngChunks(file);
  const header = chunks?.[0];
  if (chunks === null || header?.name !== "IHDR" || header.data.length !== 13) {
    return null;
  }
  const count = (name: string): number => chunks.filter((chunk) => chunk.name === name).length;
  const length = chunks.reduce((sum, { bytes }) => sum + bytes.length, 8);
  return count("IHDR") === 1 && count("IDAT") > 0 && length === file.length
    ? {
        type: "image/png",
        width: header.data.readUInt32BE(0),
        height: header.data.readUInt32BE(4),
      }
    : null;
}

/** One frame header (SOF), which has the size, before the first scan. Thumbnails are inside of other segments. */
function jpegShape(file: Buffer): Shape | null {
  const segments = jpegSegments(file);
  if (segments === null || file.readUInt16BE(file.length - 2) !== 0xff_d9) {
    return null;
  }
  const [frame, ...others] = segments.filter(({ mark }) => isFrame(mark));
  const scan = segments.find(({ mark }) => mark === 0xda);
  if (frame === undefined || others.length > 0 || scan === undefined || frame.data.length < 6) {
    return null;
  }
  return segments.indexOf(frame) < segments.indexOf(scan)
    ? { type: "image/jpeg", width: frame.data.readUInt16BE(3), height: frame.data.readUInt16BE(1) }
    : null;
}

/** C4, C8 and CC are between the frame headers, but are something else. */
function isFrame(mark: number): boolean {
  return mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc;
}

const WEBP_ANIMATION = 0x02;

/** One frame, which is as large as the canvas where there is one. Animated files have other frames inside of chunks. */
function webpShape(file: Buffer): Shape | null {
  const chunks = webpChunks(file);
  const [first] = chunks ?? [];
  const frames = (chunks ?? []).flatMap((chunk) => webpFrame(chunk) ?? []);
  const [frame] = frames;
  if (chunks === null || first === undefined || frame === undefined || frames.length > 1) {
    return null;
  }
  if (chunks.some(({ name }) => name === "ANIM" || name === "ANMF")) {
    return null;
  }
  if (first.name !== "VP8X") {
    return webpFrame(first) === undefined ? null : { type: "image/webp", ...frame };
  }
  const isCanvas =
    first.data.length === 10 &&
    (first.data.readUInt8(0) & WEBP_ANIMATION) === 0 &&
    chunks.filter(({ name }) => name === "VP8X").length === 1 &&
    first.data.readUIntLE(4, 3) + 1 === frame.width &&
    first.data.readUIntLE(7, 3) + 1 === frame.height;
  return isCanvas ? { type: "image/webp", ...frame } : null;
}

/** Undefined for a chunk that is not a frame. A damaged frame has no size. */
function webpFrame({ name, data }: Chunk): Size | undefined {
  const none = { width: 0, height: 0 };
  if (name === "VP8 ") {
    // A key frame, which begins with its size.
    const isKey = data.length >= 10 && data.readUInt8(0) % 2 === 0;
    return isKey && data.toString("hex", 3, 6) === "9d012a"
      ? { width: data.readUInt16LE(6) % 0x40_00, height: data.readUInt16LE(8) % 0x40_00 }
      : none;
  }
  if (name === "VP8L") {
    if (data.length < 5 || data.readUInt8(0) !== 0x2f) {
      return none;
    }
    const packed = data.readUInt32LE(1);
    return { width: (packed % 0x40_00) + 1, height: ((packed >>> 14) % 0x40_00) + 1 };
  }
  return undefined;
}

// Checks a picture by its content, never by its name, before anything is stored: uploaded ones, and those of the retailer.

/** The types that browsers only draw. */
export type ImageType = "image/png" | "image/jpeg" | "image/webp";

export type ImageProblem = "empty_file" | "not_an_image" | "image_too_wide";

export const imageProblemTexts: Readonly<Record<ImageProblem, string>> = {
  empty_file: "This file is empty",
  not_an_image: "Choose a PNG, JPEG or WebP image",
  image_too_wide: "A picture is at most 4,000 pixels wide and high",
};

/** A small file can decompress to a picture that is too large for a phone. */
const MAX_PIXELS = 4_000;

type Shape = { readonly type: ImageType; readonly width: number; readonly height: number };

export type CheckedImage =
  | ({ readonly kind: "image" } & Shape)
  | { readonly kind: "refused"; readonly problem: ImageProblem };

/** The type of an image according to its bytes. It is served with that type and `nosniff`, so browsers only draw it. */
export function checkImage(bytes: Uint8Array): CheckedImage {
  if (bytes.byteLength === 0) {
    return { kind: "refused", problem: "empty_file" };
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shape = pngShape(view) ?? jpegShape(view) ?? webpShape(view);
  if (shape === undefined || shape.width === 0 || shape.height === 0) {
    return { kind: "refused", problem: "not_an_image" };
  }
  return shape.width > MAX_PIXELS || shape.height > MAX_PIXELS
    ? { kind: "refused", problem: "image_too_wide" }
    : { kind: "image", ...shape };
}

function textAt(view: DataView, offset: number, length: number): string {
  return offset + length > view.byteLength
    ? ""
    : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));
}

/** The signature, then the chunk IHDR with the size; the last chunk is IEND. */
function pngShape(view: DataView): Shape | undefined {
  const isPng =
    textAt(view, 0, 8) === "\x89PNG\r\n\x1a\n" &&
    view.byteLength >= 45 &&
    textAt(view, 12, 4) === "IHDR" &&
    textAt(view, view.byteLength - 8, 4) === "IEND";
  return isPng
    ? { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) }
    : undefined;
}

/** Start and end marks, with a frame header (SOF) between that has the size. */
function jpegShape(view: DataView): Shape | undefined {
  const end = view.byteLength - 2;
  if (end < 2 || view.getUint16(0) !== 0xff_d8 || view.getUint16(end) !== 0xff_d9) {
    return undefined;
  }
  for (let at = 2; at + 9 <= end && view.getUint8(at) === 0xff;) {
    const mark = view.getUint8(at + 1);
    if (isFrame(mark)) {
      return { type: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    // A mark may be padded with more 0xff.
    at += mark === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** C4, C8 and CC are between the frame headers, but are something else. */
function isFrame(mark: number): boolean {
  return mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc;
}

/** A RIFF file whose first chunk is one of WebP's three kinds, each with the size in its own way. */
function webpShape(view: DataView): Shape | undefined {
  if (textAt(view, 0, 4) !== "RIFF" || textAt(view, 8, 4) !== "WEBP" || view.byteLength < 30) {
    return undefined;
  }
  const type = "image/webp";
  switch (textAt(view, 12, 4)) {
    case "VP8 ": {
      const [width, height] = [view.getUint16(26, true), view.getUint16(28, true)];
      return { type, width: width % 0x40_00, height: height % 0x40_00 };
    }
    case "VP8L": {
      const packed = view.getUint32(21, true);
      return { type, width: (packed % 0x40_00) + 1, height: ((packed >>> 14) % 0x40_00) + 1 };
    }
    case "VP8X": {
      const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;
      return { type, width: uint24(24) + 1, height: uint24(27) + 1 };
    }
    default: {
      return undefined;
    }
  }
}

// Where and with what a photo was taken is not stored with it.
import { expect, it } from "vitest";
import { withoutMetadata } from "#http/image-metadata.ts";
import { cleanPicture } from "#http/stored-images.ts";
import { jpegOf, pngOf, webpOf } from "#testing/service/tiny-images.ts";

const SECRET = "GPS 44.9537";

/** A JPEG with EXIF, a comment, a scan with a mark inside, and another picture behind its end. */
function jpegWithSecrets(): Uint8Array {
  const plain = Buffer.from(jpegOf(40, 30));
  const segment = (mark: number, payload: string): Buffer => {
    const head = Buffer.from([0xff, mark, 0, 0]);
    head.writeUInt16BE(payload.length + 2, 2);
    return Buffer.concat([head, Buffer.from(payload, "latin1")]);
  };
  const scan = Buffer.concat([segment(0xda, "abc"), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3])]);
  return Buffer.concat([
    plain.subarray(0, 2),
    segment(0xe1, `Exif\0\0${SECRET}`),
    segment(0xe2, "ICC_PROFILE\0colors"),
    segment(0xe2, `MPF\0${SECRET}`),
    segment(0xfe, SECRET),
    plain.subarray(2, -2),
    scan,
    segment(0xfe, SECRET),
    plain.subarray(-2),
    Buffer.from(SECRET),
    plain,
  ]);
}

function pngWithSecrets(): Uint8Array {
  const plain = Buffer.from(pngOf(40, 30));
  const chunk = Buffer.concat([
    Buffer.from([0, 0, 0, SECRET.length]),
    Buffer.from(`tEXt${SECRET}`),
    Buffer.alloc(4),
  ]);
  return Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);
}

function webpWithSecrets(): Uint8Array {
  const plain = Buffer.from(webpOf("VP8X", 40, 30));
  plain.writeUInt32LE(10, 16);
  plain.writeUInt8(0x0c, 20);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(SECRET.length);
  const extra = Buffer.concat([Buffer.from("EXIF"), size, Buffer.from(SECRET), Buffer.alloc(1)]);
  const file = Buffer.concat([plain, extra]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

it.each([
  ["image/jpeg", jpegWithSecrets()],
  ["image/png", pngWithSecrets()],
  ["image/webp", webpWithSecrets()],
] as const)("%s keeps its picture and loses the rest", (type, bytes) => {
  expect(Buffer.from(bytes).includes(SECRET)).toBe(true);
  const bare = withoutMetadata(type, bytes);
  expect(bare).not.toBeNull();
  expect(Buffer.from(bare ?? []).includes(SECRET)).toBe(false);
  expect(cleanPicture(bare ?? new Uint8Array(), 10_000)).toEqual({ type, bytes: bare });
});

it("the colors and the scan of a JPEG stay byte by byte", () => {
  const bare = Buffer.from(withoutMetadata("image/jpeg", jpegWithSecrets()) ?? []);
  expect(bare.includes("ICC_PROFILE\0colors")).toBe(true);
  expect(bare.includes(Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]))).toBe(true);
});

it("a file without metadata stays as it is", () => {
  for (const [type, bytes] of [
    ["image/jpeg", jpegOf(4, 3)],
    ["image/png", pngOf(4, 3)],
  ] as const) {
    expect(withoutMetadata(type, bytes)).toEqual(bytes);
  }
});

it("a file that ends too early is refused, wherever it ends", () => {
  for (const [type, bytes] of [
    ["image/jpeg", jpegWithSecrets().subarray(0, 90)],
    ["image/png", pngWithSecrets()],
  ] as const) {
    for (let length = 2; length < Math.min(bytes.length, 90); length += 1) {
      expect(withoutMetadata(type, bytes.subarray(0, length))).toBeNull();
    }
  }
});

it("a single pixel and a picture that is too large are no pictures of an item", () => {
  expect(cleanPicture(pngOf(1, 1), 10_000)).toBeNull();
  expect(cleanPicture(pngOf(40, 30), 20)).toBeNull();
});

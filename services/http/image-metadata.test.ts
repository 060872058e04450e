// Where and with what a photo was taken is not stored with it.
import { expect, it } from "vitest";
import { withoutMetadata } from "#http/image-metadata.ts";
import { cleanPicture } from "#http/stored-images.ts";
import {
  jpegOf,
  jpegSegment,
  pngChunk,
  pngOf,
  webp,
  webpOf,
} from "#testing/service/tiny-images.ts";

const SECRET = "GPS 44.9537";

const secret = (before: string): Buffer => Buffer.from(`${before}${SECRET}`, "latin1");

/** A JPEG with EXIF, thumbnails, a comment, a scan with a mark inside, and another picture behind its end. */
function jpegWithSecrets(): Uint8Array {
  const plain = Buffer.from(jpegOf(40, 30));
  const scan = jpegSegment(0xda, Buffer.from("abc"));
  return Buffer.concat([
    plain.subarray(0, 2),
    jpegSegment(0xe1, secret("Exif\0\0")),
    jpegSegment(0xe2, Buffer.from("ICC_PROFILE\0colors")),
    jpegSegment(0xe2, secret("MPF\0")),
    jpegSegment(0xfe, secret("")),
    jpegSegment(0xe0, secret("JFIF\0\x01\x02\0\0\x01\0\x01\x05\x01")),
    jpegSegment(0xe0, secret("JFXX\0\x10")),
    jpegSegment(0xee, secret("Adobe\0\x64\0\0\0\0\x01")),
    plain.subarray(2, -2),
    scan,
    Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
    jpegSegment(0xfe, secret("")),
    plain.subarray(-2),
    secret(""),
    plain,
  ]);
}

/** A PNG with a text, and one in the name of its color profile. */
function pngWithSecrets(): Uint8Array {
  const plain = Buffer.from(pngOf(40, 30));
  const profile = Buffer.concat([secret(""), Buffer.from("\0\0packed colors")]);
  return Buffer.concat([
    plain.subarray(0, 33),
    pngChunk("tEXt", secret("Place\0")),
    pngChunk("iCCP", profile),
    plain.subarray(33),
  ]);
}

function webpWithSecrets(): Uint8Array {
  return webp.file(
    webp.canvas(40, 30, 0x0c),
    webp.frame("VP8 ", 40, 30),
    webp.chunk("EXIF", secret("")),
  );
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

it("the color profile of a PNG stays under a name that says nothing", () => {
  const bare = Buffer.from(withoutMetadata("image/png", pngWithSecrets()) ?? []);
  const chunk = pngChunk("iCCP", Buffer.from("profile\0\0packed colors"));
  expect(bare.includes(chunk)).toBe(true);
});

it("an animated WebP, whose frames can have metadata of their own, is not taken", () => {
  const frame = Buffer.concat([
    Buffer.alloc(16),
    webp.frame("VP8 ", 40, 30),
    webp.chunk("EXIF", secret("")),
  ]);
  const bytes = webp.file(webp.canvas(40, 30, 2), webp.chunk("ANMF", frame));
  expect(cleanPicture(bytes, 10_000)).toBeNull();
});

it("a file without metadata stays as it is", () => {
  for (const [type, bytes] of [
    ["image/jpeg", jpegOf(4, 3)],
    ["image/png", pngOf(4, 3)],
    ["image/webp", webpOf("VP8X", 4, 3)],
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

it("a single pixel and a picture that is too large are not pictures of an item", () => {
  expect(cleanPicture(pngOf(1, 1), 10_000)).toBeNull();
  expect(cleanPicture(pngOf(40, 30), 20)).toBeNull();
});

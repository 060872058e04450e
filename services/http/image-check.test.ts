// What is taken as a picture: an image by its bytes, of a size that browsers can draw.
import { expect, it } from "vitest";
import { checkImage } from "#http/image-check.ts";
import {
  jpegOf,
  jpegSegment,
  pngChunk,
  pngOf,
  webp,
  webpOf,
} from "#testing/service/tiny-images.ts";

it.each([
  ["image/png", pngOf(40, 30)],
  ["image/jpeg", jpegOf(40, 30)],
  ["image/webp", webpOf("VP8 ", 40, 30)],
  ["image/webp", webpOf("VP8L", 40, 30)],
  ["image/webp", webpOf("VP8X", 40, 30)],
])("%s is told by its bytes", (type, bytes) => {
  expect(checkImage(bytes)).toEqual({ kind: "image", type, width: 40, height: 30 });
});

it.each([
  ["PNG", pngOf(4_001, 30)],
  ["JPEG", jpegOf(30, 4_001)],
  ["WebP (lossy)", webpOf("VP8 ", 4_001, 30)],
  ["WebP (lossless)", webpOf("VP8L", 30, 4_001)],
  ["WebP (extended)", webpOf("VP8X", 4_001, 30)],
])("a %s wider or higher than 4,000 pixels is refused", (_name, bytes) => {
  expect(checkImage(bytes)).toEqual({ kind: "refused", problem: "image_too_wide" });
});

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

it.each([
  ["nothing", new Uint8Array(), "empty_file"],
  [
    "a drawing that can run scripts",
    bytesOf("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "not_an_image",
  ],
  [
    "an image's first bytes before a page",
    bytesOf("\x89PNG\r\n\x1a\n<script>alert(1)</script>"),
    "not_an_image",
  ],
  ["half a PNG", pngOf(40, 30).subarray(0, 40), "not_an_image"],
  ["half a JPEG", jpegOf(40, 30).subarray(0, 15), "not_an_image"],
  ["a JPEG without a picture", bytesOf("\xff\xd8\xff\xd9"), "not_an_image"],
  ["a RIFF file with sound", bytesOf(`RIFF\x24\0\0\0WAVEfmt ${"\0".repeat(30)}`), "not_an_image"],
  ["an image without a width", pngOf(0, 30), "not_an_image"],
])("%s is refused", (_what, bytes, problem) => {
  expect(checkImage(bytes)).toEqual({ kind: "refused", problem });
});

/** The bytes with something put in at a place, counted from the end where it is negative. */
function withPart(bytes: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

const header = Buffer.from(pngOf(40, 30).subarray(16, 29));
const hugeHeader = Buffer.from(header);
hugeHeader.writeUInt32BE(60_000, 0);
hugeHeader.writeUInt32BE(60_000, 4);
const hugeFrame = jpegSegment(0xc2, Buffer.from("08fde8fde801011100", "hex"));
const BEFORE_SCAN = -12;
const huge = webp.frame("VP8 ", 16_383, 16_383);
const moving = (frame: Buffer) =>
  webp.file(
    webp.canvas(40, 30, 2),
    webp.chunk("ANIM", Buffer.alloc(6)),
    webp.chunk("ANMF", Buffer.concat([Buffer.alloc(16), frame])),
  );

it.each([
  ["a PNG with a second header", withPart(pngOf(40, 30), 33, pngChunk("IHDR", hugeHeader))],
  [
    "a PNG with a second header behind its picture",
    withPart(pngOf(40, 30), -12, pngChunk("IHDR", hugeHeader)),
  ],
  [
    "a PNG whose header is not the first",
    withPart(pngOf(40, 30), 8, pngChunk("gAMA", Buffer.alloc(4))),
  ],
  [
    "a PNG without a picture",
    Buffer.concat([pngOf(40, 30).subarray(0, 33), pngOf(40, 30).subarray(-12)]),
  ],
  ["a PNG behind a PNG", Buffer.concat([pngOf(40, 30), pngOf(40, 30)])],
  ["a JPEG with a second frame before its scan", withPart(jpegOf(40, 30), BEFORE_SCAN, hugeFrame)],
  ["a JPEG with a second frame behind its scan", withPart(jpegOf(40, 30), -2, hugeFrame)],
  [
    "a JPEG with a frame behind a mark that has no length",
    withPart(
      jpegOf(40, 30),
      BEFORE_SCAN,
      Buffer.concat([Buffer.from([0xff, 0xd0, 0, 2 + hugeFrame.length]), hugeFrame]),
    ),
  ],
  [
    "a JPEG without a scan",
    Buffer.concat([jpegOf(40, 30).subarray(0, BEFORE_SCAN), Buffer.from([0xff, 0xd9])]),
  ],
  ["a WebP whose frame is larger than its canvas", webp.file(webp.canvas(50, 50), huge)],
  [
    "a WebP with two frames",
    webp.file(webp.canvas(40, 30), webp.frame("VP8 ", 40, 30), webp.frame("VP8L", 4_001, 30)),
  ],
  ["a WebP with a second frame and no canvas", webp.file(webp.frame("VP8 ", 40, 30), huge)],
  [
    "a WebP with two canvases",
    webp.file(webp.canvas(40, 30), webp.canvas(50, 50), webp.frame("VP8 ", 40, 30)),
  ],
  ["a WebP without a frame", webp.file(webp.canvas(40, 30))],
  ["an animated WebP", moving(webp.frame("VP8 ", 40, 30))],
  ["an animated WebP with a huge frame", moving(huge)],
  [
    "a WebP that says it is animated",
    webp.file(webp.canvas(40, 30, 2), webp.frame("VP8 ", 40, 30)),
  ],
])("%s is refused, whatever its first header says", (_what, bytes) => {
  expect(checkImage(bytes)).toEqual({ kind: "refused", problem: "not_an_image" });
});

it("a thumbnail inside of a JPEG's metadata is not a second frame", () => {
  const bytes = withPart(jpegOf(40, 30), 2, jpegSegment(0xe1, jpegOf(8, 6)));
  expect(checkImage(bytes)).toMatchObject({ kind: "image", width: 40, height: 30 });
});

it("no bytes make it fail", () => {
  for (const whole of [pngOf(40, 30), jpegOf(40, 30), webpOf("VP8X", 40, 30)]) {
    for (let length = 0; length < whole.length; length += 1) {
      expect(checkImage(whole.subarray(0, length)).kind).toBe("refused");
    }
  }
});
